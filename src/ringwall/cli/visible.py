"""Text as it may safely be shown on a terminal, and how many cells it takes there.

Invariant: what is shown has no control, bidirectional or invisible characters; each of those stands as its
escape, so that nothing in a command can hide from the person who reads it.
"""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """`text` with hidden characters written as escapes; line breaks are kept."""
    return "".join(map(glyph, text))


def visible_line(text: str) -> str:
    """`text` on one line."""
    return visible(text).replace("\n", "\\n")


def hidden(character: str) -> bool:
    """Whether a terminal would not show the character as itself."""
    return character != "\n" and unicodedata.category(character) in _HIDDEN


def glyph(character: str) -> str:
    """How one character is shown."""
    if character in "\n ":
        return character
    if character == "\t":
        return "    "
    if unicodedata.category(character) in _HIDDEN or (character.isspace() and character != " "):
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


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
