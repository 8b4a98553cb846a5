"""A home, a state and a project of each test's own; the daemon that the first call starts ends with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ringwall.daemon import lock
from ringwall.journal.read import Filter, read
from ringwall.journal.record import Record
from ringwall.judge.desk import Desk
from ringwall.store.paths import StateDir

RINGWALL = [sys.executable, "-m", "ringwall.cli.main"]


class Lab:
    """Where a gateway runs in a test."""

    def __init__(self, root: Path) -> None:
        self.root, self.home, self.project = root, root / "home", root / "home" / "project"
        self.config = self.home / ".config" / "ringwall"
        self.config.mkdir(parents=True)
        self.project.mkdir()
        self.state = StateDir(str(root / "state"))
        self.environ = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "RINGWALL_HOME": self.state.path,
            "LC_ALL": "C",
        }  # fmt: skip
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.project)], check=True, env=self.environ)
        self.policy(wait=0)

    def policy(self, wait: int, *denied: str) -> None:
        (self.config / "ringwall.toml").write_text(f"[approvals]\nwait = {wait}\n")
        (self.config / "permissions.json").write_text(json.dumps({"permissions": {"deny": list(denied)}}))

    def desk(self) -> Desk:
        return Desk(self.state)

    def journalled(self, kind: str) -> list[Record]:
        desk = self.desk()
        try:
            with desk.store.reading() as connection:
                return list(read(connection, Filter(type=kind)))
        finally:
            desk.close()


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path)
    yield made
    if os.path.exists(made.state.lock) and (daemon := lock.holder(made.state)):
        with suppress(ProcessLookupError):
            os.kill(daemon, signal.SIGTERM)


Dialogue = Callable[[Any], Any]
