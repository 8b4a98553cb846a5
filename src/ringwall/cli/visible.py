"""How many cells shown text takes on a terminal, and how it is broken into rows."""

from __future__ import annotations

import unicodedata

from ringwall.model.visible import glyph as glyph
from ringwall.model.visible import hidden as hidden
from ringwall.model.visible import visible as visible
from ringwall.model.visible import visible_line as visible_line


def cells(text: str) -> int:
    """The terminal cells of shown text: two for wide characters, none for combining marks."""
    return sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, width: int) -> list[str]:
    """Shown text in rows of at most `width` cells, broken at blanks where there are any."""
    rows: list[str] = []
    for line in text.split("\n"):
        row = ""
        for word in _pieces(line, width):
            if row and cells(row) + cells(word.rstrip(" ")) > width:
                rows.append(row.rstrip(" "))
                row = ""
            row += word
        rows.append(row.rstrip(" "))
    return rows


def _pieces(line: str, width: int) -> list[str]:
    """Words with the blanks after them; wide characters may be parted anywhere, long words must be."""
    pieces: list[str] = []
    word = ""
    for character in line:
        ends = word.endswith(" ") and character != " "
        if word and (ends or _cells(character) == 2 or cells(word) >= width or cells(word[-1]) == 2):
            if character in " ，。、：；）”』」！？":
                word += character
                continue
            pieces.append(word)
            word = ""
        word += character
    return [*pieces, word] if word else pieces
