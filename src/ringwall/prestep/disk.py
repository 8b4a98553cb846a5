"""The little of a disk that the check of a project reads. Invariant: bounded, and looking only."""

from __future__ import annotations

from typing import Protocol


class Disk(Protocol):
    """A reader of the disk; links are followed. What cannot be looked up is not there."""

    def exists(self, path: str) -> bool:
        """Whether there is a file or directory."""

    def is_directory(self, path: str) -> bool:
        """Whether there is a directory."""

    def text(self, path: str) -> str:
        """The text of a regular file as far as the reader's bound; empty where there is none."""
