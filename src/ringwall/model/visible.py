"""Text as it may safely be shown to a person who decides.

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
