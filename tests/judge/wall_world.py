"""A project with a plan, a judge with a real store, and hook payloads as Claude Code sends them."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ringwall.hosts.protocol import HookReply
from ringwall.judge.case import Asked
from ringwall.judge.judge import Judge
from ringwall.judge.plans import Plans, Reviewed
from ringwall.judge.waiting import Waiting
from ringwall.judge.wall.kept import Kept
from ringwall.model.errors import UsageError
from ringwall.store.paths import StateDir

ANN = "person:ann"
WRITE_A: dict[str, Any] = {"op": "Write", "object": "src/a.py"}
WRITE_B: dict[str, Any] = {"op": "Write", "object": "src/b.py"}
TESTS: dict[str, Any] = {"op": "Bash", "object": "make check"}
SESSION: dict[str, Any] = {
    "op": "session", "goal": "Walk through the shop", "tools": ["browser_click", "browser_type"],
    "produces": "reports/shop.md",
}  # fmt: skip


def markdown(steps: Iterable[Any], skills: Iterable[Any] = ()) -> str:
    return (
        "# The shop\n\nWhy and how.\n\n"
        f"```steps-json\n{json.dumps(list(steps), indent=1)}\n```\n\n"
        f"```skills-json\n{json.dumps(list(skills))}\n```\n"
    )


class World:
    """`root` gets a home, a project (a repository with one commit) and a state of its own. Time stands still
    unless a test moves it."""

    def __init__(self, root: Path, preset: str = "walled") -> None:
        self.home = root / "home"
        self.project = self.home / "shop"
        (self.project / "plans").mkdir(parents=True)
        (self.project / "src").mkdir()
        (self.project / "README.md").write_text("A shop.\n")
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "dev@example.com")
        self.git("config", "user.name", "Dev")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Begin")
        config = self.home / ".config" / "ringwall"
        config.mkdir(parents=True)
        (config / "ringwall.toml").write_text(f'preset = "{preset}"\n')
        self.environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        self.state = StateDir(str(root / "state"))
        self.now = 1_796_000_000 * 10**9
        self.calls = itertools.count(1)
        self.judge = self.new_judge()
        self.plans = Plans(self.state, self.environ, lambda: self.now)

    def new_judge(self) -> Judge:
        return Judge(self.state, lambda: self.now)

    def close(self) -> None:
        self.judge.close()
        self.plans.close()

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", "-C", str(self.project), *words], check=True, capture_output=True)
        return done.stdout.decode()

    # ---- what a person does

    def write_plan(self, *steps: Any, name: str = "plans/shop.md", skills: Iterable[Any] = ()) -> Path:
        path = self.project / name
        path.write_text(markdown(steps, skills))
        return path

    def review(self, name: str = "plans/shop.md") -> Reviewed:
        return self.plans.review(name, str(self.project))

    def seal(self, *steps: Any, name: str = "plans/shop.md", skills: Iterable[Any] = ()) -> Kept:
        if steps:
            self.write_plan(*steps, name=name, skills=skills)
        return self.plans.seal(self.review(name), ANN)

    @property
    def plan(self) -> Kept | None:
        return self.plans.active(str(self.project))

    @property
    def at(self) -> int:
        """Where the pointer stands; -1 in conversation."""
        plan = self.plan
        return plan.pointer.at if plan is not None else -1

    @property
    def held(self) -> bool:
        plan = self.plan
        return plan is not None and plan.pointer.held is not None

    # ---- what the host does

    def payload(self, event: str, tool: str = "", values: Any = None, call: str = "", **more: Any) -> bytes:
        given: dict[str, Any] = {
            "hook_event_name": event, "session_id": "s1", "cwd": str(self.project),
            "permission_mode": "bypassPermissions",
        }  # fmt: skip
        if tool:
            given |= {"tool_name": tool, "tool_input": values or {}, "tool_use_id": call}
        return json.dumps({**given, **more}).encode()

    def hook(self, event: str, tool: str = "", values: Any = None, call: str = "", **more: Any) -> HookReply:
        return self.judge.hook("claude", self.payload(event, tool, values, call, **more), self.environ)

    def before(self, tool: str, values: Any, call: str = "", **more: Any) -> tuple[str, str]:
        """The verdict and the reason that the host is given for a call."""
        return answer(self.hook("PreToolUse", tool, values, call or f"auto{next(self.calls)}", **more))

    def after(self, tool: str, values: Any, call: str, **more: Any) -> str:
        """What the agent is told after a call that succeeded."""
        return context(self.hook("PostToolUse", tool, values, call, **more))

    def failed(self, tool: str, values: Any, call: str, **more: Any) -> str:
        return context(self.hook("PostToolUseFailure", tool, values, call, **more))

    def together(self, *payloads: bytes) -> list[str]:
        """The verdicts on calls that come at the same moment."""
        group = [Asked("claude", payload, self.environ) for payload in payloads]
        return [answer(reply)[0] for reply in map(_reply, self.judge.hooks(group))]

    def write(self, path: str, content: str = "x = 1\n", call: str = "") -> bool:
        """Let the agent write a file, as far as it may; whether it was let."""
        call = call or f"auto{next(self.calls)}"
        values = {"file_path": str(self.project / path), "content": content}
        verdict, _ = self.before("Write", values, call)
        if verdict == "allow":
            (self.project / path).parent.mkdir(parents=True, exist_ok=True)
            (self.project / path).write_text(content)
            self.after("Write", values, call)
        return verdict == "allow"

    def bash(self, command: str, call: str = "", **more: Any) -> tuple[str, str]:
        return self.before("Bash", {"command": command}, call, **more)


def _reply(found: HookReply | Waiting) -> HookReply:
    return found.otherwise if isinstance(found, Waiting) else found


def answer(reply: HookReply) -> tuple[str, str]:
    """Verdict and reason; a call that was stopped without a verdict is `none`."""
    if not reply.stdout:
        return "none", reply.stderr.decode()
    said = json.loads(reply.stdout).get("hookSpecificOutput", {})
    return said.get("permissionDecision", "none"), said.get("permissionDecisionReason", "")


def context(reply: HookReply) -> str:
    if not reply.stdout:
        return reply.stderr.decode()
    return str(json.loads(reply.stdout).get("hookSpecificOutput", {}).get("additionalContext", ""))


def code_of(error: UsageError) -> str:
    return error.code
