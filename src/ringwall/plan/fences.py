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
_HTML = re.compile(r" {0,3}<(?:!--|(?P<word>script|pre|style|textarea)(?=[\s>]|$))", re.IGNORECASE)
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
    lines = markdown.split("\n")
    number = 0
    while number < len(lines):
        if html := _HTML.match(lines[number]):
            number = _after_html(lines, number, html)
            continue
        line = lines[number].rstrip("\r")
        opening = _OPENING.match(line)
        number += 1
        if opening is None:
            yield line
            continue
        start, fence = number, opening["fence"]
        closing = re.compile(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*\r?$")
        while number < len(lines) and not closing.match(lines[number]):
            number += 1
        yield Block(opening["word"], "\n".join(lines[start:number]), start, number < len(lines))
        number += 1


def _after_html(lines: list[str], number: int, html: re.Match[str]) -> int:
    """The line after a comment or another HTML block in which no Markdown is read."""
    end = re.compile("-->" if html["word"] is None else f"</{html['word']}>", re.IGNORECASE)
    start = html.end()
    while number < len(lines) and not end.search(lines[number], start):
        number, start = number + 1, 0
    return number + 1
