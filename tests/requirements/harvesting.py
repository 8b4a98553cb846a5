"""What the requirement tests of the harvest share: a world of its own, and what is in its files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from harvest.world import World
from ringwall.store.paths import StateDir

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "harvest.md"
SOURCE = ROOT / "src" / "ringwall"
UUID = {"uuid": "Use UUIDs for ids."}
SECRET = "token=hunter2hunter2"
LATER = datetime(2026, 12, 2, tzinfo=UTC)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def state(world: World) -> StateDir:
    """What `ringwall` runs in is the world."""
    return world.state


def all_text(root: Path) -> str:
    """Everything in files below a folder."""
    files = (path for path in root.rglob("*") if path.is_file())
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def say(text: object) -> str:
    """A text in English."""
    return str(text)
