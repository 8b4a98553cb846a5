"""From a view to HTML.

Invariant: every value is escaped, and every character of it that a browser would hide or let reorder others
stands as its escape, marked; nothing is cut.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from ringwall.console.console import Console
from ringwall.console.page import Page, View
from ringwall.console.registry import pages
from ringwall.model.text import Text, msg
from ringwall.model.visible import glyph, visible

FOLDER = Path(__file__).parent
NONCE = "nonce"

ENTER = "enter"

_NO_ENTER = Markup('<button hidden name="{}" value="1"></button>').format(ENTER)
"""The first button of a form is the one that Enter in a field presses; what it sends is refused."""


@lru_cache(maxsize=1)
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    made.filters.update(plain=plain, moment=moment, clock=clock, as_pair=lambda value: (value, value))
    return made


def page(console: Console, browser: str, here: Page | None, view: View) -> str:
    """The whole page that a paired browser gets."""

    def nonce(path: str) -> Markup:
        made = console.nonces.issue(browser, path)
        return _NO_ENTER + Markup('<input type="hidden" name="{}" value="{}">').format(NONCE, made)

    told = console.told(browser)
    menu = [(one, one.count(console) if one.count else 0) for one in pages() if one.order]
    return _render(
        console,
        view,
        nonce=nonce,
        new_nonce=lambda path: console.nonces.issue(browser, path),
        menu=menu,
        here=here,
        told=console.show(told) if told else "",
    )


def outside(console: Console, view: View) -> str:
    """A page for a browser that is not paired."""
    return _render(console, view, menu=(), here=None, told="")


def _render(console: Console, view: View, **given: Any) -> str:
    def texts(template: str, **args: object) -> str:
        return console.show(msg(template, **args))

    def shown(text: Text | str) -> str:
        return console.show(text) if isinstance(text, Text) else text

    values = {**given, **view.values}
    template = _templates().get_template(view.template)
    return template.render(
        _=console.translate, msg=texts, show=shown, who=console.who, language=console.language, **values
    )


def plain(text: object) -> Markup:
    """Text as it is, with what would be hidden in sight."""
    whole = str(text).replace("\x00", "…")
    return Markup("\n").join(
        escape(line) if _in_sight(line) else Markup().join(map(_sight, line)) for line in whole.split("\n")
    )


def _in_sight(line: str) -> bool:
    return line.isprintable() and (line.isascii() or visible(line) == line)


def _sight(character: str) -> Markup:
    shown = glyph(character)
    if shown == character or not shown.strip():
        return escape(shown)
    name = unicodedata.name(character, "control character")
    return Markup('<span class="hidden" title="{}">{}</span>').format(f"U+{ord(character):04X} {name}", shown)


def clock(seconds: int) -> Markup:
    """A moment given in Unix seconds."""
    return moment(datetime.fromtimestamp(seconds, UTC).isoformat())


def moment(text: str) -> Markup:
    """A moment given in RFC 3339, in the time of this machine; what is no moment stands as it is."""
    try:
        at = datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        return plain(text)
    return Markup('<time datetime="{}">{}</time>').format(
        at.isoformat(timespec="seconds"), at.strftime("%Y-%m-%d %H:%M:%S")
    )
