"""The real program, in an environment that holds nothing of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty git repository."""
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True, env=_bare(tmp_path))
    return folder


@pytest.fixture
def ringwall(tmp_path: Path, project: Path) -> Program:
    """Runs `ringwall` with an empty home and state directory; extra variables as keywords."""

    def run(*arguments: str, stdin: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "ringwall.cli.main", *arguments],
            input=data, capture_output=True, cwd=project, env={**_bare(tmp_path), **variables}, timeout=120,
        )  # fmt: skip
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


def _bare(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    state = tmp_path / "state"
    return {"PATH": os.environ["PATH"], "HOME": str(home), "RINGWALL_HOME": str(state), "LC_ALL": "C"}
