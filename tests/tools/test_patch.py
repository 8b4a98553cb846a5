"""A patch's headers are what it does; its lines are data."""

from __future__ import annotations

import pytest

from ringwall.model.action import ToolCall
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of

from .conftest import ROOT, PaperMachine


def analysis_of(
    patch: object, machine: PaperMachine, field: str = "command"
) -> tuple[set[tuple[str, str]], int]:
    call = ToolCall("codex", "apply_patch", {field: patch}, cwd=ROOT)
    found = effects_of(to_action(call), machine)
    return {(effect.name, effect.target.removeprefix(f"{ROOT}/")) for effect in found.effects}, len(
        found.doubts
    )


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


def test_every_header_is_an_effect(machine: PaperMachine) -> None:
    effects, doubts = analysis_of(
        patch(
            "*** Add File: a.txt",
            "+a",
            "*** Update File: src/b.py",
            "@@",
            "-x",
            "+y",
            "*** Delete File: c.txt",
        ),
        machine,
    )
    assert {("write", "a.txt"), ("write", "src/b.py"), ("delete", "c.txt")} <= effects
    assert doubts == 0


def test_a_move_writes_there_and_deletes_here(machine: PaperMachine) -> None:
    effects, _ = analysis_of(
        patch("*** Update File: a.txt", "*** Move to: /home/dev/.bashrc", "@@", "+x"), machine
    )
    assert ("delete", "a.txt") in effects
    assert ("write.hook", "/home/dev/.bashrc") in effects


def test_lines_of_the_files_are_data(machine: PaperMachine) -> None:
    effects, _ = analysis_of(patch("*** Add File: a.txt", "+*** Delete File: b.txt", "+rm -rf /"), machine)
    assert {name for name, _ in effects} == {"write"}


@pytest.mark.parametrize(
    "text", ["", "rm -rf /", "*** Add File: a.txt", "*** Begin Patch\n*** End Patch", None, 7]
)
def test_what_is_no_patch_is_doubted(machine: PaperMachine, text: object) -> None:
    _, doubts = analysis_of(text, machine)
    assert doubts == 1


def test_a_header_without_a_file_is_doubted(machine: PaperMachine) -> None:
    _, doubts = analysis_of(patch("*** Add File: ", "+x"), machine)
    assert doubts == 1


@pytest.mark.parametrize("command", ["bash", "sh", "python3", "node", "cat | bash", "echo x; bash", "psql"])
def test_a_program_that_could_be_typed_into_is_doubted(machine: PaperMachine, command: str) -> None:
    call = ToolCall("codex", "exec_command", {"command": command}, cwd=ROOT)
    assert [doubt.code for doubt in effects_of(to_action(call), machine).doubts] == ["typed_later"]


@pytest.mark.parametrize(
    "command", ["cat", "grep -r x .", "echo ls | bash", "bash -c 'ls'", "git status", "wc -l"]
)
def test_a_program_that_takes_no_commands_from_there_is_not(machine: PaperMachine, command: str) -> None:
    call = ToolCall("codex", "exec_command", {"command": command}, cwd=ROOT)
    assert effects_of(to_action(call), machine).doubts == ()
