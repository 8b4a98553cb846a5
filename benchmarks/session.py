"""A state directory with a running daemon, and payloads for it."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ringwall.daemon import lock
from ringwall.daemon.start import start
from ringwall.store.paths import StateDir


@dataclass(frozen=True, slots=True)
class Session:
    """Where the daemon keeps its state, its process, and the project that calls are made in."""

    state: StateDir
    process: int
    project: str

    @property
    def environ(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": self.project, "RINGWALL_HOME": self.state.path}

    def payload(self, command: str, call_id: str = "call") -> bytes:
        given = {
            "hook_event_name": "PreToolUse", "session_id": "benchmark", "cwd": self.project,
            "transcript_path": "/" + "t" * 120, "permission_mode": "default", "tool_name": "Bash",
            "tool_input": {"command": command, "description": "d" * 400}, "tool_use_id": call_id,
        }  # fmt: skip
        return json.dumps(given).encode()


@contextmanager
def session() -> Iterator[Session]:
    """A session with its daemon, which is ended with it."""
    with tempfile.TemporaryDirectory() as folder:
        state, project = StateDir(f"{folder}/state"), f"{folder}/home/project"
        os.makedirs(f"{project}/.git")
        state.prepare()
        start(state, {"PATH": os.environ["PATH"], "HOME": project})
        end = time.monotonic() + 60
        while not (os.path.exists(state.socket) and lock.holder(state)):
            if time.monotonic() > end:
                raise TimeoutError("the daemon does not start")
            time.sleep(0.02)
        process = lock.holder(state) or 0
        try:
            yield Session(state, process, project)
        finally:
            os.kill(process, signal.SIGTERM)
            while lock.holder(state) is not None:
                time.sleep(0.02)
