"""Trusting a project's policy files.

Invariant: what is trusted is the digest of what was shown; a file that has changed since is not.
"""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.console.console import Console
from ringwall.journal.write import Journal
from ringwall.judge import standing
from ringwall.judge.policies import layer_files
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.policy.source import PolicyFile


@dataclass(frozen=True, slots=True)
class Shown:
    """A policy file of a project as it is now."""

    file: PolicyFile
    text: str
    trusted: bool


def files(console: Console, root: str) -> list[Shown]:
    """The project's policy files, whole."""
    with console.store.reading() as connection:
        trusted = standing.read_standing(connection).trusted
    found = layer_files(f"{root}/.ringwall").present
    return [
        Shown(one, one.content.decode("utf-8", "replace"), (one.name, one.digest) in trusted) for one in found
    ]


def settle(console: Console, root: str, path: str, digest: str, trusted: bool) -> None:
    """Trust a file as it was shown, or no more. Raises `UsageError` where it is not what was shown."""
    if not any((one.file.name, one.file.digest) == (path, digest) for one in files(console, root)):
        raise UsageError(
            "console.stale",
            msg("{path} is not what was shown.", path=path),
            msg("Look at it again and decide then."),
        )
    with Journal(console.store, console.clock).writing() as entry:
        (standing.trust if trusted else standing.distrust)(entry, path, digest)
