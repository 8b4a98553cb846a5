from policy.world import command, effect, policy, shell, user
from policy.world import judged as decided
from ringwall.model.analysis import HOLE, Analysis
from ringwall.model.effects import Effect
from ringwall.model.verdict import Verdict
from ringwall.policy.paths import paths_of


def paths(made: Effect, cwd: str = "/p/sub") -> tuple[str, ...]:
    return paths_of(made, shell((command("frob", cwd=cwd), [])))


def test_paths_are_seen_from_the_commands_directory() -> None:
    assert paths(effect("write", "a/../b")) == ("/p/sub/b",)
    assert paths(effect("write", "/x//y/")) == ("/x/y",)
    assert paths(effect("write", "a"), cwd="") == (f"{HOLE}/a",)
    assert paths(effect("write", f"{HOLE}/../a")) == (HOLE,)
    assert paths(effect("git.push", "origin")) == ()
    assert paths(effect("write", "")) == ()


def test_without_a_command_the_calls_directory_counts() -> None:
    made = Effect("write", "a")
    assert paths_of(made, Analysis(shell(("x", [])).action, (made,))) == ("/p/a",)


def test_a_link_is_both_its_name_and_what_it_points_to() -> None:
    link = Effect("observe", "notes", command=0, place="/p/.env")
    assert paths_of(link, shell(("cat notes", [link]))) == ("/p/notes", "/p/.env")
    analysis = Analysis(shell(("cat notes", [])).action, (link,))
    assert decided(analysis, policy(user=user(deny=["Read(.env)"]))).verdict is Verdict.DENY
    assert decided(analysis, policy(user=user(deny=["Read(notes)"]))).verdict is Verdict.DENY


def test_an_allow_needs_both() -> None:
    link = Effect("write", "src/out", command=0, place="/p/elsewhere")
    analysis = Analysis(shell(("cp a src/out", [])).action, (link,))
    strict = policy(preset="strict", user=user(allow=["Edit(src/**)"]))
    assert decided(analysis, strict).verdict is Verdict.ASK
