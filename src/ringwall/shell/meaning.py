"""What a knowledge row says about one simple command.

Invariant: made from argv alone (and the tables); paths are still as written, nothing was looked up on disk.
"""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.model.analysis import Invocation


@dataclass(frozen=True, slots=True)
class RawEffect:
    """An effect before its target is placed.

    `access` is `list` (names only), `read`, `write`, `delete` or `overwrite` (a write that goes through a
    whole tree) when the target is a path that decides the final name (`write` may become `write.outside`),
    `branch` when the branch checked out decides, else empty. `word` is the index of the argv word that it
    was read from, -1 for the command as a whole.
    """

    name: str
    target: str = ""
    access: str = ""
    certain: bool = True
    word: int = -1


@dataclass(frozen=True, slots=True)
class Carry:
    """Something else that the command will run.

    `kind` is `argv` (words are a command), `shell` (words, joined by spaces, are shell text), `code` (words
    are text in `language`), `file` (the word names a file of `language` that will run), `task` (`language`
    names the runner: `make`, `npm`, `just`, `git-alias`, …; the words name the targets), or `stdin`
    (standard input is text in `language`).
    """

    kind: str
    language: str = "shell"
    words: tuple[int, ...] = ()
    text: str | None = None  # where the text is only part of a word, or was assembled
    remote: bool = False  # runs on another machine or in a container
    extra: bool = False  # unknown words will be appended (xargs, find -exec)
    certain: bool = True
    cwd: str | None = None  # relative to the command's own directory
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """All that the tables say. `known` is false for a program without a row."""

    invocation: Invocation
    known: bool
    effects: tuple[RawEffect, ...] = ()
    carries: tuple[Carry, ...] = ()
