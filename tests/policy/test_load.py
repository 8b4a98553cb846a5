import pytest

from policy.world import judged, loaded, permissions, policy, project, settings, shell, user
from ringwall.model.effects import EFFECTS
from ringwall.model.verdict import Verdict
from ringwall.policy import presets
from ringwall.policy.load import LayerFiles
from ringwall.policy.model import LayerName


def test_without_files_it_is_guarded() -> None:
    found = policy()
    assert found.preset == "guarded"
    assert [layer.name for layer in found.layers] == [LayerName.PRESET]


def test_layers_stand_weakest_first() -> None:
    found = policy(
        project=project(ask=["Bash(a)"]), user=user(ask=["Bash(b)"]), session=user(ask=["Bash(c)"])
    )
    assert [layer.name for layer in found.layers] == list(LayerName)


@pytest.mark.parametrize("name", sorted(presets.NAMES))
def test_presets_are_readable_and_give_each_ask_a_reason_and_an_example(name: str) -> None:
    layer = presets.preset_layer(name)
    assert layer.trusted
    for rule in layer.rules:
        assert rule.reason is not None and str(rule.reason)
        assert rule.ref.file.startswith("presets/") and rule.ref.line > 1
    text = presets.preset_file(name).content.decode()
    assert text.count("example = ") == text.count("rule = ") == text.count("reason = ")


def test_presets_come_with_the_strictest_order() -> None:
    assert presets.stricter("auto", "guarded")
    assert presets.stricter("guarded", "walled")
    assert not presets.stricter("guarded", "guarded")
    assert not presets.stricter("strict", "walled")
    assert not presets.stricter("walled", "strict")
    assert not presets.stricter("strict", "guarded")


@pytest.mark.parametrize("effect", sorted(EFFECTS))
def test_a_stricter_preset_is_never_looser(effect: str) -> None:
    verdicts = {
        name: judged(shell(("mkdir x", [effect])), policy(preset=name)).verdict for name in presets.NAMES
    }
    assert verdicts["auto"].rank <= verdicts["guarded"].rank
    assert verdicts["guarded"].rank <= min(verdicts["strict"].rank, verdicts["walled"].rank)


def test_who_names_the_preset() -> None:
    strict = LayerFiles(settings=settings('preset = "strict"'))
    auto = LayerFiles(settings=settings('preset = "auto"'))
    assert policy(user=auto).preset == "auto"
    assert policy(project=auto, trusted=True).preset == "auto"
    assert policy(project=auto, trusted=False).preset == "guarded"
    assert policy(project=strict, trusted=False).preset == "strict"
    assert policy(project=strict, user=auto, trusted=False).preset == "auto"
    assert policy(project=strict, user=auto, trusted=True).preset == "auto"
    assert policy(user=strict, preset="auto").preset == "auto"


def test_an_unknown_preset_given_from_outside_is_a_problem() -> None:
    result = loaded(preset="nope")
    assert [problem.code for problem in result.problems] == ["policy.unknown_preset"]
    assert result.policy.preset == "strict"


def test_an_untrusted_project_keeps_only_what_tightens() -> None:
    files = LayerFiles(
        settings=settings(
            'preset = "auto"\n[autonomy]\nwrite = "auto_approve"\ndelete = "deny"\n'
            '[roles]\ndeploy = "owner"\nwrite = "reader"\n[limits]\nadd = ["cloud.write"]'
        ),
        permissions=permissions(allow=["Bash"], ask=["Bash(a)"], deny=["Bash(b)"]),
    )
    layer = policy(project=files, trusted=False).layer(LayerName.PROJECT)
    assert layer is not None
    assert [rule.ref.text for rule in layer.rules] == ["Bash(b)", "Bash(a)"]
    assert [line.effect for line in layer.autonomy] == ["delete"]
    assert [entry[0] for entry in layer.roles] == ["deploy"]
    assert [name for name, _ in layer.limits] == ["cloud.write"]
    assert not layer.trusted
    assert [(ref.text, ref.line) for ref in layer.dropped] == [
        ('preset = "auto"', 1),
        ("Bash", 4),
        ('write = "auto_approve"', 3),
        ('write = "reader"', 7),
    ]


def test_trust_is_bound_to_the_digest_of_every_file() -> None:
    files = LayerFiles(settings=settings('preset = "auto"'), permissions=permissions(allow=["Bash"]))
    both = frozenset(file.digest for file in files.present)
    assert policy(project=files, trusted=both).preset == "auto"
    for digest in both:
        found = policy(project=files, trusted=both - {digest})
        assert found.preset == "guarded"
        assert found.layers[-1].rules == ()


@pytest.mark.parametrize("layer", ["project", "user", "session"])
def test_an_invalid_file_never_loosens(layer: str) -> None:
    files = LayerFiles(
        settings=settings('preset = "auto"\nnope = 1\n[autonomy]\nwrite = "auto_approve"\ndelete = "deny"'),
        permissions=permissions(allow=["Bash"], deny=["Bash(b)"]),
    )
    result = loaded(**{layer: files})
    assert [problem.code for problem in result.problems] == ["policy.unknown_key"]
    found = result.policy.layers[-1]
    assert [rule.ref.text for rule in found.rules] == ["Bash(b)"]
    assert [line.effect for line in found.autonomy] == ["delete"]
    assert result.policy.preset == "strict"


def test_a_file_that_hides_what_it_tightens_asks_about_everything_but_looking() -> None:
    result = loaded(user=LayerFiles(permissions=permissions(deny=["bash(ls)"])))
    assert result.policy.preset == "strict"
    assert judged(shell(("mkdir x", ["write"])), result.policy).verdict is Verdict.ASK
    assert judged(shell(("ls", ["observe"])), result.policy).verdict is Verdict.ALLOW


def test_a_bad_allow_rule_hides_nothing() -> None:
    result = loaded(user=LayerFiles(permissions=permissions(allow=["bash(ls)", "Bash(git reset:*)"])))
    assert result.policy.preset == "guarded"
    assert result.problems
    assert result.policy.layers[-1].rules == ()


def test_the_digest_covers_files_trust_preset_and_places() -> None:
    one = project(ask=["Bash(a)"])
    digests = {
        policy().digest,
        policy(preset="auto").digest,
        policy(project=one, trusted=True).digest,
        policy(project=one, trusted=False).digest,
        policy(project=project(ask=["Bash(b)"])).digest,
        policy(user=one).digest,
    }
    assert len(digests) == 6
    assert policy(user=one).digest == policy(user=one).digest


def test_protected_branches() -> None:
    mine = LayerFiles(settings=settings('protected_branches = ["trunk"]'))
    assert "main" in policy().protected
    assert policy(user=mine).protected == ("trunk",)
    untrusted = policy(project=mine, trusted=False).protected
    assert {"main", "trunk"} <= set(untrusted)


def test_reserved_tables_are_told_of() -> None:
    result = loaded(project=LayerFiles(settings=settings("[harvest]\na = 1\n")))
    assert not result.problems
    assert [ref.text for ref in result.reserved] == ["[harvest]"]
