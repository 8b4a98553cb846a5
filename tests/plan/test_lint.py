"""What a person should know of a plan before it is sealed: what cannot be done, and what will be stopped."""

from __future__ import annotations

from typing import Any

import pytest

from plan.world import SESSION, TESTS, WRITE, markdown, policy, sealed
from ringwall.judge.wall.examine import Examination, examine
from ringwall.policy.model import Policy
from shell.world import ROOT, World

EXISTING = World(
    files={f"{ROOT}/{name}": "x" for name in ("src/old.py", "src/a.py", "README.md", "lib/x.py")}
)


def examined(*steps: Any, rules: Policy | None = None, world: World = EXISTING) -> Examination:
    return examine(markdown(steps), world, rules or policy())


def found(*steps: Any, **more: Any) -> list[tuple[str, int]]:
    result = examined(*steps, **more)
    return [(problem.code, problem.line and 1) for problem in result.problems] + [
        (caution.code, caution.step) for caution in result.cautions
    ]


def test_a_plan_without_fault_says_nothing_and_can_be_sealed() -> None:
    result = examined(WRITE, TESTS, {"op": "Delete", "object": "src/old.py"}, SESSION)
    assert (result.problems, result.plan is not None and result.plan.cautions) == ((), ())
    assert result.plan is not None and len(result.aims) == len(result.plan.steps)


def test_a_file_with_faults_is_not_looked_at_further() -> None:
    result = examined({"op": "Frob"})
    assert (result.plan, result.aims) == (None, ())
    assert result.problems


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("npm install left-pad", "plan.on_the_floor"),
        ("rm -rf src", "plan.on_the_floor"),
        ("ssh host uptime", "plan.on_the_floor"),
        ("git push", "plan.will_ask"),
        ("sudo make install", "plan.will_ask"),
        ("ringwall off --for 1h", "plan.refused"),
        ("echo x >> .ringwall/ringwall.toml", "plan.refused"),
        ("git status", "plan.only_looks"),
        ("make 'unfinished", "plan.not_comparable"),
    ],
)
def test_what_will_be_stopped_or_asked_is_said_now(command: str, code: str) -> None:
    assert code in [name for name, _ in found({"op": "Bash", "object": command}, WRITE)], found(
        {"op": "Bash", "object": command}, WRITE
    )


def test_what_only_an_escape_lets_through_can_be_sealed_and_what_nothing_lets_through_cannot() -> None:
    assert not examined({"op": "Bash", "object": "npm install left-pad"}).problems
    assert examined({"op": "Bash", "object": "ringwall trust"}).problems


def test_a_persons_own_deny_refuses_the_step() -> None:
    rules = policy(permissions='{"permissions": {"deny": ["Edit(src/**)"]}}')
    assert ("plan.refused", 1) in found(WRITE, rules=rules)


@pytest.mark.parametrize("path", ["CLAUDE.md", ".git/hooks/pre-commit"])
def test_files_that_instruct_or_run_later_are_asked_about(path: str) -> None:
    codes = [code for code, _ in found({"op": "Write", "object": path})]
    assert "plan.will_ask" in codes or "plan.refused" in codes


def test_an_object_that_a_link_leads_outside_is_refused() -> None:
    class Linked(World):
        def resolve(self, path: str) -> str | None:
            return path.replace(f"{ROOT}/src/", "/etc/")

    assert ("plan.outside", 1) in found(WRITE, world=Linked())
    assert ("plan.outside", 1) in found({**SESSION, "produces": "src/a.md"}, world=Linked())


@pytest.mark.parametrize(
    "steps",
    [
        [{"op": "Delete", "object": "src/a.py"}, {"op": "Edit", "object": "src/a.py"}],
        [{"op": "Delete", "object": "src/a.py"}, {"op": "Delete", "object": "./src/a.py"}],
        [{"op": "Move", "object": "src/a.py", "to": "b.py"}, {"op": "MultiEdit", "object": "src/a.py"}],
        [
            {"op": "Move", "object": "src/a.py", "to": "b.py"},
            {"op": "Move", "object": "src/a.py", "to": "c.py"},
        ],
        [{"op": "Edit", "object": "src/absent.py"}],
        [{"op": "Delete", "object": "src/absent.py"}],
        [{"op": "Move", "object": "src/absent.py", "to": "b.py"}],
    ],
)
def test_a_step_that_cannot_be_reached(steps: list[Any]) -> None:
    assert "plan.unreachable" in [code for code, _ in found(*steps)]


@pytest.mark.parametrize(
    "steps",
    [
        [{"op": "Delete", "object": "src/a.py"}, WRITE, {"op": "Edit", "object": "src/a.py"}],
        [{"op": "Move", "object": "src/a.py", "to": "b.py"}, {"op": "Edit", "object": "b.py"}],
        [{"op": "Write", "object": "new.py"}, {"op": "Edit", "object": "new.py"}],
        [{"op": "Bash", "object": "make generate"}, {"op": "Edit", "object": "generated.py"}],
        [{"op": "Edit", "object": "src/a.py"}, TESTS, {"op": "Edit", "object": "src/a.py"}],
    ],
)
def test_a_step_whose_file_an_earlier_one_makes_is_reached(steps: list[Any]) -> None:
    assert "plan.unreachable" not in [code for code, _ in found(*steps)]


@pytest.mark.parametrize("op", ["Write", "Edit", "Delete"])
def test_a_folder_is_no_object(op: str) -> None:
    assert ("plan.no_file", 1) in found({"op": op, "object": "src"})
    assert not examined({"op": "Move", "object": "src", "to": "sources"}).problems


def test_the_same_step_twice_in_a_row_is_pointed_out() -> None:
    assert ("plan.duplicate", 2) in found(TESTS, TESTS)
    assert ("plan.duplicate", 2) in found(WRITE, {"op": "Write", "object": "./src/a.py"})
    assert "plan.duplicate" not in [code for code, _ in found(TESTS, WRITE, TESTS)]


def test_two_sessions_do_not_write_the_same_report_unseen() -> None:
    assert ("plan.duplicate", 2) in found(SESSION, SESSION)


def test_products_that_no_write_could_make_are_refused() -> None:
    folder = {**SESSION, "produces": "src"}
    assert ("plan.product", 1) in found(folder)
    assert ("plan.product", 1) in found({**SESSION, "produces": ["lib/x.py/notes.md", "r.md"]})
    rules = policy(permissions='{"permissions": {"deny": ["Write(reports/**)"]}}')
    assert ("plan.refused", 1) in found(SESSION, rules=rules)


def test_a_session_without_any_tool_left_is_pointed_out() -> None:
    codes = found({**SESSION, "tools": ["Write"]})
    assert ("plan.tool_dropped", 1) in codes
    assert ("plan.no_tools", 1) in codes


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"creates": ["src/a.py"], "deletes": ["src/a.py"]}, "plan.contradiction"),
        ({"requires": ["absent.md"]}, "plan.not_there"),
        ({"modifies": ["absent.md"]}, "plan.not_there"),
        ({"creates": ["README.md"]}, "plan.there_already"),
        ({"role": "boss"}, "plan.unknown_role"),
    ],
)
def test_what_a_step_expects_is_held_against_the_disk(more: dict[str, Any], code: str) -> None:
    assert code in [name for name, _ in found({**TESTS, **more})]


def test_of_steps_that_are_done_nothing_is_asked_any_more() -> None:
    gone = World(files={f"{ROOT}/src/a.py": "x"})
    delete = {"op": "Delete", "object": "src/old.py"}
    edit = {"op": "Edit", "object": "src/a.py"}
    assert examine(markdown([delete, edit]), gone, policy()).problems
    before = sealed(delete, edit, TESTS, world=EXISTING)
    again = examine(markdown([delete, edit]), gone, policy(), (before, 1))
    assert (again.problems, again.done) == ((), 1)
    assert examine(markdown([delete, edit]), gone, policy(), (before, 0)).problems


def test_every_word_names_its_line() -> None:
    result = examined(TESTS, TESTS, {**SESSION, "tools": ["Write"]}, {"op": "Bash", "object": "git push"})
    assert all(caution.line > 6 and caution.step for caution in result.cautions)
