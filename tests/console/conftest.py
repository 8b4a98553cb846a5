"""One served console for a module, with its own machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .world import Browser, Served, World


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(Path(tmp_path_factory.mktemp("console")))
    yield made
    made.close()


@pytest.fixture(scope="module")
def served(world: World) -> Iterator[Served]:
    made = Served(world.env)
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser(served: Served) -> Browser:
    return served.browser()
