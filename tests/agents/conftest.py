"""A registry of its own for each test, and the verbs without a process of their own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ringwall.agents.registry import Registry
from ringwall.cli.main import run
from ringwall.setup.person import AGENT_VARIABLES
from ringwall.store.paths import StateDir

Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def state(tmp_path: Path) -> StateDir:
    return StateDir(str(tmp_path / "state"))


@pytest.fixture
def registry(state: StateDir) -> Registry:
    return Registry(state)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def ringwall(
    state: StateDir, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """Runs a verb in this process; extra variables as keywords."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("RINGWALL_HOME", state.path)
    monkeypatch.setenv("LC_ALL", "C")
    for name in AGENT_VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def ran(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as inner:
            for name, value in variables.items():
                inner.setenv(name, value)
            capsys.readouterr()
            status = run(list(arguments))
        told = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, told.out, told.err)

    return ran
