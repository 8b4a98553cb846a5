"""Where a key stands in a TOML text.

Invariant: answers for any text that `tomllib` accepts; where the key itself is not found, the place of its
nearest table; never raises.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*\[{1,2}\s*(?P<keys>[^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"""(?P<key>"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*(?P<then>[.=])?\s*""")

Path = tuple[str, ...]


def key_lines(text: str) -> dict[Path, int]:
    """Each key path with its line, from 1. Of tables that are repeated (`[[a]]`) the n-th is `("a", "n")`."""
    lines: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        header = _HEADER.match(line)
        if header:
            table = _keys(header["keys"])
            if line.lstrip().startswith("[["):
                counts[table] = counts.get(table, -1) + 1
                table = (*table, str(counts[table]))
            _note(lines, table, number)
            continue
        keys = _assigned(line)
        if keys:
            _note(lines, table + keys, number)
    return lines


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of `path` or of what holds it."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 1


def _note(lines: dict[Path, int], path: Path, number: int) -> None:
    for length in range(1, len(path) + 1):
        lines.setdefault(path[:length], number)


def _keys(text: str) -> Path:
    return tuple(_plain(found["key"]) for found in _KEY.finditer(text))


def _assigned(line: str) -> Path:
    keys: list[str] = []
    at = len(line) - len(line.lstrip())
    while found := _KEY.match(line, at):
        keys.append(_plain(found["key"]))
        at = found.end()
        if found["then"] == "=":
            return tuple(keys)
        if found["then"] != ".":
            break
    return ()


def _plain(key: str) -> str:
    return key[1:-1] if key[0] in "\"'" else key
