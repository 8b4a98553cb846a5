"""Where verbs print: styled lines on a terminal, plain lines anywhere else, JSON when asked.

Invariant: colours and the library that makes them are used only on a terminal; the words are the same in
both forms.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Any

from ringwall.cli.catalogue import show
from ringwall.cli.visible import hidden, visible, wrap
from ringwall.model.text import Text
from ringwall.model.verdict import Verdict

PLAIN_WIDTH = 80
WIDEST = 120

VERDICT_STYLES = {Verdict.ALLOW: "bold green", Verdict.ASK: "bold yellow", Verdict.DENY: "bold red"}


@dataclass(frozen=True, slots=True)
class Part:
    """Some text of one style (a style is a phrase such as `bold red`)."""

    text: str
    style: str = ""


Line = tuple[Part, ...]


def line(*parts: Part | str) -> Line:
    """A line from parts and bare strings."""
    return tuple(Part(part) if isinstance(part, str) else part for part in parts)


def styled_verdict(verdict: str, width: int = 5) -> Part:
    """A verdict in its colour, as wide as the widest; blanks where there is none."""
    style = VERDICT_STYLES[Verdict(verdict)] if verdict in VERDICT_STYLES else ""
    return Part(verdict.ljust(width), style)


def paragraph(text: Text | str, indent: int = 0, style: str = "") -> list[Line]:
    """A text wrapped to the page."""
    words = visible(text if isinstance(text, str) else show(text))
    return [line(" " * indent, Part(row, style)) for row in wrap(words, page_width() - indent)]


def page_width() -> int:
    """The cells of a line: the terminal's, 80 where there is none."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return PLAIN_WIDTH
    return max(40, min(WIDEST, get_terminal_size((PLAIN_WIDTH, 24)).columns))


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines on stdout."""
    if not sys.stdout.isatty():
        for each in lines:
            _write("".join(part.text for part in each).rstrip() + "\n")
        return
    from rich.console import Console
    from rich.text import Text as Styled

    console = Console(highlight=False, soft_wrap=True)
    for each in lines:
        console.print(Styled.assemble(*((part.text, part.style) for part in each)))


def print_json(value: Any) -> None:
    """Print one JSON value: indented for a terminal, on one line for a program."""
    _write(json_text(value, 2 if sys.stdout.isatty() else None) + "\n")


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON that can always be written as UTF-8, and shown: what no terminal shows stands escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_text)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(json.dumps(each)[1:-1] if hidden(each) else each for each in text)


def _text(value: Any) -> str:
    return show(value) if isinstance(value, Text) else str(value)


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def warn(text: Text) -> None:
    """Say something on stderr that is not the answer."""
    sys.stderr.write("\n".join(wrap(show(text), page_width())) + "\n")
