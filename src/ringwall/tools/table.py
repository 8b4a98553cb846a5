"""The tables of tools that are not the shell's programs: which tool has which effects.

Invariant: knowledge about a tool stands in a row of a TOML table; the code here only reads rows, and a row
that names an unknown effect, kind or key is an error when it is loaded.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

from ringwall.model.action import Kind
from ringwall.model.effects import EFFECTS

ACCESSES = ("read", "write", "delete", "search")
"""Words of an effect line that place the path in its field, instead of naming an effect."""

MCP_PREFIX = "mcp__"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a row's effects: `<effect> [<field>[?]] [if <field>[=<value>]]`. A field may be several,
    `file_path|path`, where hosts name the same thing differently: each that is there is placed."""

    effect: str
    field: str = ""
    optional: bool = False
    when: str = ""
    equals: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(self.field.split("|")) if self.field else ()

    @property
    def places(self) -> bool:
        return bool(self.field) and self.effect in ACCESSES

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Whether the line's condition holds for a tool's input."""
        value = values.get(self.when)
        return not self.when or (value == self.equals if self.equals else bool(value))


@dataclass(frozen=True, slots=True)
class Row:
    """What is known about one or more tools. `typed_later`: another tool may type into what it starts."""

    names: tuple[str, ...]
    kind: Kind
    lines: tuple[Line, ...]
    needs: tuple[str, ...] = ()
    servers: tuple[str, ...] = ("*",)
    alias_of: str = ""
    language: str = ""
    typed_later: bool = False

    def fits(self, server: str, tool: str) -> bool:
        """Whether the row speaks about this tool of this MCP server."""
        return any(fnmatchcase(tool, glob) for glob in self.names) and any(
            fnmatchcase(server.lower(), glob) for glob in self.servers
        )


@dataclass(frozen=True, slots=True)
class Verbs:
    """The words by which an unlisted MCP tool is judged."""

    read: frozenset[str]
    write: frozenset[str]
    destroy: frozenset[str]
    leading: frozenset[str]
    noise: frozenset[str]
    also: tuple[tuple[tuple[str, ...], str], ...]


@dataclass(frozen=True, slots=True)
class Arguments:
    """The names by which paths, URLs, commands and SQL are found among a tool's arguments."""

    local_servers: tuple[str, ...]
    paths: frozenset[str]
    sources: frozenset[str]
    urls: frozenset[str]
    commands: frozenset[str]
    command_words: frozenset[str]
    sql: frozenset[str]


@dataclass(frozen=True, slots=True)
class McpTable:
    """All that is known about MCP tools."""

    rows: tuple[Row, ...]
    verbs: Verbs
    arguments: Arguments
    sql: Mapping[str, frozenset[str]]


def mcp_name(name: str) -> tuple[str, str] | None:
    """Server and tool of `mcp__server__tool`, or None for another tool."""
    server, separator, tool = name.removeprefix(MCP_PREFIX).partition("__")
    return (server, tool) if name.startswith(MCP_PREFIX) and separator and server and tool else None


def row_of(tool: str) -> Row | None:
    """The row that speaks about a tool, or None."""
    names = mcp_name(tool)
    if names is None:
        return builtin_rows().get(tool)
    return next((row for row in mcp_table().rows if row.fits(*names)), None)


@cache
def builtin_rows() -> Mapping[str, Row]:
    """The hosts' own tools by name."""
    return {name: row for row in map(_row, _load("builtin.toml")["tool"]) for name in row.names}


@cache
def mcp_table() -> McpTable:
    """The rows, verbs and argument names for MCP tools."""
    table = _load("mcp.toml")
    verbs, arguments = table["verbs"], table["arguments"]
    return McpTable(
        rows=tuple(map(_row, table["tool"])),
        verbs=Verbs(
            **{name: frozenset(verbs[name]) for name in ("read", "write", "destroy", "leading", "noise")},
            also=tuple((tuple(entry["words"]), _effect(entry["effect"])) for entry in verbs["also"]),
        ),
        arguments=Arguments(
            local_servers=tuple(arguments["local_servers"]),
            **{
                name: frozenset(arguments[name])
                for name in ("paths", "sources", "urls", "commands", "command_words", "sql")
            },
        ),
        sql={name: frozenset(words) for name, words in table["sql"].items()},
    )


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads((files("ringwall.tools") / name).read_text("utf-8"))


def _row(raw: dict[str, Any]) -> Row:
    unknown = raw.keys() - {*Row.__dataclass_fields__, "effects", "match", "no_match"}
    if unknown:
        raise ValueError(f"row {raw['names']}: unknown keys {sorted(unknown)}")
    return Row(
        names=tuple(raw["names"]),
        kind=Kind(raw["kind"]),
        lines=tuple(_line(text) for text in raw.get("effects", ())),
        needs=tuple(raw.get("needs", ())),
        servers=tuple(raw.get("servers", ("*",))),
        alias_of=raw.get("alias_of", ""),
        language=raw.get("language", ""),
        typed_later=raw.get("typed_later", False),
    )


def _line(text: str) -> Line:
    head, _, condition = text.partition(" if ")
    effect, _, field = head.partition(" ")
    when, _, equals = condition.partition("=")
    if effect not in ACCESSES:
        _effect(effect)
    return Line(effect, field.removesuffix("?"), field.endswith("?"), when, equals)


def _effect(name: str) -> str:
    if name not in EFFECTS:
        raise ValueError(f"unknown effect {name!r}")
    return name
