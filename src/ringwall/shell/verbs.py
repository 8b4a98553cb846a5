"""Verbs: what a word for an act says about commands that have no row of their own.

Invariant: loss outweighs change, change outweighs looking; a command without a verb is not classified. Two
kinds of words stand apart: after a word that can only look (`describe`) come names, and a word that names a
thing as well (`build`) is no change where a word for looking follows it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ringwall.shell.tables import family_text

_PIECES = re.compile(r"[-_:=./ ]+")
_FIRST_PIECE = re.compile(r"[-_]")
_A_THING = re.compile(r"[a-z][a-z_-]+")
_MOST_WORDS = 4


class Verbs(NamedTuple):
    """Verb lists by role, with those that only look and those that are names as well; `alarms` give the
    possible effect of a verb among an unknown program's words, `loud` are options that are such verbs."""

    read: frozenset[str]
    write: frozenset[str]
    destroy: frozenset[str]
    looking: frozenset[str]
    nouns: frozenset[str]
    loud: frozenset[str]
    alarms: dict[str, str]


@lru_cache(maxsize=1)
def verbs() -> Verbs:
    raw = tomllib.loads(family_text("verbs"))
    alarms = {verb: effect for effect, words in raw["alarms"].items() for verb in words}
    lists = {name: frozenset(raw[name]) for name in ("read", "write", "destroy", "looking", "nouns", "loud")}
    return Verbs(**lists, alarms=alarms)


def classify(words: Sequence[str]) -> str | None:
    """`read`, `write` or `destroy` for the operands of a command, None where no verb is among them.

    A verb stands alone or between `:` (`vm delete`, `apps:destroy`), else as the first piece of a word
    (`delete-bucket`, `purge_queue`).
    """
    lower = [word.lower() for word in words[:_MOST_WORDS]]
    whole = [piece for word in lower for piece in word.split(":")]
    return _role(whole) or _role([_FIRST_PIECE.split(piece, maxsplit=1)[0] for piece in whole])


def _role(pieces: Sequence[str]) -> str | None:
    lists, role = verbs(), None
    for piece in pieces:
        if piece in lists.destroy:
            return "destroy"
        if piece in lists.looking and role is None:
            return "read"
        if piece in lists.write and (role is None or role == "noun"):
            role = "noun" if piece in lists.nouns else "write"
        elif piece in lists.read and (role is None or role == "noun"):
            role = "read"
        elif piece in lists.looking and role == "noun":
            return "read"
    return "write" if role == "noun" else role


def could_be_a_noun(word: str) -> bool:
    """Whether a word that begins a command may name a thing (`node`, `logs`), no act and no look at one."""
    lists = verbs()
    first = _FIRST_PIECE.split(word.lower().rpartition(":")[2], maxsplit=1)[0]
    return first not in lists.looking and classify([word]) in (None, "read")


def destroys(words: Sequence[str]) -> bool:
    """Whether a verb of loss stands alone among words."""
    lists = verbs()
    return any(piece in lists.destroy for word in words[:_MOST_WORDS] for piece in word.lower().split(":"))


def is_act(option: str) -> bool:
    """Whether an option is an act of loss itself: `--delete`."""
    return option.startswith("--") and option[2:] in verbs().loud


def before_options(argv: Sequence[str], operands: Sequence[int]) -> list[str]:
    """The operands that name what to do: those up to the first option that follows one, where a verb is
    among them, because what comes later may be an option's value; else all."""
    near: list[str] = []
    for number, at in enumerate(operands):
        if number and at != operands[number - 1] + 1:
            break
        near.append(argv[at])
    return near if classify(near) is not None else [argv[at] for at in operands]


def alarming(argv: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The words of an unknown command that name an act of loss or of sending, with the effect feared."""
    if argv[-1] in ("--help", "help"):
        return
    lists = verbs()
    bare = [at for at in range(1, min(len(argv), 2 * _MOST_WORDS)) if not argv[at].startswith("-")]
    near = before_options(argv, bare)
    if classify(near) != "read":
        for number, at in enumerate(bare[: len(near)]):
            word = argv[at].lower()
            effect = next(
                (lists.alarms[piece] for piece in _PIECES.split(word) if piece in lists.alarms), None
            )
            if effect is None and number == 1 and _A_THING.fullmatch(argv[bare[0]]):
                effect = _after_noun(word)
            if effect is not None:
                yield at, effect
    for at, word in enumerate(argv):
        if is_act(word.partition("=")[0]):
            yield at, "data.destroy"


def _after_noun(word: str) -> str | None:
    """What an act on a thing may be (`subscriptions cancel`): clients of services are made of them."""
    lists = verbs()
    if word in lists.destroy:
        return "data.destroy"
    return "remote.write" if word in lists.write and word not in lists.nouns else None
