"""What understanding a call yields: its simple commands, its effects and its doubts.

Invariant: an analysis is complete. What could not be understood stands in it as a possible effect or a
doubt; it is never left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.model.action import Action
from ringwall.model.effects import Effect
from ringwall.model.text import Text

HOLE = "\x00"
"""Stands for an unknown part inside a word; no word of a real command can contain it."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A simple command as its knowledge row reads it, for rules to match on.

    `options` are canonical names (the row's last alias) with their values; `operands` are the rest, in
    order. Words may contain `HOLE`.
    """

    program: str
    path: tuple[str, ...] = ()
    options: tuple[tuple[str, str | None], ...] = ()
    operands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command that will, or may, run.

    `argv` holds evaluated words (with `HOLE` where unknown) after all wrappers were opened; `via` names the
    wrappers, outermost first; `known` is false for a program without a knowledge row.
    """

    argv: tuple[str, ...]
    invocation: Invocation
    span: tuple[int, int]
    cwd: str
    via: tuple[str, ...] = ()
    known: bool = True
    certain: bool = True  # false where it may not be reached, or its name has a hole


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason why the input may do more than was found. One doubt turns `allow` into `ask`.

    `code` is stable: `parsers_disagree`, `not_bash`, `too_long`, `too_deep`, `too_many`, `unreadable`.
    """

    code: str
    reason: Text
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read to judge the call; an approval is void when its digest changes."""

    path: str
    digest: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """An action with all that it will do."""

    action: Action
    effects: tuple[Effect, ...]
    commands: tuple[Command, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    files: tuple[ReadFile, ...] = ()
