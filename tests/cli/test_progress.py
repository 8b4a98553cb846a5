"""How far a batch has come is told on stderr, and only to a person."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Program

pty = pytest.importorskip("pty")


def test_nobody_watches(ringwall: Program) -> None:
    assert ringwall("check", "--batch", "-", stdin='{"command": "ls"}\n' * 50).stderr == ""


def test_a_person_watches(project: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    answers = tmp_path / "answers.jsonl"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "xterm", "LC_ALL": "C"}
    with answers.open("wb") as out:
        program = subprocess.Popen(
            [sys.executable, "-m", "ringwall.cli.main", "check", "--batch", "-"],
            stdin=subprocess.PIPE, stdout=out, stderr=theirs, cwd=project, env=environment,
        )  # fmt: skip
        os.close(theirs)
        program.communicate(b'{"command": "ls"}\n' * 500, timeout=60)
    told = os.read(ours, 65_536).decode()
    os.close(ours)
    assert program.returncode == 0
    assert "calls judged:" in told
    assert answers.read_bytes().count(b"\n") == 500 and b"\x1b" not in answers.read_bytes()
