"""One entry more or less in the text of a canon, and every other byte as a person wrote it.

Invariant: an edit is made in the lines of the list alone, or not at all; whoever asks for it reads the result
again and compares. What is written otherwise than as a plain list of one line per entry is left to the
library, which keeps comments and order but not every blank.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

KEY = "upstream_pending"

_EMPTY = re.compile(rf"{KEY}:[ ]*(?:\[[ ]*\])?[ ]*(?P<rest>#.*)?")
_HEAD = re.compile(rf"{KEY}:[ ]*(?P<rest>#.*)?")
_ITEM = re.compile(r"(?P<indent>[ ]*)-[ ]+\S.*")


def with_entry(text: str, document: Any, entry: str) -> str | None:
    """`text` with `entry` at the end of its list; None where the list is not written in plain lines."""
    lines = text.splitlines(keepends=True)
    places = _places(lines, document)
    if places is None:
        return None
    end = _end(lines)
    if places:
        found = _ITEM.fullmatch(_bare(lines[places[-1]]))
        indent = found["indent"] if found else ""
        lines[places[-1]] = _bare(lines[places[-1]]) + end
        return "".join([*lines[: places[-1] + 1], f"{indent}- {entry}{end}", *lines[places[-1] + 1 :]])
    head = next((n for n, line in enumerate(lines) if _EMPTY.fullmatch(_bare(line))), None)
    if head is None:
        return None
    rest = (_EMPTY.fullmatch(_bare(lines[head])) or {"rest": ""})["rest"]
    lines[head] = f"{KEY}:{' ' + rest if rest else ''}{end}- {entry}{end}"
    return "".join(lines)


def without_entries(text: str, document: Any, entries: Collection[str]) -> str | None:
    """`text` without these entries; None where the list is not written in plain lines."""
    lines = text.splitlines(keepends=True)
    places = _places(lines, document)
    if places is None:
        return None
    gone = {place for place, value in zip(places, document[KEY] or (), strict=False) if value in entries}
    if len(gone) == len(places):
        head = next((n for n, line in enumerate(lines) if _HEAD.fullmatch(_bare(line))), None)
        if head is None:
            return None
        rest = (_HEAD.fullmatch(_bare(lines[head])) or {"rest": ""})["rest"]
        lines[head] = f"{KEY}: []{' ' + rest if rest else ''}{_end(lines)}"
    return "".join(line for place, line in enumerate(lines) if place not in gone)


def _places(lines: list[str], document: Any) -> list[int] | None:
    """The line of each entry, None where one is not a line of its own."""
    listed = document.get(KEY)
    if not listed:
        return []
    places = [listed.lc.data[place][0] for place in range(len(listed))]
    plain = all(
        place < len(lines) and _ITEM.fullmatch(_bare(lines[place])) and str(value) in lines[place]
        for place, value in zip(places, listed, strict=True)
    )
    return places if plain and len(set(places)) == len(places) else None


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _end(lines: list[str]) -> str:
    return "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
