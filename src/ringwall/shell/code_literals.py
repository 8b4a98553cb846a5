"""Commands that may stand in code which nobody here can read.

Invariant: a guess, so all that comes of it is only possible; the texts are literals of the code, backticks
and lists of words, never names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringwall.shell.understand import understand

_LITERAL = re.compile(
    r""""((?:[^"\\]|\\.){1,2000})"|'((?:[^'\\]|\\.){1,2000})'|`([^`]{1,2000})`"""
    r"""|(?:qw|%w|%x|q|qq|qx)\s{0,2}[(\[{</|]([^)\]}>/|]{1,2000})[)\]}>/|]|\(([^()"'`]{1,2000})\)|!([^\n]{1,2000})"""
)
_BETWEEN = re.compile(r"[\s,\[\](){}]{0,20}")
_MOST = 64
_PROCESS = re.compile(
    r"child_process|\b(?:send|__send__|public_send|syscmd|esyscmd|ctypes|pexpect|plumbum|ProcessBuilder)\b"
    r"|\bos:cmd\b|\bSystem\.cmd\b|\.execute\(\)|\bgetRuntime\b"
)


def starts_processes(code: str) -> bool:
    """Whether code names a way to start a process that the reading of calls may have missed."""
    return _PROCESS.search(code) is not None


def commands(code: str) -> Iterator[str]:
    """The literals of `code` that are commands with an effect, alone or joined with those behind them."""
    found = list(_LITERAL.finditer(code))[:_MOST]
    told: set[str] = set()
    for at, literal in enumerate(found):
        text = _text(literal)
        for end in range(at, len(found)):
            if end > at:
                if not _BETWEEN.fullmatch(code, found[end - 1].end(), found[end].start()):
                    break
                text = f"{text} {_text(found[end])}"
            if text not in told and _does_something(text):
                told.add(text)
                yield text


def _text(literal: re.Match[str]) -> str:
    return next(group for group in literal.groups() if group is not None)


def _does_something(text: str) -> bool:
    words = tuple(text.split())
    if not words or len(text) > 2000:
        return False
    meaning = understand(words)
    return meaning.known and (
        bool(meaning.carries)
        or any(effect.name != "observe" and effect.access != "observe" for effect in meaning.effects)
    )
