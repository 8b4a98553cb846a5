r"""What quotes, backslashes and braces mean inside one word.

Invariant: the literals of a word, joined, are what bash sees after quote removal; a literal is `quoted`
exactly where bash would neither split it nor read a pattern, brace or tilde in it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ringwall.shell.ast import Assign, Brace, Literal, Part, Span, Unknown, Word

MOST_BRACES = 16
MOST_ALTERNATIVES = 256

_BACKSLASHED = re.compile(r"\\(.)|\\\Z", re.DOTALL)
_IN_DOUBLE_QUOTES = re.compile(r'\\([$`"\\\n])')
_IN_BACKTICKS = re.compile(r"\\([$`\\])")
_ANSI_C = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.))",
    re.DOTALL,
)
_ANSI_LETTERS = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_SEQUENCE = re.compile(r"(-?[0-9]{1,9}|[A-Za-z])\.\.(-?[0-9]{1,9}|[A-Za-z])(?:\.\.(-?[0-9]{1,9}))?")
_NO_QUOTES = str.maketrans("", "", "'\"")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")


def raw_of(text: str) -> str:
    """A word as written, line continuations removed."""
    return text.replace("\\\n", "") if "\\\n" in text else text


def add_unquoted(text: str, parts: list[Part]) -> None:
    """Append the parts of unquoted text; a character after a backslash is quoted."""
    if "\\" not in text:
        if text:
            parts.append(Literal(text))
        return
    at = 0
    for match in _BACKSLASHED.finditer(text):
        if match.start() > at:
            parts.append(Literal(text[at : match.start()]))
        at = match.end()
        character = match[1]
        if character is None:
            parts.append(Literal("\\"))
        elif character != "\n":
            parts.append(Literal(character, True))
    if at < len(text):
        parts.append(Literal(text[at:]))


def double_quoted(text: str) -> str:
    """The value of text between double quotes that holds no expansion."""
    return _IN_DOUBLE_QUOTES.sub(lambda m: "" if m[1] == "\n" else m[1], text) if "\\" in text else text


def here_document(text: str) -> str:
    """The value of text in an unquoted here-document that holds no expansion."""
    return re.sub(r"\\([$`\\\n])", lambda m: "" if m[1] == "\n" else m[1], text) if "\\" in text else text


def backticked(text: str) -> str:
    """The command text that stands between backticks."""
    return _IN_BACKTICKS.sub(r"\1", text) if "\\" in text else text


def ansi_c(text: str) -> str:
    """The value of what stands between `$'` and `'`; bash ends it at an encoded NUL."""
    return _ANSI_C.sub(_ansi_character, text).partition("\0")[0] if "\\" in text else text


def _ansi_character(match: re.Match[str]) -> str:
    letter, hexadecimal, short, long, octal, control = match.groups()
    if letter:
        return _ANSI_LETTERS[letter]
    if control:
        return chr(ord(control.upper()) & 0x1F) if control != "?" else "\x7f"
    code = int(octal, 8) & 0xFF if octal else int(hexadecimal or short or long, 16)
    return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"


def bare_delimiter(raw: str) -> str:
    """The line that ends a here-document; it differs from `raw` when the delimiter was quoted."""
    return re.sub(r"\\(.)|['\"]", lambda m: m[1] or "", raw) if "\\" in raw else raw.translate(_NO_QUOTES)


def as_assignment(word: Word) -> Assign | None:
    """A word read as `name=value`, where a command could still begin."""
    first = word.parts[0] if word.parts else None
    match = _ASSIGNMENT.match(first.text) if type(first) is Literal and not first.quoted else None
    if match is None or type(first) is not Literal:
        return None
    rest = first.text[match.end() :]
    parts = (Literal(rest), *word.parts[1:]) if rest else word.parts[1:]
    start = word.span[0] + match.end()
    value = Word(parts, (start, word.span[1]), word.raw[match.end() :]) if word.raw[match.end() :] else None
    return Assign(match[1], value, bool(match[2]))


# ---- braces

_Piece = str | Part
"""One unquoted character, or a part that braces cannot look into."""


def with_braces(parts: list[Part], span: Span) -> tuple[Part, ...]:
    """`parts` with each brace expansion in their unquoted literals turned into a `Brace`."""
    opened = 0
    for part in parts:
        if type(part) is Literal and not part.quoted:
            opened += part.text.count("{")
    if not opened:
        return tuple(parts)
    if opened > MOST_BRACES:
        return (
            Unknown("".join(p.text for p in parts if type(p) is Literal), (Word(tuple(parts), span, ""),)),
        )
    pieces: list[_Piece] = []
    for part in parts:
        if type(part) is Literal and not part.quoted:
            pieces.extend(part.text)
        else:
            pieces.append(part)
    return _expanded(pieces, span)


def _expanded(pieces: list[_Piece], span: Span) -> tuple[Part, ...]:
    out: list[Part] = []
    text: list[str] = []
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        if piece == "{":
            found = _brace(pieces, at, span)
            if found is not None:
                _flush(text, out)
                out.append(found[0])
                at = found[1]
                continue
        if type(piece) is str:
            text.append(piece)
        else:
            _flush(text, out)
            out.append(piece)  # type: ignore[arg-type]
        at += 1
    _flush(text, out)
    return tuple(out)


def _flush(text: list[str], out: list[Part]) -> None:
    if text:
        out.append(Literal("".join(text)))
        text.clear()


def _brace(pieces: list[_Piece], start: int, span: Span) -> tuple[Part, int] | None:
    """The expansion that begins at `start` and the place after it, or None where bash sees plain text."""
    depth, cuts = 0, [start]
    for at in range(start + 1, len(pieces)):
        piece = pieces[at]
        if piece == "{":
            depth += 1
        elif piece == "," and not depth:
            cuts.append(at)
        elif piece == "}":
            if depth:
                depth -= 1
                continue
            if len(cuts) == 1:
                part = _sequence(pieces[start + 1 : at], span)
                return None if part is None else (part, at + 1)
            cuts.append(at)
            if len(cuts) > MOST_ALTERNATIVES:
                return Unknown("{…}", (Word(tuple(_plain(pieces[start : at + 1])), span, ""),)), at + 1
            alternatives = (pieces[a + 1 : b] for a, b in pairwise(cuts))
            return Brace(tuple(_alternative(part, span) for part in alternatives)), at + 1
    return None


def _plain(pieces: list[_Piece]) -> list[Part]:
    return [Literal(piece) if isinstance(piece, str) else piece for piece in pieces]


def _alternative(pieces: list[_Piece], span: Span) -> Word:
    parts = _expanded(pieces, span)
    return Word(parts, span, "".join(p.text for p in parts if type(p) is Literal))


def _sequence(pieces: list[_Piece], span: Span) -> Part | None:
    match = _SEQUENCE.fullmatch("".join(t for t in pieces if isinstance(t, str)))
    if match is None or any(not isinstance(t, str) for t in pieces):
        return None
    first, last, step = match.groups()
    numeric = first.lstrip("-").isdigit()
    if numeric != last.lstrip("-").isdigit():
        return None
    low, high = (int(first), int(last)) if numeric else (ord(first), ord(last))
    stride = abs(int(step or 1)) or 1
    if abs(high - low) // stride >= MOST_ALTERNATIVES:
        return Unknown(match[0])
    width = (
        max(len(first), len(last))
        if any(e.lstrip("-")[:1] == "0" and len(e) > 1 for e in (first, last))
        else 0
    )
    values = range(low, high + 1, stride) if low <= high else range(low, high - 1, -stride)
    texts = (f"{value:0{width}d}" if numeric else chr(value) for value in values)
    return Brace(tuple(Word((Literal(text),), span, text) for text in texts))
