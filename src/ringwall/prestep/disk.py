"""The little of a disk that the check of a project reads. Invariant: bounded, and looking only."""

from __future__ import annotations

from typing import Protocol

from ringwall.model.surroundings import Node

MOST_BYTES = 1_048_576
"""Of a file in which a heading is looked for; a longer one counts as not having it."""


class Disk(Protocol):
    """The part of `Surroundings` that is needed here; links are followed, nothing raises."""

    def node(self, path: str) -> Node:
        """What `path` is."""

    def read(self, path: str, limit: int = MOST_BYTES) -> str | None:
        """The text of a regular file; None where it is longer than `limit` bytes or cannot be read."""
