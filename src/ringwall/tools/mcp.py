"""MCP tools that no row names: judged by the verbs of their name and by what their arguments are.

Invariant: a name without a known verb is `tool.unknown`; arguments only ever add effects to those of the
name, except for SQL and command lines, which say more exactly what the verb means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from ringwall.model.action import Action
from ringwall.model.analysis import Doubt
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.model.text import msg
from ringwall.tools.arguments import is_url, place_effects, strings
from ringwall.tools.table import McpTable, Verbs, mcp_name, mcp_table
from ringwall.tools.web import fetch_effects, is_script

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_JOINS = frozenset({"and", "or", "then"})
_SQL_TEXT = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", re.DOTALL)
_SQL_WORD = re.compile(r"[A-Za-z_]+")
_ACCESS = {"read": "read", "write": "write", "destroy": "delete"}
_REMOTE = {"read": "observe", "write": "remote.write", "destroy": "data.destroy"}


def named_effects(action: Action, surroundings: Surroundings) -> Iterator[Effect | Doubt]:
    """The effects of a tool that has no row: of an MCP server, or of a host that we do not know."""
    table = mcp_table()
    server, tool = mcp_name(action.tool) or ("", action.tool)
    words = name_words(server, tool, table.verbs)
    found, complete = strings(action.input)
    if not complete:
        yield Doubt("too_many", msg("{tool} has too many arguments to read them all.", tool=action.tool))
    verb = _sql_verb(found, table) or (verb_of(words, table.verbs) if server else "")
    placed = tuple(_argument_effects(found, verb, action.cwd, surroundings, table))
    local = bool(placed) and any(fnmatchcase(server.lower(), glob) for glob in table.arguments.local_servers)
    if not verb or carries_command(action, words):
        yield Effect("tool.unknown", action.tool, field="")
    elif verb == "read" or not local:
        yield Effect(_REMOTE[verb], action.tool, field="")
    if server:
        yield from _also(words, action.tool, table.verbs)
    yield from placed


def carries_command(action: Action, words: tuple[str, ...] | None = None) -> str | None:
    """The argument that holds a command line, where the tool's name says that it runs one, or the tool is a
    host's own and not known."""
    table, names = mcp_table(), mcp_name(action.tool)
    if names is not None:
        words = words if words is not None else name_words(*names, table.verbs)
        if table.arguments.command_words.isdisjoint((*words, *name_words("", names[0], table.verbs))):
            return None
    return next(
        (name for name in table.arguments.commands if isinstance(action.input.get(name), str)),
        None,
    )


def name_words(server: str, tool: str, verbs: Verbs) -> tuple[str, ...]:
    """The words of a tool's name, those of its server's name and noise dropped from the start."""
    skipped = {word.lower() for word in _WORDS.findall(server)} | verbs.noise
    words = [word.lower() for word in _WORDS.findall(tool)]
    while len(words) > 1 and words[0] in skipped:
        words.pop(0)
    return tuple(words)


def verb_of(words: tuple[str, ...], verbs: Verbs) -> str:
    """`read`, `write`, `destroy`, or nothing where the name has no known verb."""
    kinds = [_kind(word, verbs) for word in words]
    for index, word in enumerate(words):
        if index and word in verbs.leading:
            kinds[index] = ""
    first = next((kind for kind in kinds if kind), "")
    joined = [kind for before, kind in zip(words, kinds[1:], strict=False) if before in _JOINS]
    last = [kind for kind in kinds[-1:] if kind == "destroy"]
    return max((first, *joined, *last), key=("", "read", "write", "destroy").index)


def _kind(word: str, verbs: Verbs) -> str:
    if word in verbs.destroy:
        return "destroy"
    if word in verbs.write:
        return "write"
    return "read" if word in verbs.read else ""


def _also(words: tuple[str, ...], tool: str, verbs: Verbs) -> Iterator[Effect]:
    for needed, effect in verbs.also:
        if all(words.count(word) >= needed.count(word) for word in needed):
            yield Effect(effect, tool, field="")


def _sql_verb(found: list[tuple[str, str]], table: McpTable) -> str:
    """What the SQL among the arguments does: the strictest of its words, strings and comments left out."""
    verb = ""
    for name, value in found:
        if name.lower() not in table.arguments.sql:
            continue
        words = [word.lower() for word in _SQL_WORD.findall(_SQL_TEXT.sub(" ", value))]
        if not words or not any(words[0] in table.sql[kind] for kind in table.sql):
            continue
        kinds = {kind for kind in ("write", "destroy") if not table.sql[kind].isdisjoint(words)}
        verb = max((verb, "read", *kinds), key=("", "read", "write", "destroy").index)
    return verb


def _argument_effects(
    found: list[tuple[str, str]], verb: str, cwd: str, surroundings: Surroundings, table: McpTable
) -> Iterator[Effect]:
    for name, value in found:
        named = name.lower() in table.arguments.paths or value[:6].lower() == "file:/"
        if is_script(value) and name.lower() in table.arguments.urls:
            yield Effect("browse.act", value, field=name)
        elif is_url(value) and not named:
            if name.lower() in table.arguments.urls:
                yield from fetch_effects(value, name, cwd, surroundings)
        elif named or value.startswith(("/", "~/")):
            access = _ACCESS.get(verb, "write")
            certain = bool(verb) and named
            if "\n" in value:
                continue
            yield from place_effects(access, value, name, cwd, surroundings, certain)
            if access == "write" and (not verb or name.lower() in table.arguments.sources):
                yield from place_effects("read", value, name, cwd, surroundings, certain)
