"""A text with marks under it, the way a compiler points at what it means.

Invariant: a caret stands under the character it means, also after wide, combining and escaped characters
and where a long line was folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ringwall.cli.output import Line, Part, line
from ringwall.cli.visible import cells, glyph, wrap

INDENT = 2
_MIN_LABEL = 24


@dataclass(frozen=True, slots=True)
class Label:
    """What is said about a marked range."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A half-open range of characters and what is said about it. An uncertain one is drawn with `~`."""

    span: tuple[int, int]
    labels: tuple[Label, ...]
    certain: bool = True
    style: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    start: int
    end: int
    glyphs: tuple[str, ...]

    def column(self, position: int) -> int:
        return cells("".join(self.glyphs[: position - self.start]))


def marked(text: str, marks: Sequence[Mark], width: int) -> Iterator[Line]:
    """The lines of `text`, each followed by the marks that begin in it."""
    waiting = sorted(marks, key=lambda mark: (mark.span[0], -mark.span[1]))
    for row in _rows(text, width - INDENT):
        yield line(" " * INDENT, Part("".join(row.glyphs), "bold"))
        while waiting and (waiting[0].span[0] < max(row.end, row.start + 1) or row.end >= len(text)):
            yield from _drawn(waiting.pop(0), row, width)


def _rows(text: str, room: int) -> Iterator[_Row]:
    """The text in rows that fit, folded after a blank where there is one in the last part of the row."""
    start = 0
    for source in text.split("\n"):
        glyphs = tuple(map(glyph, source))
        begin = 0
        while True:
            end, used = begin, 0
            while end < len(glyphs) and used + cells(glyphs[end]) <= room:
                used += cells(glyphs[end])
                end += 1
            end = max(end, min(begin + 1, len(glyphs)))
            if end < len(glyphs):
                blanks = [at for at in range(begin + (end - begin) // 2, end) if glyphs[at] == " "]
                end = blanks[-1] + 1 if blanks else end
            yield _Row(start + begin, start + end, glyphs[begin:end])
            begin = end
            if begin >= len(glyphs):
                break
        start += len(glyphs) + 1


def _drawn(mark: Mark, row: _Row, width: int) -> Iterator[Line]:
    begin, end = mark.span
    column = row.column(min(begin, row.end))
    length = max(1, row.column(min(end, row.end)) - column)
    tail = "…" if end > row.end + 1 else ""
    carets = Part(("^" if mark.certain else "~") * length + tail, mark.style)
    label_column = INDENT + column + length + len(tail) + 1
    longest = max(cells(label.text) for label in mark.labels)
    beside = width - label_column >= min(longest, _MIN_LABEL)
    if not beside:
        yield line(" " * (INDENT + column), carets)
        label_column = max(INDENT, min(INDENT + column, width - longest))
    for label in mark.labels:
        for text in wrap(label.text, width - label_column):
            if beside:
                yield line(" " * (INDENT + column), carets, " ", Part(text, label.style))
                beside = False
            else:
                yield line(" " * label_column, Part(text, label.style))
