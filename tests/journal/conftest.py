"""A journal of each test's own."""

from pathlib import Path

import pytest

from ringwall.journal.write import Journal
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir


@pytest.fixture
def state(tmp_path: Path) -> StateDir:
    return StateDir(str(tmp_path / "state"))


@pytest.fixture
def journal(state: StateDir) -> Journal:
    return Journal(Store(state))
