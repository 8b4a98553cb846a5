"""The disk look-ups that judging may make, and the places that they are measured against.

Invariant: pure rooms see the machine only through `Surroundings`; nothing in it writes, runs a program of
the project or follows the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Node(StrEnum):
    """What a path is on disk, links followed."""

    FILE = "file"
    DIRECTORY = "directory"
    OTHER = "other"  # device, socket, pipe
    ABSENT = "absent"
    UNREADABLE = "unreadable"


class Recovery(StrEnum):
    """What git can do for a path that is about to vanish or be overwritten."""

    CLEAN = "clean"  # everything there is tracked and unchanged
    IGNORED = "ignored"  # ignored by git: build output and the like
    LOST = "lost"  # untracked or changed: cannot be brought back
    ABSENT = "absent"  # nothing there
    UNKNOWN = "unknown"  # no repository, or git did not answer within its bound


@dataclass(frozen=True, slots=True)
class Places:
    """Absolute, resolved paths that decide where something is.

    `root` is the project root; `worktrees` its linked worktrees; `scratch` temporary directories and tool
    caches; `governor` Ringwall's state, configuration and program files; `private` what of it is not an
    agent's to read either; `registrations` the host configuration files that hold hooks; `endpoints` are
    `host:port` of Ringwall's own servers; `pids` its own processes.
    """

    root: str
    home: str
    worktrees: tuple[str, ...] = ()
    scratch: tuple[str, ...] = ("/tmp", "/var/tmp")  # noqa: S108 - the places themselves, not files in them
    governor: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    registrations: tuple[str, ...] = ()
    endpoints: tuple[str, ...] = ()
    pids: tuple[int, ...] = ()
    fold_case: bool = False


class Surroundings(Protocol):
    """Read-only, bounded look-ups. Every method answers for any input and never raises."""

    @property
    def places(self) -> Places: ...

    def resolve(self, path: str) -> str | None:
        """`path` (absolute) with links and `..` resolved as far as it exists; None where it cannot be."""

    def node(self, path: str) -> Node:
        """What `path` (absolute) is, links followed."""

    def names(self, directory: str) -> tuple[str, ...] | None:
        """The sorted names in `directory` (absolute), or None: absent, unreadable, more than 4,096."""

    def read(self, path: str, limit: int = 262_144) -> str | None:
        """The text of a regular file, or None: absent, not a file, longer than `limit` bytes, not text."""

    def env(self, name: str) -> str | None:
        """An environment variable that the agent's shell will start with, of a short list, or None."""

    def recovery(self, path: str) -> Recovery:
        """What git can bring back of `path` (absolute)."""

    def branch(self, directory: str) -> str | None:
        """The branch checked out at `directory`, or None."""

    def git_alias(self, directory: str, name: str) -> str | None:
        """The expansion of a git alias as configured at `directory`, or None."""

    def second_reading(self, text: str) -> bytes | None:
        """The second parser's JSON for `text` read as bash, or None where it rejects it or is not there."""
