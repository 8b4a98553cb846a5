"""A machine that is not there: the look-ups of `Surroundings` answered from a few facts."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from ringwall.model.surroundings import Node, Places, Recovery

ROOT = "/home/dev/shop"


@dataclass(frozen=True)
class PaperMachine:
    """Files by absolute path; everything else is absent."""

    files: Mapping[str, str] = field(default_factory=dict)
    places: Places = field(
        default_factory=lambda: Places(
            root=ROOT,
            home="/home/dev",
            governor=("/home/dev/.local/state/ringwall",),
            endpoints=("127.0.0.1:7357",),
        )
    )

    def resolve(self, path: str) -> str | None:
        return posixpath.normpath(path)

    def node(self, path: str) -> Node:
        return Node.FILE if path in self.files else Node.ABSENT

    def names(self, directory: str) -> tuple[str, ...] | None:
        beginning = directory.rstrip("/") + "/"
        below = [path[len(beginning) :] for path in self.files if path.startswith(beginning)]
        return tuple(sorted({name.partition("/")[0] for name in below})) or None

    def read(self, path: str, limit: int = 262_144) -> str | None:
        return self.files.get(path)

    def env(self, name: str) -> str | None:
        return None

    def recovery(self, path: str) -> Recovery:
        return Recovery.UNKNOWN

    def branch(self, directory: str) -> str | None:
        return "main"

    def git_alias(self, directory: str, name: str) -> str | None:
        return None

    def second_reading(self, text: str) -> bytes | None:
        return None


@pytest.fixture
def machine() -> PaperMachine:
    return PaperMachine()
