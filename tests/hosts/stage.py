"""The stage for a real Claude Code: an empty home, a repository with a remote, a model that follows a script.

Invariant: the program runs with a scrubbed environment and a dummy key, and reaches nothing but 127.0.0.1.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hosts import scripted_model
from hosts.install import claude

Json = dict[str, Any]

RINGWALL = os.path.join(os.path.dirname(sys.executable), "ringwall")

MODES = ("default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto")


def call(tool: str, **given: Any) -> Json:
    """A turn of the model that makes one call."""
    return {"calls": [{"name": tool, "input": given}]}


def bash(command: str) -> Json:
    return call("Bash", command=command, description="as scripted")


def lane(name: str, *turns: Json, match: str | None = None) -> Json:
    found: Json = {"name": name, "turns": list(turns)}
    return found if match is None else {**found, "match": match}


@dataclass(frozen=True)
class Played:
    """What happened: the model's side of it, the host's own stream, and how the host ended."""

    exchanges: list[Json]
    stream: str
    errors: str
    exit: int

    def told(self, name: str = "main") -> list[str]:
        """The tool results that the model of one lane received, in order."""
        return [
            result["text"]
            for exchange in self.exchanges
            if exchange["lane"] == name
            for result in exchange["results"]
        ]

    def __str__(self) -> str:
        told = "\n".join(f"{e['lane']} {e['turn']}: {e['results']} → {e['reply']}" for e in self.exchanges)
        return f"exit {self.exit}\n{told}\n{self.stream[-3000:]}\n{self.errors[-3000:]}"


@dataclass
class Stage:
    """`folder` holds all: `home`, `project` (a repository), its bare remote `remote.git`, and `state`."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def remote(self) -> Path:
        return self.folder / "remote.git"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def settings(self) -> Path:
        return self.project / ".claude" / "settings.json"

    @property
    def env(self) -> dict[str, str]:
        """The whole environment of everything that runs here."""
        folders = [os.path.dirname(sys.executable), "/usr/local/bin", "/usr/bin", "/bin"]
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(folders),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": str(self.folder / "tmp"),
            "RINGWALL_HOME": str(self.state),
            "RINGWALL_HEADLESS": "0",  # no call waits for a person, unless a test wants it
            **self.variables,
        }

    def build(self) -> None:
        for name in ("home", "project", "tmp"):
            (self.folder / name).mkdir()
        self.git("init", "-q", "--bare", "-b", "main", str(self.remote))
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "dev@example.com")
        self.git("config", "user.name", "Dev")
        (self.project / "README.md").write_text("A shop.\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Begin")
        self.git("remote", "add", "origin", str(self.remote))

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.project, env=self.env, check=True, capture_output=True, text=True
        )
        return done.stdout

    @property
    def pushed(self) -> str:
        """What has arrived at the remote."""
        return self.git("-C", str(self.remote), "for-each-ref")

    def ringwall(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Ringwall's own command line, as the person would use it here."""
        return subprocess.run(
            [RINGWALL, *words],
            cwd=self.project,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def judged(self) -> list[Json]:
        """The decisions in the journal, oldest first."""
        done = self.ringwall("log", "show", "--json", "--type", "decision", "--newest", "0")
        assert done.returncode == 0, done.stderr
        return [json.loads(line)["body"] for line in done.stdout.splitlines()]

    def rewrite_hooks(self, change: Callable[[str], str]) -> None:
        """Change every hook command in the project's settings."""
        settings = json.loads(self.settings.read_text())
        for groups in settings["hooks"].values():
            for group in groups:
                for handler in group["hooks"]:
                    handler["command"] = change(handler["command"])
        self.settings.write_text(json.dumps(settings))

    def host_env(self, port: int) -> dict[str, str]:
        """The environment of the host, whose model listens on `port`."""
        return {
            **self.env,
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",  # the host refuses bypass mode to root otherwise
        }

    def play(
        self,
        *lanes: Json,
        mode: str = "default",
        prompt: str = "please do it",
        program: Sequence[str] | None = None,
        on_answer: Callable[[Json], None] | None = None,
    ) -> Played:
        """Run one session to its end. `program` replaces the host's own program at the command's head;
        `on_answer` is told of each answer of the model before the host gets it."""
        log = self.folder / "model.jsonl"
        log.unlink(missing_ok=True)
        with model({"lanes": list(lanes)}, log, on_answer) as port:
            words = [*(program or [str(claude())]), "-p", prompt, "--permission-mode", mode]
            words += ["--output-format", "stream-json", "--verbose", "--include-hook-events"]
            out, err, code = _run(words, self.project, self.host_env(port))
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return Played([json.loads(line) for line in lines], out, err, code)


def _run(words: Sequence[str], cwd: Path, env: dict[str, str]) -> tuple[str, str, int]:
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=180)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return out, err, process.returncode


@contextmanager
def model(script: Json, log: Path, on_answer: Callable[[Json], None] | None = None) -> Iterator[int]:
    """A model that follows `script`, on the port that this gives."""
    server = scripted_model.serve(script, log, on_answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
