"""Edits of JSON text that leave every other byte as it is.

Invariant: an edit adds or takes out one entry with its comma and white space; order, indentation, line
ends, byte order mark and the last newline of the rest are untouched.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ringwall.model.json_tree import Array, Node, Object

_INDENT = re.compile(r"\n([ \t]+)\S")


def add_member(text: str, parent: Object, key: str, value: Any) -> str:
    """`text` with `"key": value` as the last member of `parent`."""
    return _add(text, parent, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def add_item(text: str, parent: Array, value: Any) -> str:
    """`text` with `value` as the last item of `parent`."""
    return _add(text, parent, "", value)


def replace(text: str, node: Node, value: Any) -> str:
    """`text` with `value` where `node` stands."""
    column = _margin(text, node.start)
    return text[: node.start] + _rendered(text, value, column, _flat(text, node)) + text[node.end :]


def remove_child(text: str, parent: Object | Array, index: int) -> str:
    """`text` without the entry at `index`, its comma, and the line it stood on."""
    spans = _spans(parent)
    start, end = spans[index]
    if index > 0:
        return text[: spans[index - 1][1]] + text[end:]
    if len(spans) > 1:
        return text[:start] + text[spans[1][0] :]
    return text[: parent.start + 1] + text[parent.end - 1 :]


def _add(text: str, parent: Object | Array, prefix: str, value: Any) -> str:
    spans = _spans(parent)
    flat = bool(spans) and _flat(text, parent)
    if flat:
        end = spans[-1][1]
        return f"{text[:end]}, {prefix}{_rendered(text, value, '', True)}{text[end:]}"
    newline = _newline(text)
    outer = _margin(text, parent.start)
    inner = _margin(text, spans[-1][0]) if spans else outer + _unit(text)
    entry = f"{newline}{inner}{prefix}{_rendered(text, value, inner, False)}"
    if spans:
        end = spans[-1][1]
        return f"{text[:end]},{entry}{text[end:]}"
    return f"{text[: parent.start + 1]}{entry}{newline}{outer}{text[parent.end - 1 :]}"


def _rendered(text: str, value: Any, margin: str, flat: bool) -> str:
    if flat:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return f"{_newline(text)}{margin}".join(lines)


def _spans(parent: Object | Array) -> list[tuple[int, int]]:
    if isinstance(parent, Object):
        return [(member.start, member.value.end) for member in parent.members]
    return [(item.start, item.end) for item in parent.items]


def _flat(text: str, node: Node) -> bool:
    return "\n" not in text[node.start : node.end]


def _margin(text: str, at: int) -> str:
    """The white space that begins the line of `at`."""
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation, as the file has it."""
    found = _INDENT.search(text)
    return found.group(1) if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
