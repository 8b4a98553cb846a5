"""Text → syntax tree, by two readers that must agree wherever the first one may be wrong.

Invariant: a reading without doubts holds every command that bash would run. Any text gets a reading; no
text makes this raise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ringwall.model.analysis import Doubt
from ringwall.model.text import msg
from ringwall.shell.ast import Script
from ringwall.shell.bounds import (
    MOST_BRACKETS,
    MOST_CHARACTERS,
    MOST_COMMANDS,
    MOST_NESTING,
    MOST_PARTS,
    BoundError,
    TooDeep,
    TooTangled,
)
from ringwall.shell.dialect import foreign, marked
from ringwall.shell.reader_shfmt import read_second
from ringwall.shell.reader_shfmt_words import NotUnderstoodError
from ringwall.shell.reader_treesitter import read_plain
from ringwall.shell.simple import simple_commands

Second = Callable[[str], bytes | None]

_TRIGGER = re.compile(r"(?:\A|\S)\\\n")
"""Where tree-sitter is not asked alone: lines continued inside a word or an operator."""
_BLANK_TO_OTHERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\x80-\xa0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u3000\ud800-\udfff\ufeff]"
)
"""Ordinary characters to bash that other readers skip, refuse or cannot be given."""
_BRACKET = re.compile("[(){}]")
_REPEATED = re.compile(r"(?:\btime\s+){8}")
"""What nests without brackets, and takes the second reader long."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
"""What no terminal and no argument of a program carries unchanged."""
_SUBSCRIPT = re.compile(r"'[^']*\b\w+\[[^'\]]*(?:\$\(|`)[^']*'|\b\w+\[[^\]\s]*\\+[$`]")
"""A subscript with a substitution that quotes keep from the reader, not from arithmetic."""
_EVALUATES = re.compile(
    r"\[\[|\(\(|\$\{|\b\w+\+?=|(?:^|[\s;&|(])(?:test|\[|let|read|unset|printf|declare|typeset|local|wait)\s"
)
"""Where bash may evaluate a subscript that it is given as text."""
_PROMPT = re.compile(r"\$\{[^}]*@P\}")
_REJECTED = msg("only one of two readers could read the text")
_DIFFERENT = msg("two readers find different commands in the text")


@dataclass(frozen=True, slots=True)
class Reading:
    """`script` is None where nothing could be read; then there is a doubt."""

    script: Script | None
    doubts: tuple[Doubt, ...] = ()
    second_used: bool = False


def read(text: str, second: Second) -> Reading:
    """Read `text` as bash would. `second` gives the second reader's output for a text, or None."""
    if len(text) > MOST_CHARACTERS:
        long = msg("the text is longer than {bound} characters", bound=MOST_CHARACTERS)
        return Reading(None, (Doubt("too_long", long),))
    doubts = _unreadable(text)
    try:
        first = read_plain(text)
    except BoundError as bound:
        return Reading(None, (*doubts, _past(bound)))
    if first.odd or not first.sure or marked(text):
        other = foreign(first.script)
        doubts = doubts if other is None else (*doubts, other)
    if first.sure and not _TRIGGER.search(text):
        return Reading(first.script, doubts)
    if first.parts > MOST_PARTS:
        many = msg("a text of more than {bound} parts is not read twice", bound=MOST_PARTS)
        return Reading(first.script, (*doubts, Doubt("too_many", many)))
    if _brackets(text) > MOST_BRACKETS or _REPEATED.search(text):
        return Reading(first.script, (*doubts, _past(TooDeep())))
    return _agreed(text, first.script, second(_BLANK_TO_OTHERS.sub(_ordinary, text)), doubts)


def _agreed(text: str, first: Script, output: bytes | None, doubts: tuple[Doubt, ...]) -> Reading:
    """The reading of a text that the first reader may have misread."""
    if output is None:
        return Reading(first, (*doubts, Doubt("parsers_disagree", _REJECTED)), True)
    try:
        script = read_second(text, output)
    except NotUnderstoodError:
        return Reading(first, (*doubts, Doubt("parsers_disagree", _REJECTED)), True)
    except BoundError as bound:
        return Reading(first, (*doubts, _past(bound)), True)
    if simple_commands(first) != simple_commands(script):
        doubts = (*doubts, Doubt("parsers_disagree", _DIFFERENT))
    return Reading(script, doubts, True)


def _ordinary(match: re.Match[str]) -> str:
    """A character that every reader takes for an ordinary one, as long in UTF-8 as the one it stands for."""
    return "." if match[0] < "\x80" else "\xa1" if match[0] < "\u0800" else "\ue000"


def _brackets(text: str) -> int:
    """How many brackets are open at once at the deepest place of the text."""
    depth = most = 0
    for match in _BRACKET.finditer(text):
        if match[0] in "({":
            depth += 1
            most = max(most, depth)
        elif depth:
            depth -= 1
    return most


def _unreadable(text: str) -> tuple[Doubt, ...]:
    match = _SUBSCRIPT.search(text) if "[" in text and _EVALUATES.search(text) else None
    if match := match or (_PROMPT.search(text) if "@P}" in text else None):
        return (Doubt("evaluated", msg("bash may run what is quoted here"), match.span()),)
    match = None if text.isprintable() else _CONTROL.search(text)
    if match is None:
        return ()
    what = msg("the text holds the control character U+{code}", code=f"{ord(match[0]):04X}")
    return (Doubt("unreadable", what, match.span()),)


def _past(bound: BoundError) -> Doubt:
    if isinstance(bound, TooTangled):
        return Doubt(bound.code, msg("the text is too tangled to be read"))
    if bound.code == "too_deep":
        return Doubt(bound.code, msg("the text nests more than {bound} deep", bound=MOST_NESTING))
    return Doubt(bound.code, msg("the text holds more than {bound} commands", bound=MOST_COMMANDS))
