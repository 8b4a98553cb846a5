"""As whom a session runs: by a person's word at its start, and by nothing that an agent can say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ringwall.judge.identity import IDENTITY, NOBODY
from ringwall.judge.judge import Judge
from ringwall.judge.missions import running_as
from ringwall.model.action import ToolCall
from ringwall.model.verdict import Verdict
from ringwall.store.paths import StateDir


@pytest.fixture(autouse=True)
def leads_install(home: Path) -> None:
    folder = home / ".config" / "ringwall"
    folder.mkdir(parents=True)
    text = 'preset = "auto"\n[roles]\ninstall = "lead"\n[autonomy.agents.ada]\nwrite = "deny"\n'
    (folder / "ringwall.toml").write_text(text)


def verdict(judge: Judge, project: Path, more: dict[str, str], command: str = "npm install x") -> Verdict:
    environ = {"HOME": os.environ["HOME"], "PATH": os.environ["PATH"], **more}
    call = ToolCall("claude", "Bash", {"command": command}, cwd=str(project), session="s")
    return judge.decide(call, environ).decision.verdict


def test_a_role_counts_while_its_session_runs(judge: Judge, project: Path, state: StateDir) -> None:
    assert verdict(judge, project, {}) is Verdict.DENY
    with running_as(state, "", "lead") as more:
        assert verdict(judge, project, dict(more)) is Verdict.ALLOW
        assert verdict(judge, project, {}) is Verdict.DENY
        kept = dict(more)
    assert verdict(judge, project, kept) is Verdict.DENY


@pytest.mark.parametrize("forged", ["owner", "x" * 43, "\udcff", "sha256:" + "0" * 64])
def test_a_token_that_nobody_made_gives_less_than_none(
    judge: Judge, project: Path, home: Path, forged: str
) -> None:
    (home / ".config" / "ringwall" / "ringwall.toml").write_text(
        'preset = "auto"\n[roles]\nwrite = "reader"\n'
    )
    assert verdict(judge, project, {}, "touch a") is Verdict.ALLOW
    assert verdict(judge, project, {IDENTITY: forged}, "touch a") is Verdict.DENY


def test_the_store_does_not_hold_the_token(judge: Judge, project: Path, state: StateDir) -> None:
    with running_as(state, "", "lead") as more:
        verdict(judge, project, dict(more))
        kept = b"".join(path.read_bytes() for path in Path(state.path).iterdir() if path.is_file())
    assert more[IDENTITY].encode() not in kept
    assert NOBODY not in ("reader", "worker", "lead", "owner")
