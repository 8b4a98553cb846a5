"""A judge with a home, a project and a session, for hints before a step."""

import pytest

from prestep.world import Session
from threat.conftest import Ground, ground

__all__ = ["ground"]


@pytest.fixture
def session(ground: Ground) -> Session:
    """A session in a project without any signal, with the Russian profile."""
    ground.write("~/.config/ringwall/ringwall.toml", '[prestep]\nprofile = "ru"\n')
    return Session(ground.judge, ground.home, ground.project)
