"""From a tool call in its host's words to an action in ours.

Invariant: every tool call becomes an action, whatever JSON its input is; two calls that may do different
things never share a digest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from rfc8785 import CanonicalizationError

from ringwall.model.action import Action, Kind, ToolCall
from ringwall.tools.table import MCP_PREFIX, mcp_name, row_of

_ODD = re.compile(r"[^A-Za-z0-9_-]")
_GAPS = re.compile(r"_+")


def to_action(call: ToolCall) -> Action:
    """The action of a call: neutral tool name, kind, and a digest that also odd JSON gets."""
    tool = _neutral(call)
    kind = _kind(tool)
    values = call.input if isinstance(call.input, Mapping) else {}
    try:
        return Action(kind, tool, values, call.cwd)
    except (CanonicalizationError, UnicodeError, RecursionError, TypeError, ValueError):
        return Action(kind, tool, values, call.cwd, _odd_digest([kind.value, tool, values, call.cwd]))


def _neutral(call: ToolCall) -> str:
    tool = call.tool if isinstance(call.tool, str) else ""
    if call.server and not _joined(call.server, tool):
        return f"{MCP_PREFIX}{call.server}__{tool}"
    row = row_of(tool)
    return row.alias_of if row and row.alias_of else tool


def _joined(server: str, tool: str) -> bool:
    """Whether the host put the server before the tool's name already, in the letters that it allows there.
    What a server itself calls `mcp__other__tool` is a tool of its own."""
    spelled = _ODD.sub("_", server)
    spellings = (server, spelled, _GAPS.sub("_", spelled).strip("_"))
    return tool.startswith(tuple(f"{MCP_PREFIX}{each}__" for each in spellings if each))


def _kind(tool: str) -> Kind:
    if row := row_of(tool):
        return row.kind
    return Kind.MCP if mcp_name(tool) else Kind.UNKNOWN


def _odd_digest(value: Any) -> str:
    """A digest for what RFC 8785 cannot hold (huge numbers, lone surrogates, endless nesting)."""
    state = hashlib.sha256(b"not canonical\0")
    for token in _tokens(value):
        state.update(f"{len(token)}:{token}".encode("utf-8", "surrogatepass"))
    return f"sha256:{state.hexdigest()}"


def _tokens(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Mapping):
            yield f"object {len(item)}"
            for key in sorted(item, key=str):
                pending += (item[key], str(key))
        elif isinstance(item, list | tuple):
            yield f"array {len(item)}"
            pending += item
        else:
            yield f"{type(item).__name__} {item}"
