"""How far all commands that begin alike may go, by the knowledge tables.

Invariant: nothing that a row lists is left out. Where no row bounds what follows, that is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ringwall.model.analysis import HOLE
from ringwall.model.effects import EFFECTS, covers
from ringwall.shell.rows import Line, Row
from ringwall.shell.tables import tables
from ringwall.shell.understand import base_name, understand

_ANY_CODE = frozenset({"argv", "shell", "code", "file", "stdin"})
_PLACED = {
    "list": ("read",),
    "read": ("read",),
    "write": ("write", "delete.lost"),
    "delete": ("delete",),
}


@dataclass(frozen=True, slots=True)
class Reach:
    """`words` name what runs: the program, its subcommand, the task. `anything`: what follows them may be
    any program or code; `bounded`: `effects` are all that such commands may have by themselves."""

    words: tuple[str, ...]
    anything: bool = False
    bounded: bool = True
    effects: frozenset[str] = frozenset()


def reach(argv: tuple[str, ...]) -> Reach:
    """What commands that begin like this one may do."""
    name = argv[0]
    program = tables().program(base_name(name))
    if program is None:
        return Reach((name,), bounded=False)
    invocation = understand(argv).invocation
    row, words = program.row, (name, *invocation.path)
    if program.has_subs or row.verbs:
        sub = program.sub(" ".join(invocation.path)) if invocation.path else None
        if sub is None:
            return Reach(words, anything=not invocation.path, bounded=False)
        row = sub
    task = _task(row)
    if task is not None and task in row.operands[0][1].names:
        if not invocation.operands or HOLE in invocation.operands[0]:
            return Reach(words, bounded=False)
        words += invocation.operands[:1]
    anything = any(run.kind in _ANY_CODE and not run.is_option for run in row.runs)
    lines = (*row.effects, *program.row.always)
    return Reach(words, anything, bounded=not row.verbs, effects=frozenset(_names(lines)))


def _task(row: Row) -> str | None:
    """The operand that names the task which the row runs."""
    return next((run.target for run in row.runs if run.kind == "task" and run.target), None)


def _names(lines: Iterable[Line]) -> Iterable[str]:
    for line in lines:
        yield line.name
        for family in _PLACED.get(line.access, ()):
            yield from (name for name in EFFECTS if covers(family, name))
