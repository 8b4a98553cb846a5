"""A judge on a real disk, in a home with a project of its own, and the calls of an agent that tries."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ringwall.hosts.protocol import HookReply
from ringwall.judge.judge import Judge
from ringwall.store.paths import StateDir


class Ground:
    """One machine: `home`, `project` in it, `state`, and the judge that stands over them."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.project = self.home / "code" / "app"
        self.state = StateDir(str(self.home / ".local/state/ringwall"))
        for folder in (self.project / "src", self.home / ".config/ringwall", self.home / ".claude"):
            folder.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.project)], check=True)
        self.judge = Judge(self.state)

    def write(self, path: str, content: object = "") -> Path:
        """A file below the project (or the home, with `~/`); what is no text becomes JSON."""
        file = self.home / path[2:] if path.startswith("~/") else self.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def deny(self, *rules: str) -> None:
        """The person's own policy, with these denials."""
        self.write("~/.config/ringwall/permissions.json", {"permissions": {"deny": rules}})

    def hook(
        self, event: str = "PreToolUse", env: Mapping[str, str] | None = None, **fields: Any
    ) -> HookReply:
        payload = {
            "hook_event_name": event, "session_id": "s1", "cwd": str(self.project),
            "permission_mode": "default", "tool_use_id": "call-1", **fields,
        }  # fmt: skip
        environ = {"HOME": str(self.home), "CLAUDE_PROJECT_DIR": str(self.project), **(env or {})}
        return self.judge.hook("claude", json.dumps(payload).encode(), environ)

    def answer(self, what: str | tuple[str, Mapping[str, Any]], **fields: Any) -> tuple[str, str]:
        """Verdict and reason for a command line or a (tool, input)."""
        tool, given = what if isinstance(what, tuple) else ("Bash", {"command": what})
        reply = self.hook(tool_name=tool, tool_input=dict(given), **fields)
        said = json.loads(reply.stdout)["hookSpecificOutput"]
        return said["permissionDecision"], said["permissionDecisionReason"]

    def verdict(self, what: str | tuple[str, Mapping[str, Any]], **fields: Any) -> str:
        return self.answer(what, **fields)[0]


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ground]:
    for name in [name for name in os.environ if name.startswith(("XDG_", "CLAUDE", "RINGWALL"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    made = Ground(tmp_path)
    yield made
    made.judge.close()
