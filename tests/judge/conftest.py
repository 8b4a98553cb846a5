"""A judge with a state, a home and a project of each test's own, and Claude Code's payloads for it."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ringwall.journal.read import Filter, read
from ringwall.journal.record import Record
from ringwall.judge.judge import Judge
from ringwall.store.paths import StateDir

Payload = Callable[..., bytes]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    monkeypatch.setenv("HOME", str(made))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "TMPDIR",
                 "CLAUDE_CODE_ENTRYPOINT", "RINGWALL_HEADLESS"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    return made


@pytest.fixture
def project(home: Path) -> Path:
    made = home / "project"
    made.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(made)], check=True)
    return made


@pytest.fixture
def state(tmp_path: Path) -> StateDir:
    return StateDir(str(tmp_path / "state"))


@pytest.fixture
def judge(state: StateDir, home: Path) -> Iterator[Judge]:
    made = Judge(state)
    yield made
    made.close()


@pytest.fixture
def payload(project: Path) -> Payload:
    def make(command: str = "ls", event: str = "PreToolUse", **fields: Any) -> bytes:
        given = {
            "hook_event_name": event, "session_id": "s1", "cwd": str(project), "permission_mode": "default",
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "call-1", **fields,
        }  # fmt: skip
        return json.dumps(given).encode()

    return make


def verdict(stdout: bytes) -> str:
    return str(json.loads(stdout)["hookSpecificOutput"]["permissionDecision"])


def journalled(judge: Judge, kind: str = "") -> list[Record]:
    with judge.store.reading() as connection:
        return list(read(connection, Filter(type=kind)))
