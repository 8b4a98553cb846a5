"""`ringwall plan`, as a person meets it and as an agent does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ringwall.judge.judge import Judge
from ringwall.store.paths import StateDir

from .conftest import Program
from .test_terminal import COLOUR, at_terminal

STEPS: list[Any] = [
    {"op": "Write", "object": "src/a.py", "note": "the\u200b index"},
    {"op": "session", "goal": "Walk", "tools": ["browser_click", "ssh"], "produces": "report.md"},
    {"op": "Bash", "object": "pytest -q src"},
]


def plan(project: Path, steps: list[Any], name: str = "plan.md") -> Path:
    path = project / name
    path.write_text(f"# Search\n\n```steps-json\n{json.dumps(steps)}\n```\n")
    return path


GOOD = [{**STEPS[0], "note": "the index"}, *STEPS[1:]]


def seal(project: Path, tmp_path: Path, *more: str, typed: str = "y\n") -> tuple[int, str]:
    status, shown = at_terminal(project, tmp_path, "plan", "seal", "plan.md", *more, typed=typed)
    return status, " ".join(COLOUR.sub("", shown).split())


def test_lint_names_file_line_and_repair(project: Path, ringwall: Program) -> None:
    plan(project, [{"op": "Frob", "object": "a"}, {"op": "Skill", "object": "tdd"}])
    done = ringwall("plan", "lint", "plan.md")
    assert done.returncode == 1
    assert "plan.md:4:" in done.stdout
    assert "Skill cannot be a step" in done.stdout
    assert "skills-json" in done.stdout
    codes = [
        one["code"] for one in json.loads(ringwall("plan", "lint", "plan.md", "--json").stdout)["problems"]
    ]
    assert codes == ["plan.unknown_op", "plan.skill_step"]


def test_lint_of_a_plan_that_can_be_sealed_shows_its_warnings(project: Path, ringwall: Program) -> None:
    plan(project, GOOD)
    done = ringwall("plan", "lint", "plan.md")
    assert done.returncode == 0
    assert "plan.tool_dropped" in done.stdout
    row = json.loads(ringwall("plan", "lint", "plan.md", "--json").stdout)
    assert (row["steps"], row["problems"]) == (3, [])
    assert [one["step"] for one in row["warnings"]] == [2]


def test_looking_makes_no_state(project: Path, ringwall: Program, tmp_path: Path) -> None:
    plan(project, GOOD)
    assert ringwall("plan", "review", "plan.md").returncode == 0
    assert "No plan" in ringwall("plan", "status").stdout
    assert ringwall("plan", "show").returncode == 2
    assert "plan.no_such" in ringwall("plan", "report", "7").stderr
    assert not (tmp_path / "state").exists()


def test_hidden_characters_are_refused_with_their_name(project: Path, ringwall: Program) -> None:
    plan(project, STEPS)
    assert "U+200B" in ringwall("plan", "lint", "plan.md").stdout


def test_review_shows_all_and_asks_the_reviewers(project: Path, ringwall: Program, tmp_path: Path) -> None:
    plan(project, GOOD)
    reviewer = tmp_path / "mentor.py"
    reviewer.write_text(
        "import json, sys\ngiven = json.load(sys.stdin)\n"
        "print('reject: ' + given['steps'][1]['source']['goal'] + ' has no end')\n"
    )
    settings = tmp_path / "home" / ".config" / "ringwall" / "ringwall.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[wall]\nmentor = {json.dumps([sys.executable, str(reviewer)])}\n")
    done = ringwall("plan", "review", "plan.md")
    assert done.returncode == 0, done.stderr
    for words in ("src/a.py", "the index", "Walk", "browser_click", "report.md", "pytest -q src", "sha256:"):
        assert words in done.stdout
    assert "mentor  reject" in done.stdout
    assert "Walk has no end" in done.stdout
    row = json.loads(ringwall("plan", "review", "plan.md", "--json").stdout)
    assert row["advice"] == [{"role": "mentor", "verdict": "reject", "words": "Walk has no end"}]
    assert row["review"]["steps"][1]["source"] == GOOD[1]
    status, shown = seal(project, tmp_path)
    assert status == 0, shown
    assert "Walk has no end" in shown


def test_a_person_seals_follows_and_abandons(project: Path, ringwall: Program, tmp_path: Path) -> None:
    plan(project, GOOD)
    status, shown = seal(project, tmp_path)
    assert status == 0, shown
    assert "Seal exactly this?" in shown
    assert "Next is step 1" in shown
    row = json.loads(ringwall("plan", "status", "--json").stdout)
    assert (row["number"], row["done"], row["steps"], row["fault"]) == (1, 0, 3, None)
    assert row["next"] == {"number": 1, "step": "Write src/a.py"}
    assert "next is step 1: Write src/a.py" in ringwall("plan", "status").stdout
    assert "browser_click" in ringwall("plan", "show").stdout
    assert json.loads(ringwall("plan", "show", "1", "--json").stdout)["sealed"]["v"] == 1
    report = ringwall("plan", "report")
    assert report.stdout.startswith("# Plan 1 (")
    assert "| … | 1. `Write src/a.py`" in report.stdout
    status, shown = at_terminal(project, tmp_path, "plan", "abandon", "--because", "changed my mind")
    assert status == 0, shown
    assert ringwall("plan", "status").returncode == 1
    assert "changed my mind" in ringwall("plan", "report").stdout


@pytest.mark.parametrize("typed", ["\n", "n\n"])
def test_a_bare_enter_seals_nothing(project: Path, ringwall: Program, tmp_path: Path, typed: str) -> None:
    plan(project, GOOD)
    status, shown = seal(project, tmp_path, typed=typed)
    assert (status, "Nothing was sealed." in shown) == (1, True)
    assert ringwall("plan", "status").returncode == 1


def test_a_plan_with_problems_is_not_sealed(project: Path, ringwall: Program, tmp_path: Path) -> None:
    plan(project, [{"op": "Frob"}])
    status, shown = seal(project, tmp_path)
    assert (status, "plan.unknown_op" in shown) == (1, True)
    assert ringwall("plan", "status").returncode == 1


def test_sealing_an_edited_plan_shows_what_differs(project: Path, ringwall: Program, tmp_path: Path) -> None:
    plan(project, GOOD)
    assert seal(project, tmp_path)[0] == 0
    plan(project, [GOOD[0], {"op": "Bash", "object": "make"}])
    assert "does not hold" in " ".join(ringwall("plan", "status").stdout.split())
    status, shown = seal(project, tmp_path)
    assert status == 0, shown
    assert "- Bash pytest -q src" in shown and "+ Bash make" in shown
    assert "It replaces plan 1" in shown
    assert json.loads(ringwall("plan", "status", "--json").stdout)["number"] == 2


def test_an_agent_decides_nothing(project: Path, ringwall: Program, tmp_path: Path) -> None:
    plan(project, GOOD)
    for words in (("seal", "plan.md"), ("abandon", "--because", "x"), ("review", "plan.md")):
        done = ringwall("plan", *words, CLAUDECODE="1")
        assert done.returncode == 2, words
        assert "setup.in_a_session" in done.stderr
    assert ringwall("plan", "seal", "plan.md").returncode == 2
    assert ringwall("plan", "lint", "plan.md", CLAUDECODE="1").returncode == 0


def test_resolving_needs_something_to_resolve(project: Path, ringwall: Program, tmp_path: Path) -> None:
    plan(project, GOOD)
    assert seal(project, tmp_path)[0] == 0
    for words, code in ((("--done",), "plan.nothing_held"), ((), "plan.undecided")):
        status, shown = at_terminal(project, tmp_path, "plan", "resolve", *words)
        assert (status, f"[{code}]" in shown) == (2, True), shown


def test_a_hosts_plan_becomes_a_draft(project: Path, ringwall: Program, tmp_path: Path) -> None:
    given = json.dumps({"plan": "# Faster\n\n1. Create `src/a.py`\n2. Run `pytest -q`\n"})
    done = ringwall("plan", "import", "-", stdin=given)
    assert done.returncode == 0
    assert '{"op": "Write", "object": "src/a.py"' in done.stdout
    assert ringwall("plan", "import", "-", "--to", "draft.md", stdin=given).returncode == 0
    assert ringwall("plan", "lint", "draft.md").returncode == 0
    again = ringwall("plan", "import", "-", "--to", "draft.md", stdin=given)
    assert again.returncode == 2 and "plan.not_written" in again.stderr
    assert ringwall("plan", "import", "-", stdin="{}").returncode == 2
    assert "plan.none_proposed" in ringwall("plan", "import").stderr


def test_the_last_plan_that_an_agent_proposed_is_found(
    project: Path, ringwall: Program, tmp_path: Path
) -> None:
    sent = {
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(project), "tool_name": "ExitPlanMode",
        "tool_input": {"plan": "1. Run `make all`"}, "tool_use_id": "c1", "permission_mode": "plan",
    }  # fmt: skip
    judge = Judge(StateDir(str(tmp_path / "state")))
    judge.hook("claude", json.dumps(sent).encode(), {"HOME": str(tmp_path / "home")})
    judge.close()
    done = ringwall("plan", "import")
    assert '{"op": "Bash", "object": "make all"' in done.stdout, done.stderr
