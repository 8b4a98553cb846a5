"""Text as it may safely be shown to a person who decides.

Invariant: what is shown has no control, bidirectional or invisible characters; each of those stands as its
escape, so that nothing in a command can hide from the person who reads it.
"""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK = frozenset(
    map(
        chr,
        (
            0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0,
            *range(0x180B, 0x1810), *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0),
        ),
    )
)  # fmt: skip
"""Letters, marks and symbols of which nothing is seen. The two selectors of emoji are not among them."""


def visible(text: str) -> str:
    """`text` with hidden characters written as escapes; line breaks are kept."""
    return "".join(map(glyph, text))


def visible_line(text: str) -> str:
    """`text` on one line."""
    return visible(text).replace("\n", "\\n")


def hidden(character: str) -> bool:
    """Whether a terminal would not show the character as itself."""
    return character != "\n" and (unicodedata.category(character) in _HIDDEN or character in _BLANK)


def glyph(character: str) -> str:
    """How one character is shown."""
    if character in "\n ":
        return character
    if character == "\t":
        return "    "
    if hidden(character) or (character.isspace() and character != " "):
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character
