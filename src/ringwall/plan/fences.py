"""The fenced blocks of a Markdown file that Ringwall reads, with the lines they stand on.

Invariant: a block is what CommonMark takes for a fenced code block at the top of the document; whatever
else the file says is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

STEPS = "steps-json"
SKILLS = "skills-json"

_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})[ \t]*(?P<word>[^\s`]*)")
_TAGS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir"
    " div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html"
    " iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary"
    " table tbody td tfoot th thead title tr track ul"
).replace(" ", "|")
_HTML = (  # how an HTML block begins, and what ends it
    (r"<(?:script|pre|style|textarea)(?=[\s>]|$)", r"</(?:script|pre|style|textarea)>"),
    (r"<!(?=--)", r"-->"),
    (r"<\?", r"\?>"),
    (r"<!\[CDATA\[", r"\]\]>"),
    (r"<![A-Za-z]", r">"),
    (rf"</?(?:{_TAGS})(?:[ \t>]|/>|$)", r"^[ \t]*$"),
    (r"</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>[ \t]*$", r"^[ \t]*$"),
)
_BLOCKS = tuple(
    (
        re.compile(rf" {{0,3}}(?:[-*+>]+[ \t]+|[0-9]{{1,9}}[.)][ \t]+)*{begin}", re.IGNORECASE),
        re.compile(end, re.IGNORECASE),
    )
    for begin, end in _HTML
)
_ENDS = re.compile(r"\r\n|\n|\r")
_TITLE = re.compile(r" {0,3}#[ \t]+(?P<title>.*?)(?:[ \t]+#+)?[ \t]*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A block whose info string begins with `word`. `line` is the line of its opening fence, from 1."""

    word: str
    text: str
    line: int
    closed: bool = True

    def place(self, at: int) -> tuple[int, int]:
        """Line and column in the Markdown file, from 1, of the character `at` of the text."""
        return self.line + 1 + self.text.count("\n", 0, at), at - self.text.rfind("\n", 0, at)


def blocks(markdown: str) -> Iterator[Block]:
    """Every fenced block in order."""
    return (part for part in _parts(markdown) if isinstance(part, Block))


def title_of(markdown: str) -> str:
    """The first heading of the first level that stands outside the blocks, or nothing."""
    lines = (part for part in _parts(markdown) if isinstance(part, str))
    return next((found["title"] for line in lines if (found := _TITLE.match(line))), "")


def _parts(markdown: str) -> Iterator[Block | str]:
    """The fenced blocks, and the lines outside them; of HTML blocks nothing."""
    lines = _ENDS.split(markdown)
    number = 0
    while number < len(lines):
        line = lines[number]
        if after := _after_html(lines, number):
            number = after
            continue
        opening = _OPENING.match(line)
        number += 1
        if opening is None:
            yield line
            continue
        start, fence = number, opening["fence"]
        closing = re.compile(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$")
        while number < len(lines) and not closing.match(lines[number]):
            number += 1
        yield Block(opening["word"], "\n".join(lines[start:number]), start, number < len(lines))
        number += 1


def _after_html(lines: list[str], number: int) -> int:
    """The line after a comment or another HTML block that begins here, in which no Markdown is read; 0 where
    none does. One that begins in a list or a quote is followed to its own end, not to that of the list."""
    for begin, end in _BLOCKS:
        if found := begin.match(lines[number]):
            start = found.end()
            while number < len(lines) and not end.search(lines[number], start):
                number, start = number + 1, 0
            return number + 1
    return 0
