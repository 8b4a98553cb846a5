"""The rows of a corpus: JSON Lines with `command`, `expect`, `family`, `tags`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

OWN = Path(__file__).parent
SHARED = OWN.parents[2] / "shared" / "corpus"
"""Corpora that lie beside a checkout, where there are any."""


class Row(NamedTuple):
    """A command and what a person would say of it."""

    command: str
    expect: str


def rows(path: Path) -> list[Row]:
    """The rows of one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Row(row["command"], row["expect"]) for row in map(json.loads, filter(None, lines))]


def own_rows() -> list[Row]:
    """The rows of the files beside this one."""
    return [row for path in sorted(OWN.glob("*.jsonl")) for row in rows(path)]
