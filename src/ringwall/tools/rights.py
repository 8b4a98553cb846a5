"""What a tool may do, by its name alone: for those who hand out tools before any call is made.

Invariant: made from the same rows and verbs as the analysis of a call; effects that hang on a call's
arguments are left to that analysis.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache

from ringwall.model.action import Kind
from ringwall.plan.safety import Rights
from ringwall.shell.tables import tables
from ringwall.tools.mcp import name_words, verb_of
from ringwall.tools.table import Row, builtin_rows, mcp_name, mcp_table, row_of

_BY_ACCESS = {"read": "observe", "search": "observe", "write": "write", "delete": "delete"}
_BY_VERB = {"read": "observe", "write": "remote.write", "destroy": "data.destroy"}
_LOCAL = {"read": "observe", "write": "write", "destroy": "delete"}


@lru_cache(maxsize=512)
def rights_of(name: str) -> Rights:
    """The rights that go with a tool name: a host's own, `mcp__server__tool`, or a browser server's."""
    names = mcp_name(name)
    if row := row_of(name):
        return Rights(frozenset(_of_row(row)))
    if names is not None:
        return Rights(frozenset(_of_words(*names)))
    if browser := _browser_row(name):
        return Rights(frozenset(_of_row(browser)))
    if tables().program(name) is not None or tables().program(name.lower()) is not None:
        return Rights(program=True)
    return Rights(known=False)


def _of_row(row: Row) -> Iterator[str]:
    if row.alias_of:
        yield from _of_row(builtin_rows()[row.alias_of])
    if row.kind is Kind.SHELL:
        yield "code.opaque"
    if row.kind is Kind.AGENT:
        yield "agent.spawn"
    if row.kind is Kind.FILE and not row.lines and not row.alias_of:
        yield "write"
    for line in row.lines:
        if not line.when:
            yield _BY_ACCESS.get(line.effect, line.effect)


def _of_words(server: str, tool: str) -> Iterator[str]:
    table = mcp_table()
    words = name_words(server, tool, table.verbs)
    if not table.arguments.command_words.isdisjoint((*words, *name_words("", server, table.verbs))):
        yield "code.opaque"
    local = any(fnmatchcase(server.lower(), glob) for glob in table.arguments.local_servers)
    verb = verb_of(words, table.verbs)
    yield (_LOCAL if local else _BY_VERB)[verb] if verb else "tool.unknown"
    for needed, effect in table.verbs.also:
        if all(words.count(word) >= needed.count(word) for word in needed):
            yield effect


def _browser_row(tool: str) -> Row | None:
    """The row of a browser server's tool that was named without its server."""
    return next(
        (
            row
            for row in mcp_table().rows
            if row.kind is Kind.BROWSER and any(fnmatchcase(tool, glob) for glob in row.names)
        ),
        None,
    )
