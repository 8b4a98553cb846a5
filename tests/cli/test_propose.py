"""`ringwall propose`: what an agent asks for, what waits, and what it is told."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from ringwall.judge.desk import Desk, Yes
from ringwall.store.paths import StateDir

from .conftest import Program


def test_a_deployment_from_the_question_to_its_end(ringwall: Program, project: Path, tmp_path: Path) -> None:
    git = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True, env=os.environ)
    unknown = ringwall("propose", "deploy", "live", "--wait", "0")
    assert unknown.returncode == 2 and "propose.no_deployment" in unknown.stderr
    config = tmp_path / "home" / ".config" / "ringwall"
    config.mkdir(parents=True)
    (config / "ringwall.toml").write_text('[deploy]\nlive = ["sh", "-c", "echo live at last; exit 7"]\n')
    waited = ringwall("propose", "deploy", "live", "--wait", "1", CLAUDECODE="1")
    assert "Proposal 1 waits for a person: ringwall open, or ringwall approve 1." in waited.stderr
    asked = ringwall("propose", "deploy", "live", "--wait", "0", CLAUDECODE="1")
    assert asked.returncode == 1 and "ringwall approve 1" in asked.stdout
    desk = Desk(StateDir(str(tmp_path / "state")))
    assert desk.one(1).requester == "agent:shell"
    desk.approve(Yes(1, desk.one(1).binding, "person:ann"))
    desk.close()
    done = ringwall("propose", "deploy", "live", "--wait", "0", "--json", CLAUDECODE="1")
    row = json.loads(done.stdout)
    assert (done.returncode, row["exit"], row["output"]) == (7, 7, "live at last\n")
