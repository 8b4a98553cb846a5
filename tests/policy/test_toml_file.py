import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.world import settings
from ringwall.policy.model import Approval, LayerName
from ringwall.policy.presets import NAMES
from ringwall.policy.problems import Problems
from ringwall.policy.source import PolicyFile
from ringwall.policy.toml_file import Settings, read_settings


def read(text: str) -> tuple[Settings, Problems]:
    problems = Problems()
    return read_settings(settings(text), LayerName.USER, NAMES, problems), problems


def codes(text: str) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in read(text)[1].found]


FULL = """preset = "strict"
protected_branches = ["main", "release/*"]

[autonomy]
"*" = "require_approval"
git.local = "auto_approve"
"git.push" = "deny"

[autonomy.roles.reader]
"*" = "deny"

[autonomy.agents.reviewer]
write = "deny"

[roles]
deploy = "lead"
git.push = "owner"

[limits]
add = ["cloud.write", "git"]

[harvest]
anything = 1
"""


def test_every_section() -> None:
    found, problems = read(FULL)
    assert not problems.found
    assert found.preset == "strict"
    assert found.protected == ("main", "release/*")
    lines = [(line.effect, line.approval, line.role, line.agent, line.ref.line) for line in found.autonomy]
    assert lines == [
        ("*", Approval.REQUIRE_APPROVAL, "*", "*", 5),
        ("git.local", Approval.AUTO_APPROVE, "*", "*", 6),
        ("git.push", Approval.DENY, "*", "*", 7),
        ("*", Approval.DENY, "reader", "*", 10),
        ("write", Approval.DENY, "*", "reviewer", 13),
    ]
    assert [(effect, role, ref.line) for effect, role, ref in found.roles] == [
        ("deploy", "lead", 16),
        ("git.push", "owner", 17),
    ]
    assert [(name, ref.line) for name, ref in found.limits] == [("cloud.write", 20), ("git", 20)]
    assert [(ref.text, ref.line) for ref in found.reserved] == [("[harvest]", 22)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("presett = 1", [("policy.unknown_key", "ringwall.toml:1")]),
        ("\n[autonmy]\n", [("policy.unknown_key", "ringwall.toml:2")]),
        ('preset = "gaurded"', [("policy.unknown_preset", "ringwall.toml:1")]),
        ('preset = ""', [("policy.unknown_preset", "ringwall.toml:1")]),
        ("preset = 1", [("policy.wrong_type", "ringwall.toml:1")]),
        ("autonomy = 1", [("policy.wrong_type", "ringwall.toml:1")]),
        ("[autonomy]\nwrite = true", [("policy.wrong_type", "ringwall.toml:2")]),
        ('[autonomy]\nwrite = "yes"', [("policy.unknown_approval", "ringwall.toml:2")]),
        ('[autonomy]\nwirte = "deny"', [("policy.unknown_effect", "ringwall.toml:2")]),
        ('[autonomy.roles.boss]\n"*" = "deny"', [("policy.unknown_role", "ringwall.toml:1")]),
        ("[autonomy]\nroles = 1", [("policy.wrong_type", "ringwall.toml:2")]),
        ('[roles]\nwrite = "boss"', [("policy.unknown_role", "ringwall.toml:2")]),
        ('[limits]\nadd = ["nope"]', [("policy.unknown_effect", "ringwall.toml:2")]),
        ("[limits]\nadd = 1", [("policy.wrong_type", "ringwall.toml:2")]),
        ("[limits]\nremove = []", [("policy.unknown_key", "ringwall.toml:2")]),
        ('protected_branches = "main"', [("policy.wrong_type", "ringwall.toml:1")]),
        ("protected_branches = [1, '']", [("policy.wrong_type", "ringwall.toml:1")] * 2),
        ("wall = 1", [("policy.wrong_type", "ringwall.toml:1")]),
        ("a = 1\na = 2", [("policy.toml_syntax", "ringwall.toml:2:6")]),
        ("x = ", [("policy.toml_syntax", "ringwall.toml:1:5")]),
        ("a = " + "[" * 5000, [("policy.too_deep", "ringwall.toml")]),
        (
            'presett = 1\n[autonomy]\nwirte = "deny"\nwrite = "no"',
            [
                ("policy.unknown_key", "ringwall.toml:1"),
                ("policy.unknown_effect", "ringwall.toml:3"),
                ("policy.unknown_approval", "ringwall.toml:4"),
            ],
        ),
    ],
)
def test_every_problem_is_collected_with_its_line(text: str, found: list[tuple[str, str]]) -> None:
    assert codes(text) == found


def test_what_stands_beside_a_problem_is_read() -> None:
    found, _ = read('[autonomy]\nwirte = "deny"\ndelete = "deny"')
    assert [line.effect for line in found.autonomy] == ["delete"]


@given(st.binary(max_size=80) | st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_settings_or_problems(content: bytes) -> None:
    problems = Problems()
    found = read_settings(PolicyFile("f", content), LayerName.PROJECT, NAMES, problems)
    assert problems.found or found.preset in ("", *NAMES)
