"""A disk in memory for the check of a project, and a session of Claude Code with its transcript on disk."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ringwall.judge.judge import Judge
from ringwall.model.surroundings import Node

HEADING = "## OpenSpec и superpowers"
ROOT = "/home/dev/shop"


class Memory:
    """`Disk` over a table: text for a file, None for a directory. It notes what was looked at."""

    def __init__(self) -> None:
        self.entries: dict[str, str | None] = {}
        self.looked: list[str] = []

    def node(self, path: str) -> Node:
        self.looked.append(path)
        if path not in self.entries:
            return Node.ABSENT
        return Node.DIRECTORY if self.entries[path] is None else Node.FILE

    def read(self, path: str, limit: int = 0) -> str | None:
        self.looked.append(path)
        return self.entries.get(path)


def shop(*names: str, git: str | None = None, root: str = ROOT) -> Memory:
    """A repository at `root` with these of `openspec`, `.codegraph` and `CLAUDE.md` (with its heading)."""
    disk = Memory()
    disk.entries[f"{root}/.git"] = git
    for name in names:
        disk.entries[f"{root}/{name}"] = f"# Shop\n\n{HEADING}\n\nWe do.\n" if name == "CLAUDE.md" else None
    return disk


@dataclass
class Session:
    """A session of Claude Code: each event is sent to the judge, and what its hooks tell is written to the
    transcript as this host does it."""

    judge: Judge
    home: Path
    project: Path
    name: str = "s1"
    cwd: str = ""
    transcript: Path = field(init=False)

    def __post_init__(self) -> None:
        self.transcript = self.home / f"{self.name}.jsonl"
        self.line(type="user", sessionId=self.name, message={"role": "user", "content": "hello"})

    def line(self, **fields: Any) -> None:
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")

    def event(self, event: str, **fields: Any) -> str:
        """What the agent is told at an event, after its notice; it stands in the transcript then."""
        payload = {
            "hook_event_name": event, "session_id": self.name, "cwd": self.cwd or str(self.project),
            "transcript_path": str(self.transcript), **fields,
        }  # fmt: skip
        environ = {"HOME": str(self.home), "CLAUDE_PROJECT_DIR": str(self.project)}
        reply = self.judge.hook("claude", json.dumps(payload).encode(), environ)
        assert reply.exit == 0 and not reply.stderr, reply.stderr.decode()
        said = json.loads(reply.stdout).get("hookSpecificOutput", {})
        told = str(said.get("additionalContext", ""))
        if told:
            attachment = {"type": "hook_additional_context", "hookEvent": event, "content": [told]}
            self.line(type="attachment", isSidechain=False, attachment=attachment)
        return told

    def start(self, source: str = "startup") -> str:
        return self.event("SessionStart", source=source)

    def says(self, prompt: str, **fields: Any) -> str:
        return self.event("UserPromptSubmit", prompt=prompt, **fields)

    def compacts(self) -> None:
        self.line(type="system", subtype="compact_boundary", isSidechain=False)
        self.line(type="user", isCompactSummary=True, message={"role": "user", "content": "in short"})
