"""Verbs: what a word for an act says about commands that have no row of their own.

Invariant: loss outweighs change, change outweighs looking; a command without a verb is not classified.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ringwall.shell.tables import family_text

_PIECES = re.compile(r"[-_:=./ ]+")
_MOST_WORDS = 4


class Verbs(NamedTuple):
    """Verb lists by role; `alarms` give the possible effect of a verb among an unknown program's words."""

    read: frozenset[str]
    write: frozenset[str]
    destroy: frozenset[str]
    alarms: dict[str, str]


@lru_cache(maxsize=1)
def verbs() -> Verbs:
    raw = tomllib.loads(family_text("verbs"))
    alarms = {verb: effect for effect, words in raw["alarms"].items() for verb in words}
    return Verbs(frozenset(raw["read"]), frozenset(raw["write"]), frozenset(raw["destroy"]), alarms)


def classify(words: Sequence[str], form: str) -> str | None:
    """`read`, `write` or `destroy` for the operands of a command, None where no verb is among them.

    With form `kebab` a word's first piece is its verb (`delete-bucket`); with `words` a verb stands alone or
    as any piece between `:` (`apps:destroy`).
    """
    lists = verbs()
    found = set()
    for word in words[:_MOST_WORDS]:
        lower = word.lower()
        pieces = [lower.partition("-")[0], lower] if form == "kebab" else [*lower.split(":"), lower]
        for piece in pieces:
            for role in ("destroy", "write", "read"):
                if piece in getattr(lists, role):
                    found.add(role)
    return next((role for role in ("destroy", "write", "read") if role in found), None)


def alarming(argv: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The words of an unknown command that name an act of loss or of sending, with the effect feared."""
    alarms = verbs().alarms
    for at in range(1, min(len(argv), 2 * _MOST_WORDS)):
        for piece in _PIECES.split(argv[at].lower()):
            effect = alarms.get(piece)
            if effect is not None:
                yield at, effect
                break
