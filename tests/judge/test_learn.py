"""What is learned from calls of the past."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringwall.judge import learn
from ringwall.judge.offer import Offer

from .past_world import bench, call, learned, policy


def test_equal_questions_are_one_lesson_with_examples(tmp_path: Path, project: Path) -> None:
    names = ("a", "b", "a", "c", "d")
    calls = [call(f"npm install {name}", project) for name in names]
    lessons = learned(bench(tmp_path, "strict"), *calls, asked=True)
    lesson = lessons.offers[Offer(("Bash(npm install:*)",), ("Effect(install.global)",))]
    assert (lessons.calls, lessons.asks, lesson.count, lesson.asked, lesson.more) == (5, 5, 5, 5, 1)
    assert lesson.examples == {"npm install a": 2, "npm install b": 1, "npm install c": 1}


def test_what_the_present_policy_lets_pass_is_spared_already(tmp_path: Path, project: Path) -> None:
    judging = bench(tmp_path, "guarded")
    lessons = learned(judging, call("ls", project), call("git push", project), asked=True)
    assert (lessons.asked, lessons.spared, lessons.asks) == (2, 1, 1)
    [(refusal, lesson)] = lessons.refusals.values()
    assert (refusal.code, lesson.count) == ("limits.git_push", 1)


def test_a_rule_that_would_not_be_enough_is_not_offered(tmp_path: Path, project: Path) -> None:
    judged = bench(tmp_path, "strict").judge(call("mkdir a", project))
    refusing = learn.Lessons()
    past = learn.Past(call("mkdir a", project), "t:1")
    refusing.add(past, "mkdir a", judged.decision, judged.situation, lambda _: False)
    assert [found.code for found, _ in refusing.refusals.values()] == ["learn.not_enough"]


def test_rules_that_decide_nothing(tmp_path: Path, project: Path) -> None:
    folder = policy(
        tmp_path / "policy",
        allow=["Bash(npm test:*)", "Bash(never this:*)", "Bash(git reset:*)"],
        ask=["Bash(git reset --hard)"],
    )
    (folder / "ringwall.toml").write_text(
        '[autonomy]\n"cloud.write" = "deny"\ninstall = "require_approval"\n[limits]\nadd = ["data.destroy"]\n'
    )
    judging = bench(tmp_path, folder=folder)
    calls = (call("npm test", project), call("git reset --hard", project), call("npm install x", project))
    idle = learned(judging, *calls).idle()
    rules = [one for one in idle if one.ref.file.endswith(".json")]
    assert [(one.ref.text, one.ref.line, one.shadowed_by and one.shadowed_by.text) for one in rules] == [
        ("Bash(never this:*)", 5, None),
        ("Bash(git reset:*)", 6, "Bash(git reset --hard)"),
    ]
    assert [one.ref.line for one in idle if one.ref.file.endswith(".toml")] == [2, 5]


def test_kinds_are_bounded(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "MOST_ROWS", 2)
    calls = [call(f"frobnicate {number}", project) for number in range(5)]
    lessons = learned(bench(tmp_path, "strict"), *calls, *calls[:1])
    assert (len(lessons.offers), lessons.unlisted) == (2, 3)
