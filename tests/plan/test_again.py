"""Sealing an edited plan again: what is done stays done where it is unchanged."""

from __future__ import annotations

from typing import Any

from plan.world import SESSION, TESTS, WRITE, sealed
from ringwall.plan.again import difference, still_done
from ringwall.plan.model import SealedPlan

EDIT = {"op": "Edit", "object": "src/b.py"}


def after(old: SealedPlan, at: int, *steps: Any) -> int:
    return still_done(old, at, sealed(*steps))


def test_done_steps_stay_done_in_front_of_an_edit() -> None:
    old = sealed(WRITE, TESTS, EDIT)
    assert after(old, 2, WRITE, TESTS, {"op": "Edit", "object": "src/c.py"}, EDIT) == 2


def test_a_done_step_that_was_changed_is_to_do_again_with_all_behind_it() -> None:
    old = sealed(WRITE, TESTS, EDIT)
    assert after(old, 2, {"op": "Write", "object": "src/z.py"}, TESTS, EDIT) == 0
    assert after(old, 2, WRITE, EDIT) == 1
    assert after(old, 2, WRITE) == 1


def test_only_what_is_done_is_carried() -> None:
    old = sealed(WRITE, TESTS, EDIT)
    assert after(old, 1, WRITE, TESTS, EDIT) == 1


def test_notes_and_titles_make_no_other_step() -> None:
    old = sealed(WRITE, TESTS)
    new = {"title": "Now in a group", "steps": [{**WRITE, "note": "why", "role": "lead"}]}
    assert after(old, 1, new, TESTS) == 1


def test_what_a_step_must_leave_behind_makes_another_step() -> None:
    assert after(sealed(WRITE, TESTS), 1, {**WRITE, "creates": ["src/a.py"]}, TESTS) == 0


def test_a_session_with_other_tools_is_another_step() -> None:
    assert after(sealed(SESSION, WRITE), 1, SESSION, WRITE) == 1
    assert after(sealed(SESSION, WRITE), 1, {**SESSION, "tools": []}, WRITE) == 0


def test_the_difference_names_what_came_and_went() -> None:
    old, new = sealed(WRITE, TESTS), sealed(WRITE, EDIT, SESSION, skills=["tdd"])
    shown = [f"{mark} {text}" for mark, text in difference(old.plan, new.plan)]
    assert shown == [
        "  Write src/a.py",
        "- Bash pytest -q src",
        "+ Edit src/b.py",
        "+ session ‘Walk through the sign-up’ with browser_click, browser_type, mcp__shop__add_to_cart,"
        " closed by Write reports/signup.md",
        "+ skill tdd",
    ]


def test_the_difference_of_a_step_that_only_changed_inside_shows_both() -> None:
    old, new = sealed(WRITE), sealed({**WRITE, "creates": ["src/a.py"], "note": "n"})
    shown = [(mark, str(text)) for mark, text in difference(old.plan, new.plan)]
    assert [mark for mark, _ in shown] == ["-", "+"]
    assert "creates src/a.py" in shown[1][1]
    assert "“n”" in shown[1][1]
