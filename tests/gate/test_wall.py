import pytest

from policy.world import effect, judged, policy, shell
from ringwall.model.effects import Effect
from ringwall.model.verdict import Verdict

WALLED = policy(preset="walled")


@pytest.mark.parametrize(
    "made",
    [
        effect("observe", "/p/a"),
        effect("network.read", "https://example.com"),
        effect("browse.look"),
        effect("cloud.read"),
        effect("write", "/p/plans/next.md"),
        effect("write", "/p/docs/specs/a/b.md"),
    ],
)
def test_looking_and_planning_pass(made: Effect) -> None:
    assert judged(shell(("frob", [made])), WALLED).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    "made",
    [
        effect("write", "/p/src/a.py"),
        effect("write", "/p/plans"),
        effect("write", "/p/plansx/a"),
        effect("write", ""),
        effect("write", "/p/src/a.py", certain=False),
        effect("delete", "/p/plans/old.md"),
        effect("git.local"),
        effect("code.run"),
        effect("tool.unknown"),
        effect("browse.act"),
    ],
)
def test_all_else_is_denied_and_told_why(made: Effect) -> None:
    decision = judged(shell(("frob", [made])), WALLED)
    assert (decision.verdict, decision.deciding.code) == (Verdict.DENY, "wall.conversation")
    assert decision.deciding.advice is not None


def test_no_other_preset_has_the_wall() -> None:
    assert "wall" in judged(shell(("mkdir x", ["write"]))).silent
