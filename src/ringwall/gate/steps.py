"""Whether a call is the step under the pointer: by op and object, on parsed commands and resolved paths.

Invariant: nothing else of the call takes part. A call that does anything besides, or that is not understood
to the end, is not the step.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ringwall.gate.free import LOOKS
from ringwall.gate.shape import last_words, one_command, shape_of
from ringwall.model.action import Action, Kind
from ringwall.model.analysis import Analysis, Command
from ringwall.model.effects import Effect, covers
from ringwall.plan.identity import op_tools
from ringwall.plan.model import Aim, AnyStep, Op, SessionStep
from ringwall.plan.pointer import Match
from ringwall.plan.view import WallView
from ringwall.policy.paths import paths_of

_DELETERS = frozenset({("rm", ()), ("unlink", ()), ("git", ("rm",))})
_MOVERS = frozenset({("mv", ()), ("git", ("mv",))})


def match_of(analysis: Analysis, view: WallView) -> Match | None:
    """Which part of the plan under the pointer the call is, or None."""
    step = view.expected
    if step is None or analysis.doubts or view.fault is not None:
        return None
    at = view.pointer.at
    aim = view.plan.aims[at]
    if isinstance(step, SessionStep):
        return _product(step, aim, analysis, view)
    return Match(at) if _is(step, aim, analysis, view.plan.root) else None


def missing_products(step: AnyStep | None, view: WallView) -> tuple[str, ...]:
    """The files that the session under the pointer must write before the one that closes it."""
    if not isinstance(step, SessionStep):
        return ()
    return tuple(path for path in step.produces[:-1] if path not in view.pointer.produced)


def product_of(aim: Aim, analysis: Analysis) -> int | None:
    """The index of the session's product that the call writes."""
    return next((at for at, place in enumerate(aim.places) if _writes(Op.WRITE, place, analysis)), None)


def _product(step: SessionStep, aim: Aim, analysis: Analysis, view: WallView) -> Match | None:
    at = product_of(aim, analysis)
    if at is None:
        return None
    closes = at == len(aim.places) - 1
    if closes and missing_products(step, view):
        return None
    return Match(view.pointer.at, step.produces[at], closes)


def _is(step: AnyStep, aim: Aim, analysis: Analysis, root: str) -> bool:
    match step.op:
        case Op.BASH:
            return _runs(step.object, aim, analysis, root)
        case Op.DELETE:
            return _deletes(aim.places[0], analysis)
        case Op.MOVE:
            return _moves(aim.places[0], aim.places[1], analysis)
        case _:
            return _writes(step.op, aim.places[0], analysis)


def _runs(line: str, aim: Aim, analysis: Analysis, root: str) -> bool:
    """By shape; the same text in the same folder has the same one, and a call that does not run the step's
    last command has another."""
    action = analysis.action
    command = action.input.get("command")
    if action.kind is not Kind.SHELL or not isinstance(command, str) or not aim.shape:
        return False
    if command == line and action.cwd == root:
        return True
    words = last_words(line)
    if words is not None and not any(each.argv == words for each in analysis.commands):
        return False
    return shape_of(command, action.cwd) == aim.shape


def _writes(op: Op, place: str, analysis: Analysis) -> bool:
    """One file, by the op's own tool or by a file tool that has no op of its own (a patch)."""
    action = analysis.action
    if action.tool not in op_tools()[op] and not _is_patch(action):
        return False
    changes = tuple(_changes(analysis))
    return bool(changes) and all(
        effect.certain and covers("write", effect.name) and _place(effect, analysis) == place
        for effect in changes
    )


def _deletes(place: str, analysis: Analysis) -> bool:
    if not _only_by(_DELETERS, analysis):
        return False
    changes = tuple(_changes(analysis))
    return bool(changes) and all(
        effect.certain and covers("delete", effect.name) and _place(effect, analysis) == place
        for effect in changes
    )


def _moves(source: str, target: str, analysis: Analysis) -> bool:
    """Also into an existing folder (`mv a.py lib/`), where the knowledge tables name the file in it."""
    if not _only_by(_MOVERS, analysis):
        return False
    left: set[str] = set()
    made: set[str] = set()
    for effect in _changes(analysis):
        if not effect.certain or not (covers("delete", effect.name) or covers("write", effect.name)):
            return False
        (left if covers("delete", effect.name) else made).add(_place(effect, analysis))
    return left == {source} and target in made and made <= {target, posixpath.dirname(target)}


def _changes(analysis: Analysis) -> Iterator[Effect]:
    """The effects that are more than looking; git's own book-keeping of a moved or deleted file aside."""
    for effect in analysis.effects:
        if effect.name not in LOOKS and effect.name != "git.local":
            yield effect


def _only_by(programs: frozenset[tuple[str, tuple[str, ...]]], analysis: Analysis) -> bool:
    """Whether the call is one of these programs and nothing else, called as itself, or a file tool that has
    no op of its own."""
    action = analysis.action
    if _is_patch(action):
        return True
    command = action.input.get("command")
    if action.kind is not Kind.SHELL or not isinstance(command, str) or not one_command(command, action.cwd):
        return False
    changing = {effect.command for effect in analysis.effects if effect.name not in LOOKS}
    return all(
        0 <= index < len(analysis.commands) and _is_one_of(analysis.commands[index], programs)
        for index in changing
    )


def _is_one_of(command: Command, programs: frozenset[tuple[str, tuple[str, ...]]]) -> bool:
    named = (command.invocation.program, command.invocation.path)
    return (
        named in programs
        and not command.via
        and command.certain
        and command.argv[: 1 + len(named[1])] == (named[0], *named[1])
    )


def _is_patch(action: Action) -> bool:
    """Whether it is a file tool that has no op of its own: it is the op that its effects are."""
    return action.kind is Kind.FILE and not any(action.tool in tools for tools in op_tools().values())


def _place(effect: Effect, analysis: Analysis) -> str:
    """Where the effect really is, links followed."""
    paths = paths_of(effect, analysis)
    return paths[-1] if paths else ""
