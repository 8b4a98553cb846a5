"""What any tool call will do: the one door from an action to its analysis.

Invariant: every action gets an analysis; a field that decides and cannot be read is a doubt, and a tool
that nobody knows is `tool.unknown`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ringwall.model.action import Action, Kind
from ringwall.model.analysis import Analysis, Doubt
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.model.text import msg
from ringwall.shell.analyse import analyse
from ringwall.shell.streams import UNKNOWN, Stream
from ringwall.tools.arguments import place_effects
from ringwall.tools.mcp import carries_command, named_effects
from ringwall.tools.patch import patch_effects
from ringwall.tools.table import Line, Row, row_of
from ringwall.tools.web import fetch_effects
from ringwall.tools.workflow import workflow_effects


def effects_of(action: Action, surroundings: Surroundings) -> Analysis:
    """The analysis of an action."""
    row = row_of(action.tool)
    doubts = tuple(_unreadable(action, row)) if row else ()
    if row and row.language == "bash" and not doubts:
        analysis = analyse(action, surroundings)
        return _typed_into(analysis, surroundings) if row.typed_later else analysis
    found = list(_found(action, row, surroundings))
    analysis = Analysis(
        action=action,
        effects=tuple(dict.fromkeys(item for item in found if isinstance(item, Effect))),
        doubts=doubts + tuple(item for item in found if isinstance(item, Doubt)),
    )
    command = None if row else carries_command(action)
    return _with_command(analysis, command, surroundings) if command else analysis


def _unreadable(action: Action, row: Row) -> Iterator[Doubt]:
    for name in row.needs:
        if not any(isinstance(action.input.get(each), str) for each in name.split("|")):
            yield Doubt("unreadable", msg("{tool} has no text in {field}.", tool=action.tool, field=name))
    if row.kind is Kind.SHELL and row.language != "bash":
        yield Doubt("not_bash", msg("{language} is not read by Ringwall.", language=row.language))


def _found(action: Action, row: Row | None, surroundings: Surroundings) -> Iterator[Effect | Doubt]:
    if row is None:
        yield from named_effects(action, surroundings)
        return
    if action.tool == "Workflow":
        yield from workflow_effects(action.input, surroundings)
    if action.tool == "apply_patch":
        yield from patch_effects(action.input, action.cwd, surroundings)
    for line in row.lines:
        if line.holds(action.input):
            yield from _line_effects(line, action, surroundings)


def _line_effects(line: Line, action: Action, surroundings: Surroundings) -> Iterator[Effect | Doubt]:
    given = [(name, action.input[name]) for name in line.fields if action.input.get(name) is not None]
    if not line.places:
        name, value = given[0] if given else (line.field, None)
        if line.effect == "network.read" and isinstance(value, str):
            yield from fetch_effects(value, name, action.cwd, surroundings)
        else:
            target = value if isinstance(value, str) else ""
            yield Effect(line.effect, target, span=(0, len(target)), field=name)
        return
    if not given:
        given = [(line.field, action.cwd or surroundings.places.root if line.optional else None)]
    for name, value in given:
        paths = value if isinstance(value, list | tuple) else [value]
        for path in paths or [None]:
            if isinstance(path, str):
                yield from place_effects(line.effect, path, name, action.cwd, surroundings)
            else:
                yield Doubt("unreadable", msg("{tool} has no text in {field}.", tool=action.tool, field=name))


def _typed_into(analysis: Analysis, surroundings: Surroundings) -> Analysis:
    """The analysis of a command line whose programs may be typed into later, where nobody sees it. One that
    then takes commands from there is a doubt."""
    later = analyse(analysis.action, surroundings, UNKNOWN)
    opaque = [effect for effect in later.effects if effect.name == "code.opaque"]
    closed = analyse(analysis.action, surroundings, Stream("")) if opaque else later
    anyway = {effect.command for effect in closed.effects if effect.name == "code.opaque"}
    for effect in opaque:
        if effect.command not in anyway:
            typed = msg("what is typed into it later would be run, and Ringwall does not see it")
            return replace(analysis, doubts=(*analysis.doubts, Doubt("typed_later", typed, effect.span)))
    return analysis


def _with_command(analysis: Analysis, field: str, surroundings: Surroundings) -> Analysis:
    """The analysis with the command line that stands in one of the tool's arguments."""
    action = analysis.action
    shell = Action(Kind.SHELL, action.tool, {"command": action.input[field]}, action.cwd, action.digest)
    inner = analyse(shell, surroundings)
    return Analysis(
        action=action,
        effects=analysis.effects + tuple(replace(effect, field=field) for effect in inner.effects),
        commands=inner.commands,
        doubts=analysis.doubts + inner.doubts,
        files=inner.files,
    )
