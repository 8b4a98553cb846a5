"""Real MCP programs in an environment that holds nothing of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

import anyio
from mcp import Client, StdioServerParameters

from ringwall.store.paths import StateDir

RINGWALL = [sys.executable, "-m", "ringwall.cli.main"]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "home").mkdir()
    return {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "RINGWALL_HOME": str(tmp_path / "state"),
        "LC_ALL": "C",
    }  # fmt: skip


@pytest.fixture
def state(tmp_path: Path) -> StateDir:
    made = StateDir(str(tmp_path / "state"))
    made.prepare()
    return made


@pytest.fixture
def project(tmp_path: Path, environ: dict[str, str]) -> Path:
    made = tmp_path / "home" / "project"
    made.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(made)], check=True, env=environ)
    return made


def talk(
    words: list[str], folder: Path, environ: dict[str, str], dialogue: Callable[[Any], Any], **options: Any
) -> Any:
    """What a dialogue with an MCP server process comes to; the client is the SDK's."""

    async def main() -> Any:
        parameters = StdioServerParameters(command=words[0], args=words[1:], env=environ, cwd=str(folder))
        with anyio.fail_after(60):
            async with Client(parameters, **options) as client:
                return await dialogue(client)

    return anyio.run(main)
