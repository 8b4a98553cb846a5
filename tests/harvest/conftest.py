"""A world of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.conftest import Program, project, ringwall
from harvest.world import World
from ringwall.store.paths import StateDir

__all__ = ["Program", "project", "ringwall"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def state(world: World) -> StateDir:
    return world.state
