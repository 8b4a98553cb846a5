"""`ringwall agents` as a person uses it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agents.conftest import Program
from ringwall.journal.read import Filter, read
from ringwall.judge import identity
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir


def test_an_agents_way_from_creation_to_archive(ringwall: Program) -> None:
    assert ringwall("agents", "create", "ada", "--role", "developer").returncode == 0
    made = json.loads(ringwall("agents", "show", "ada", "--json").stdout)
    assert (made["role"], made["state"], made["mission"]) == ("developer", "working", 1)
    ringwall("agents", "event", "ada", "report")
    assert "reported" in ringwall("agents", "list").stdout
    ringwall("agents", "revise", "ada", "--note", "Use UUIDs.")
    ringwall("agents", "accept", "ada", "--note", "well done")
    ringwall("agents", "event", "ada", "start")
    assert ringwall("agents", "reject", "ada", "--reason", "Not this way.").returncode == 0
    shown = ringwall("agents", "show", "ada").stdout
    assert "Use UUIDs." in shown
    assert "Not this way." in shown
    assert ringwall("agents", "archive", "ada").returncode == 0
    assert json.loads(ringwall("agents", "list", "--json").stdout) == []
    assert json.loads(ringwall("agents", "list", "--all", "--json").stdout)[0]["state"] == "archived"


def test_an_agents_own_session_may_look_and_not_decide(ringwall: Program) -> None:
    ringwall("agents", "create", "ada", "--role", "developer")
    for arguments in (("revise", "ada", "--note", "x"), ("accept", "ada"), ("archive", "ada"),
                      ("event", "ada", "seen"), ("create", "eve", "--role", "developer")):  # fmt: skip
        done = ringwall("agents", *arguments, CLAUDECODE="1")
        assert (done.returncode, "in_a_session" in done.stderr) == (2, True)
    assert ringwall("agents", "list", CLAUDECODE="1").returncode == 0


def test_an_event_of_any_other_kind_is_recorded(ringwall: Program) -> None:
    ringwall("agents", "create", "ada", "--role", "developer")
    done = ringwall("agents", "event", "ada", "deployed", "--detail", '{"to": "test"}', "--json")
    assert json.loads(done.stdout)["detail"] == {"to": "test"}
    for arguments in (("deployed", "--detail", "[]"), ("revise",), ("No!",)):
        assert ringwall("agents", "event", "ada", *arguments).returncode == 2


def test_wrong_use_is_told_and_changes_nothing(ringwall: Program) -> None:
    wrong = [
        ("create", "Ada", "--role", "developer"),
        ("create", "ada", "--role", "../x"),
        ("create", "ada"),
        ("show", "nobody"),
        ("revise", "nobody", "--note", "x"),
    ]
    for arguments in wrong:
        assert ringwall("agents", *arguments).returncode == 2
    assert "no agent" in ringwall("agents", "list").stdout
    ringwall("agents", "create", "ada", "--role", "developer")
    assert ringwall("agents", "revise", "ada", "--note", "  ").returncode == 2


def test_a_session_runs_as_an_agent_and_is_released(
    ringwall: Program, state: StateDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf %s "$RINGWALL_IDENTITY" > "$HOME/token"\nexit 7\n')
    program.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert ringwall("run", "claude", "--agent", "ada").returncode == 2
    ringwall("agents", "create", "ada", "--role", "developer")
    assert ringwall("run", "claude", "--agent", "ada").returncode == 7
    assert len((tmp_path / "token").read_text()) > 30
    store = Store(state)
    with store.reading() as connection:
        assert identity.bound(connection) == ()
        (told,) = read(connection, Filter(type="session.bound"))
    store.close()
    assert told.content()["agent"] == "ada"
    (tmp_path / "token").unlink()
    assert ringwall("run", "claude", "--agent", "ada", CLAUDECODE="1").returncode == 2
    assert not (tmp_path / "token").exists()
