"""The demo shows what it says, also where no agent program can be had."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[2] / "demo" / "run.py"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_the_replay_judges_every_call(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, str(DEMO), "--replay"], env=env, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    verdicts = re.findall(r"^(ALLOW|ASK|DENY) ", done.stdout, re.MULTILINE)
    assert verdicts == [*["ALLOW"] * 4, "ASK", "ASK", "DENY", "ASK", "ASK", "DENY", "ALLOW", "ASK"], (
        done.stdout
    )
    assert "replayed through the hook" in done.stdout
    assert "Nothing was pushed." in done.stdout
    assert re.search(r"The journal is in \S+/state", done.stdout)


def test_without_git_it_says_what_is_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(DEMO), "--replay"], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "git is not here" in done.stderr
