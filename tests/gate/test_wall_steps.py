"""Which calls are a step and which only look like it."""

from __future__ import annotations

import pytest

from plan.world import WRITE, allowed, analysed, bash, matched, sealed, situation, under
from ringwall.model.action import Action, Kind
from ringwall.model.analysis import Analysis
from ringwall.model.effects import Effect
from shell.world import ROOT, World

DELETE = {"op": "Delete", "object": "src/old.py"}
MOVE = {"op": "Move", "object": "src/a.py", "to": "lib/a.py"}
TESTS = {"op": "Bash", "object": "pytest -q src"}
DISK = World(files={f"{ROOT}/lib/x.py": "", f"{ROOT}/src/a.py": "", f"{ROOT}/src/old.py": ""})


def is_step(step: dict[str, str], command: str, cwd: str = ROOT) -> bool:
    view = under(sealed(step, WRITE, world=DISK))
    return matched(bash(command, cwd, DISK), situation(view)) is not None


@pytest.mark.parametrize(
    "command",
    ["rm src/old.py", "rm -f ./src/old.py", "cd src && rm old.py", "unlink src/old.py", "git rm src/old.py"],
)
def test_deleting_is_known_by_what_rm_does(command: str) -> None:
    assert is_step(DELETE, command)


@pytest.mark.parametrize(
    "command",
    [
        "rm src/old.py src/b.py", "rm src/old.py; touch x", "rm src/old.py > log", "rm src/*.py", "rm src/$X",
        "sudo rm src/old.py", "env rm src/old.py", "./rm src/old.py", "/tmp/rm src/old.py",
        "PATH=.:$PATH rm src/old.py", "LD_PRELOAD=./x.so rm src/old.py", "export PATH=/tmp; rm src/old.py",
        "python -c \"import os; os.remove('src/old.py')\"", "find src -name old.py -delete",
        "rm() { touch x; }; rm src/old.py", "alias rm=x; rm src/old.py", "rm src/old.py &",
        "false || rm src/old.py", "git rm --cached src/old.py", "git -c core.fsmonitor=x rm src/old.py",
        "xargs rm < list", "rm src/older.py",
    ],
)  # fmt: skip
def test_what_deletes_more_or_otherwise_is_not_the_step(command: str) -> None:
    assert not is_step(DELETE, command)


@pytest.mark.parametrize(
    "command",
    [
        "mv src/a.py lib/a.py", "mv src/a.py lib/", "mv -t lib src/a.py", "git mv src/a.py lib/a.py",
        "cd src && mv a.py ../lib/a.py",
    ],
)  # fmt: skip
def test_moving_is_known_by_what_mv_does(command: str) -> None:
    assert is_step(MOVE, command)


@pytest.mark.parametrize(
    "command",
    [
        "mv src/a.py lib/b.py", "cp src/a.py lib/a.py", "mv src/a.py src/old.py lib/", "mv lib/a.py src/a.py",
        "mv src/a.py lib/a.py && touch x", "cp src/a.py lib/a.py && rm src/a.py",
    ],
)  # fmt: skip
def test_another_way_is_not_the_move(command: str) -> None:
    assert not is_step(MOVE, command)


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q src", "pytest  -q\tsrc\n", "pytest '-q' \"src\"", "pytest -q \\\n src", "(pytest -q src)",
        "pytest -q src # all", "cd . && pytest -q src", "cd src && cd .. && pytest -q src",
    ],
)  # fmt: skip
def test_one_command_however_it_is_written(command: str) -> None:
    assert is_step(TESTS, command)


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q", "pytest src -q", "pytest -q src src", "PYTHONPATH=x pytest -q src",
        "pytest -q src > out",
        "pytest -q src 2>&1", "pytest -q src | tee x", "pytest -q src; touch x", "pytest -q src && true",
        "pytest -q src &", "timeout 60 pytest -q src", "bash -c 'pytest -q src'", "! pytest -q src",
        "`pytest -q src`", "cd src || pytest -q src", "cd; pytest -q src", "cd src; pytest -q src",
        "eval pytest -q src", "pytest -q src $(touch x)", "pytest -q 's'rc/", "./pytest -q src",
    ],
)  # fmt: skip
def test_whatever_runs_something_else_is_another_command(command: str) -> None:
    assert not is_step(TESTS, command)


@pytest.mark.parametrize(
    ("step", "same", "other"),
    [
        ("sed -i 's/a$/b/' f", "sed -i 's/a$/b/'  f", "sed -i s/a$/b/ f"),
        ("grep '*.py' f > out", 'grep "*.py" f > out', "grep *.py f > out"),
        ("make a && make b", "make a && make b", "make a ; make b"),
        ("make a | tee log", "make a | tee log", "make a && tee log"),
        ('echo "$HOME" > f', 'echo "$HOME" > f', "echo '$HOME' > f"),
        ("cat > f <<'E'\nx\nE", "cat > f <<'E'\nx\nE", "cat > f <<'E'\ny\nE"),
        ("cd a && make", "(cd a && make)", "cd b && make"),
        ("A=1 make", "A=1 make", "A=2 make"),
        ("make ''", 'make ""', "make"),
    ],
)
def test_quotes_joints_and_data_count_where_they_make_a_difference(step: str, same: str, other: str) -> None:
    assert is_step({"op": "Bash", "object": step}, same)
    assert not is_step({"op": "Bash", "object": step}, other)


def test_a_link_that_is_laid_later_makes_no_other_file_the_steps() -> None:
    class Linked(World):
        def resolve(self, path: str) -> str | None:
            return path.replace(f"{ROOT}/src/", "/etc/") if path.startswith(f"{ROOT}/src/") else path

    view = under(sealed(WRITE))
    values = {"file_path": "src/a.py", "content": "x"}
    assert matched(analysed("Write", values), situation(view)) is not None
    assert matched(analysed("Write", values, world=Linked()), situation(view)) is None


@pytest.mark.parametrize(
    ("tool", "op", "is_it"),
    [
        ("write_file", "Write", True), ("write", "Write", True), ("create", "Write", True),
        ("replace", "Edit", True), ("edit", "Edit", True), ("multiedit", "MultiEdit", True),
        ("replace", "Write", False), ("write_file", "Edit", False), ("edit", "MultiEdit", False),
    ],
)  # fmt: skip
def test_an_op_is_known_in_the_words_of_other_hosts(tool: str, op: str, is_it: bool) -> None:
    call = analysed(tool, {"file_path": "src/a.py"})
    view = under(sealed({"op": op, "object": "src/a.py"}))
    assert (matched(call, situation(view)) is not None) is is_it


def test_a_skill_of_another_host_is_the_declared_one() -> None:
    view = under(sealed(WRITE, skills=["release"]))
    assert allowed(analysed("activate_skill", {"name": "release"}), view)
    assert not allowed(analysed("activate_skill", {"name": "other"}), view)
    assert not allowed(analysed("activate_skill", {}), view)


@pytest.mark.parametrize("tool", ["Task", "Agent", "task", "spawn_agent", "invoke_agent"])
def test_subagents_may_be_sent_and_stand_under_the_same_plan(tool: str) -> None:
    assert allowed(analysed(tool, {"prompt": "look", "message": "look"}), under(sealed(WRITE)))
    assert not allowed(analysed(tool, {"prompt": "look", "message": "look"}))


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        ("Workflow", {"name": "x"}),
        ("CronCreate", {"prompt": "x"}),
        ("Bash", {"command": "claude -p hi"}),
        ("Agent", {"prompt": "x", "isolation": "worktree"}),  # in a worktree that is under no plan
        ("Task", {"prompt": "x", "isolation": "remote"}),
    ],
)
def test_agents_that_run_elsewhere_or_later_may_not(tool: str, values: dict[str, str]) -> None:
    assert not allowed(analysed(tool, values), under(sealed(WRITE)))


@pytest.mark.parametrize(
    ("effects", "step", "is_it"),
    [
        ([("write", "src/a.py")], WRITE, True),
        ([("write", "src/a.py")], {"op": "Edit", "object": "src/a.py"}, True),
        ([("write", "src/a.py"), ("write", "src/b.py")], WRITE, False),
        ([("delete", "src/old.py")], DELETE, True),
        ([("delete", "src/a.py"), ("write", "lib/a.py")], MOVE, True),
        ([("delete", "src/old.py")], WRITE, False),
    ],
)
def test_a_patch_is_the_op_that_its_effects_are(
    effects: list[tuple[str, str]], step: dict[str, str], is_it: bool
) -> None:
    action = Action(Kind.FILE, "apply_patch", {"patch": "…"}, ROOT)
    call = Analysis(action, tuple(Effect(name, target) for name, target in effects))
    assert (matched(call, situation(under(sealed(step)))) is not None) is is_it
