"""A state directory of each test's own."""

from pathlib import Path

import pytest

from ringwall.store.paths import StateDir


@pytest.fixture
def state(tmp_path: Path) -> StateDir:
    return StateDir(str(tmp_path / "state"))
