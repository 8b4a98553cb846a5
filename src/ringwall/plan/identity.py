"""Which tool a call uses: a server and a name, never the name alone.

Invariant: a tool of one MCP server is never taken for a tool of another or for the host's own, whatever it
calls itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from ringwall.plan.model import Op

_PREFIX = "mcp__"


def identity(tool: str) -> tuple[str, str]:
    """Server and name of a neutral tool name; the server is empty for a host's own tool."""
    if tool.startswith(_PREFIX):
        server, separator, name = tool.removeprefix(_PREFIX).partition("__")
        if separator and server and name:
            return server, name
    return "", tool


def query_only(tool: str) -> bool:
    """Whether the tool is one of those that only ask and look, by their table."""
    return identity(tool) in _query_tools()


def entitles(entry: str, tool: str) -> bool:
    """Whether an entry of a session's tools names this tool. A bare name is a host's own tool or a tool of a
    browser server of the table; any other server must be named (`mcp__server__tool`)."""
    if entry == tool:
        return True
    server, name = identity(tool)
    return name == entry and server in browser_servers()


@cache
def browser_servers() -> frozenset[str]:
    """The names that the browser servers of the table go by."""
    return frozenset(server for servers, _ in _table() for server in servers if server)


@cache
def op_tools() -> Mapping[Op, frozenset[str]]:
    """The tools that do an op which writes one file, in the words of every host."""
    return {Op(op): frozenset(tools) for op, tools in _names()["ops"].items()}


def skill_of(tool: str, values: Mapping[str, Any]) -> str | None:
    """The skill that a call of a host's skill tool names; empty where it names none, or two by different
    fields, of which the host reads one. None for another tool."""
    skills = _names()["skills"]
    if tool not in skills["tools"]:
        return None
    given = {str(values[field]) for field in skills["fields"] if field in values}
    return given.pop() if len(given) == 1 else ""


@cache
def subagent_tools() -> frozenset[str]:
    """The tools that start or wake a subagent of the session."""
    return frozenset(_names()["subagents"]["tools"])


@cache
def _query_tools() -> frozenset[tuple[str, str]]:
    return frozenset((server, name) for servers, names in _table() for server in servers for name in names)


@cache
def _table() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    return tuple((tuple(row["servers"]), tuple(row["query"])) for row in _names()["tools"])


@cache
def _names() -> dict[str, Any]:
    return tomllib.loads((files("ringwall.plan") / "names.toml").read_text("utf-8"))
