"""A real Claude Code on its stage, with Ringwall hooked in as a person would do it."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from hosts.install import claude
from hosts.processes import daemon_of
from hosts.stage import Stage


@pytest.fixture
def bare_stage(tmp_path: Path) -> Iterator[Stage]:
    """The stage without Ringwall."""
    if claude() is None:
        pytest.skip("Claude Code is not installed; python tests/hosts/install.py does it where npm is")
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    stage = Stage(tmp_path)
    stage.build()
    yield stage
    daemon = daemon_of(stage.state)
    if daemon is not None:
        os.kill(daemon, signal.SIGKILL)


@pytest.fixture
def stage(bare_stage: Stage) -> Stage:
    """The stage with the hooks registered in the project."""
    done = bare_stage.ringwall("init", "claude", "--yes")
    assert done.returncode == 0, done.stderr
    return bare_stage
