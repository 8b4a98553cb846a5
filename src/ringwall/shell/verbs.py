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

    With form `words` a verb stands alone or between `:` (`vm delete`, `apps:destroy`), else as the first
    piece of a word; with `kebab` that comes first (`delete-bucket`).
    """
    lower = [word.lower() for word in words[:_MOST_WORDS]]
    firsts = [word.partition("-")[0] for word in lower]
    whole = [piece for word in lower for piece in (word, *word.split(":"))]
    if form == "kebab":
        return _role([*firsts, *whole])
    return _role(whole) or _role(firsts)


def _role(pieces: Sequence[str]) -> str | None:
    lists = verbs()
    for role, known in (("destroy", lists.destroy), ("write", lists.write), ("read", lists.read)):
        if any(piece in known for piece in pieces):
            return role
    return None


def alarming(argv: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The words of an unknown command that name an act of loss or of sending, with the effect feared."""
    alarms = verbs().alarms
    for at in range(1, min(len(argv), 2 * _MOST_WORDS)):
        for piece in _PIECES.split(argv[at].lower()):
            effect = alarms.get(piece)
            if effect is not None:
                yield at, effect
                break
