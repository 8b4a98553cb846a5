"""Mentor and judge are commands: they read the review on stdin, and their words are kept."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from plan.world import SESSION, WRITE, planned
from ringwall.judge.wall.reviewers import ask, asked
from ringwall.plan.advice import Word
from ringwall.plan.review import review_json
from ringwall.policy.wall import Wall

REVIEW = review_json(planned(WRITE, SESSION), "sha256:0")


def script(tmp_path: Path, text: str) -> tuple[str, ...]:
    path = tmp_path / "reviewer.py"
    path.write_text(text)
    return (sys.executable, str(path))


def test_a_reviewer_reads_the_whole_plan_and_is_heard(tmp_path: Path) -> None:
    argv = script(
        tmp_path,
        "import json, sys\n"
        "given = json.load(sys.stdin)\n"
        "tools = given['steps'][1]['effective_tools']\n"
        "print(json.dumps({'verdict': 'reject', 'reason': given['role'] + ' ' + ' '.join(tools)}))\n",
    )
    advice = ask("mentor", argv, REVIEW, str(tmp_path))
    assert (advice.word, advice.role) == (Word.REJECT, "mentor")
    assert advice.words == "mentor browser_click browser_type mcp__shop__add_to_cart"


def test_both_are_asked_and_one_that_is_not_there_is_left_out(tmp_path: Path) -> None:
    argv = script(tmp_path, "print('approve')")
    assert [one.role for one in asked(Wall(mentor=argv, judge=argv), REVIEW, str(tmp_path))] == [
        "mentor",
        "judge",
    ]
    assert [one.role for one in asked(Wall(judge=argv), REVIEW, str(tmp_path))] == ["judge"]
    assert [*asked(Wall(), REVIEW, str(tmp_path))] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys; sys.exit(3)", "status 3"),
        ("import sys; print('x' * 100); sys.exit(1)", "x" * 100),
        ("while True: pass", "did not answer"),
        ("print('y' * 10_000_000)", "too long"),
    ],
)
def test_a_reviewer_that_fails_gives_no_verdict_and_says_why(tmp_path: Path, text: str, said: str) -> None:
    advice = ask("judge", script(tmp_path, text), REVIEW, str(tmp_path), seconds=1.0)
    assert advice.word is Word.NONE
    assert said in advice.words


def test_a_command_that_is_not_there_is_said(tmp_path: Path) -> None:
    advice = ask("judge", ("no-such-reviewer",), REVIEW, str(tmp_path))
    assert advice.word is Word.NONE
    assert "no-such-reviewer" in advice.words


def test_what_it_leaves_running_ends_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "late"
    child = f"import time; time.sleep(1); open({str(mark)!r}, 'w')"
    argv = script(
        tmp_path,
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "time.sleep(30)\n",
    )
    assert ask("judge", argv, REVIEW, str(tmp_path), seconds=0.4).word is Word.NONE
    time.sleep(1.2)
    assert not mark.exists()
