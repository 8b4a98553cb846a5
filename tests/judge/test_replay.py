"""What a changed policy would have decided differently."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringwall.judge import replay
from ringwall.judge.past import Past
from ringwall.judge.replay import Replay, Turn
from ringwall.model.errors import PolicyError
from ringwall.model.verdict import Verdict

from .past_world import bench, call, policy


def test_rows_are_grouped_and_what_is_looser_comes_first(tmp_path: Path, project: Path) -> None:
    folder = policy(tmp_path / "policy", allow=["Bash(git reset:*)"], deny=["Bash(npm test:*)"])
    changed, found = bench(tmp_path, folder=folder), Replay()
    for command in ("npm test", "git reset --hard", "ls", "git reset --hard"):
        one, present = call(command, project), bench(tmp_path)
        now = present.judge(one).decision.verdict
        found.add(Past(one, "t:1"), command, now, changed.judge(one).decision, now)
    first, second = found.changes()
    assert (first.before, first.after, first.shown, first.count) == (
        Verdict.ASK, Verdict.ALLOW, "git reset --hard", 2,
    )  # fmt: skip
    assert first.rule is not None and first.rule.text == "Bash(git reset:*)"
    assert (second.before, second.after, second.turn) == (Verdict.ALLOW, Verdict.DENY, Turn.STRICTER)
    assert (found.calls, found.counts[Turn.SAME], found.loosened) == (4, 1, 2)


def test_what_changed_by_itself_is_not_the_policys_doing(tmp_path: Path, project: Path) -> None:
    one, found = call("ls", project), Replay()
    after = bench(tmp_path).judge(one).decision
    found.add(Past(one, "t:1", Verdict.ASK), "ls", Verdict.ASK, after, after.verdict)
    [row] = found.changes()
    assert (row.turn, row.elsewhere, found.loosened) == (Turn.LOOSER, True, 0)


def test_rows_are_bounded(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MOST_ROWS", 2)
    judging, found = bench(tmp_path), Replay()
    for number in range(5):
        one = call(f"echo {number}", project)
        found.add(Past(one, "t:1"), str(number), Verdict.DENY, judging.judge(one).decision, Verdict.DENY)
    assert (len(found.changes()), found.unlisted, found.counts[Turn.LOOSER]) == (2, 3, 5)


def test_a_faulty_policy_is_an_error_before_any_call(tmp_path: Path, home: Path) -> None:
    folder = policy(tmp_path / "policy", allow=["Bash(a && b)"])
    with pytest.raises(PolicyError):
        bench(tmp_path, folder=folder)
