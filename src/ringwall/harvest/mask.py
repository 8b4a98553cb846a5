"""Stars secrets out of what the harvest exports (H-33…H-37).

Invariant: all that the table knows is replaced by `***`, whatever the language around it; what is too long to
be looked at is left out and says so. The table is `secrets.toml`. It is a sieve against mistakes and no proof
that a text holds no secret (H-37).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from ringwall.harvest import secret_checks

MASK = "***"
TEXT_LIMIT = 16_384
"""Characters of one text that are looked at; a note of a person is far shorter."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of secret. `hints`: words of which one must be there; `match` has each secret in ⟦⟧."""

    name: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    checks: tuple[Callable[[str], bool], ...]
    match: tuple[str, ...]
    no_match: tuple[str, ...]


CHECKS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "not-words": secret_checks.not_words,
        "not-prose": secret_checks.not_prose,
        "not-cyrillic": secret_checks.not_cyrillic,
        "not-placeholder": secret_checks.not_placeholder,
        "not-one-letter": secret_checks.not_one_letter,
        "random": secret_checks.random,
    }
)


@cache
def rows() -> tuple[Row, ...]:
    """The table, in its order."""
    table = tomllib.loads(files("ringwall.harvest").joinpath("secrets.toml").read_text(encoding="utf-8"))
    return tuple(
        Row(
            row["name"],
            re.compile(row["pattern"]),
            tuple(row.get("hints", ())),
            tuple(CHECKS[name] for name in row.get("check", ())),
            tuple(row["match"]),
            tuple(row["no_match"]),
        )
        for row in table["secret"]
    )


def mask(text: str) -> str:
    """`text` with every secret that the table knows as `***`, and without invisible characters.

    Of a text over `TEXT_LIMIT` characters the rest is left out and counted in its place.
    """
    seen = _starred(visible(text[:TEXT_LIMIT]))
    left = len(text) - TEXT_LIMIT
    return f"{seen} {MASK} [{left} characters left out]" if left > 0 else seen


def visible(text: str) -> str:
    """`text` without the characters that nobody sees, behind which a secret could hide; in plain widths."""
    if text.isascii():
        return text
    if not text.isprintable() or not _BLANKS.isdisjoint(text):  # what is printable is of no unseen category
        text = "".join(character for character in text if not _unseen(character))
    return text.translate(_PLAIN)


def _starred(text: str) -> str:
    out, done = [], 0
    for start, end in sorted(_spans(text), key=lambda span: (span[0], -span[1])):
        if start >= done:
            out += [text[done:start], MASK]
        done = max(done, end)
    return "".join(out) + text[done:]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    small = text.lower()
    there = {hint for hint in _hints() if hint in small}
    for row in rows():
        if row.hints and there.isdisjoint(row.hints):
            continue
        for found in row.pattern.finditer(text):
            start, end = found.span(found.lastgroup or 0)
            secret = text[start:end]
            if secret != MASK and all(check(secret) for check in row.checks):
                yield start, end


@cache
def _hints() -> tuple[str, ...]:
    """Every hint of the table, once."""
    return tuple({hint: None for row in rows() for hint in row.hints})


def _unseen(character: str) -> bool:
    return unicodedata.category(character) == "Cf" or character in _BLANKS


_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\ufe00\ufe0e\ufe0f\uffa0")
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
