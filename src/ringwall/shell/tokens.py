"""Source text in a curly-brace or scripting language → its tokens.

Invariant: strings, comments and regular expressions are recognised as such, so that nothing in them is
taken for code; unknown parts of a string are `HOLE`.
"""

from __future__ import annotations

from typing import NamedTuple

from ringwall.model.analysis import HOLE
from ringwall.shell.streams import escape_at

MOST = 60_000


class Token(NamedTuple):
    """`kind` is `name`, `string`, `command` (a string that a shell runs) or `mark`."""

    kind: str
    text: str
    line: int


class Syntax(NamedTuple):
    """What sets a language's lexemes apart. `opened` are the characters that begin an interpolation."""

    line_comments: tuple[str, ...] = ("//",)
    block_comment: tuple[str, str] | None = ("/*", "*/")
    quotes: str = "\"'"
    interpolating: str = ""
    opened: tuple[str, ...] = ()
    commands: str = ""
    slash_pattern: bool = False
    percent: tuple[str, ...] = ()  # prefixes of delimited command strings: `%x`, `qx`


def tokens(text: str, syntax: Syntax) -> list[Token]:
    """All tokens of `text`."""
    out: list[Token] = []
    at, line, size = 0, 1, min(len(text), MOST)
    while at < size:
        char = text[at]
        if char == "\n":
            line += 1
            out.append(Token("mark", "\n", line))
            at += 1
        elif char.isspace():
            at += 1
        elif text.startswith(syntax.line_comments, at):
            end = text.find("\n", at)
            at = size if end < 0 else end
        elif syntax.block_comment and text.startswith(syntax.block_comment[0], at):
            end = text.find(syntax.block_comment[1], at + 2)
            end = size if end < 0 else end + 2
            line += text.count("\n", at, end)
            at = end
        elif char in syntax.quotes or char in syntax.commands:
            value, end = _string(text, at, char, syntax)
            out.append(Token("command" if char in syntax.commands else "string", value, line))
            line += text.count("\n", at, end)
            at = end
        elif char.isalpha() or char in "_$@":
            end = at + 1
            while end < size and (text[end].isalnum() or text[end] in "_$"):
                end += 1
            name = text[at:end]
            if name in syntax.percent and end < size and text[end] in _PAIRS:
                value, end = _delimited(text, end)
                out.append(Token("command" if name == "qx" else "string", value, line))
            else:
                out.append(Token("name", name, line))
            at = end
        elif (
            char == "%"
            and text.startswith("%x", at)
            and "%x" in syntax.percent
            and text[at + 2 : at + 3] in _PAIRS
        ):
            value, at = _delimited(text, at + 2)
            out.append(Token("command", value, line))
        elif char == "/" and syntax.slash_pattern and _operand_expected(out):
            at = _pattern_end(text, at)
            out.append(Token("string", HOLE, line))
        else:
            out.append(Token("mark", char, line))
            at += 1
    return out


_PAIRS = {"{": "}", "(": ")", "[": "]", "<": ">", "|": "|", "!": "!", "/": "/"}


def _delimited(text: str, at: int) -> tuple[str, int]:
    end = text.find(_PAIRS[text[at]], at + 1)
    end = len(text) if end < 0 else end
    return text[at + 1 : end], end + 1


def _string(text: str, at: int, quote: str, syntax: Syntax) -> tuple[str, int]:
    """The value of the string that begins at `at`, and where it ends."""
    out: list[str] = []
    expands = quote in syntax.interpolating
    plain = quote == "'" and "'" not in syntax.interpolating and bool(syntax.opened)
    at += 1
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            if plain:
                out.append(text[at + 1] if text[at + 1] in "\\'" else text[at : at + 2])
                at += 2
            else:
                value, at = escape_at(text, at)
                out.append(value.removeprefix("\\"))
            continue
        if char == quote:
            return "".join(out), at + 1
        if expands and text.startswith(syntax.opened, at) and text[at + 1 : at + 2] not in (" ", quote, ""):
            at = _interpolation_end(text, at)
            out.append(HOLE)
            continue
        out.append(char)
        at += 1
    return "".join(out), at


def _interpolation_end(text: str, at: int) -> int:
    brace = text.find("{", at, at + 3)
    if brace >= 0:
        level = 0
        for index in range(brace, len(text)):
            level += (text[index] == "{") - (text[index] == "}")
            if level == 0:
                return index + 1
        return len(text)
    at += 1
    while at < len(text) and (text[at].isalnum() or text[at] in "_"):
        at += 1
    return at


def _operand_expected(out: list[Token]) -> bool:
    last = next((token for token in reversed(out) if token.text != "\n"), None)
    return last is None or (last.kind == "mark" and last.text not in (")", "]", "}")) or last.text == "return"


def _pattern_end(text: str, at: int) -> int:
    """Where a regular expression that begins at `at` ends; one past the slash where it does not."""
    inside = False
    for index in range(at + 1, len(text)):
        char = text[index]
        if char == "\n":
            return at + 1
        if text[index - 1] == "\\" and text[index - 2] != "\\":
            continue
        if char == "[":
            inside = True
        elif char == "]":
            inside = False
        elif char == "/" and not inside:
            return index + 1
    return at + 1
