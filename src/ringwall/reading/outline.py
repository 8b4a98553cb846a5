"""Labels as lines that a person or an agent can read.

Invariant: one label is one line or a part of one; nothing a page wrote can look like another line, since
control, bidirectional and invisible characters stand as escapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ringwall.model.visible import visible_line
from ringwall.reading.labels import Label

_ROW = frozenset({"row"})


def outline(labels: Iterable[Label], depth: int = 0) -> Iterator[str]:
    """The lines, indented by two blanks a level."""
    for label in labels:
        indent = "  " * depth
        if label.role in _ROW:
            yield f"{indent}row: " + " | ".join(_inline(cell) for cell in label.within or (label,))
        else:
            yield indent + _line(label)
            yield from outline(label.within, depth + 1)


def words(labels: Iterable[Label]) -> Iterator[str]:
    """All texts and values, in order."""
    for label in labels:
        yield from (part for part in (label.text, label.value) if part)
        yield from words(label.within)


def _line(label: Label) -> str:
    role = f"{label.role} {label.level}" if label.level else label.role
    text = f": {visible_line(label.text)}" if label.text else ""
    return role + text + (f" = {visible_line(label.value)}" if label.value else "")


def _inline(label: Label) -> str:
    parts = [visible_line(part) for part in words([label])]
    text = " ".join(parts)
    inner = label.within[0].role if len(label.within) == 1 else label.role
    return f"[{text}]" if inner in ("button", "link", "field", "choice", "check") else text
