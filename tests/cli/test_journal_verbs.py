"""`hook`, `why`, `log`, `daemon` and `status`, on one state directory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from .conftest import Program


@pytest.fixture
def judged(ringwall: Program, project: Path) -> Iterator[Program]:
    """A state in which two calls were judged; the daemon that they started is ended afterwards."""
    try:
        for command in ("echo hi", "git push origin main"):
            assert hooked(ringwall, project, command).returncode == 0
        yield ringwall
    finally:
        ringwall("daemon", "stop")


def hooked(ringwall: Program, project: Path, command: str) -> Any:
    payload = {
        "session_id": "s1", "transcript_path": "/t", "cwd": str(project), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command},
        "tool_use_id": "c1",
    }  # fmt: skip
    return ringwall("hook", "claude", stdin=json.dumps(payload))


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_hook_answers_its_host_and_nothing_else(judged: Program, project: Path) -> None:
    done = hooked(judged, project, "git push")
    reply = json.loads(done.stdout)["hookSpecificOutput"]
    assert reply["permissionDecision"] == "ask"


def test_a_broken_payload_stops_the_call(ringwall: Program) -> None:
    try:
        assert ringwall("hook", "claude", stdin="no").returncode == 2
        assert ringwall("hook", "nosuchhost", stdin="{}").returncode == 2
    finally:
        ringwall("daemon", "stop")


def test_why_without_an_id_is_the_last_decision(judged: Program) -> None:
    done = judged("why")
    assert done.returncode == 0
    assert "git push origin main" in done.stdout and "limits.git_push" in done.stdout


def test_why_with_part_of_an_id(judged: Program) -> None:
    first, *_rest = lines(judged("log", "show", "--json").stdout)
    for part in (first["id"], first["id"][-8:], first["id"][:18]):
        done = judged("why", "--json", part)
        if done.returncode == 0:
            assert json.loads(done.stdout)["body"]["input"] == {"command": "echo hi"}
        else:
            assert "journal.ambiguous_id" in done.stderr
    assert judged("why", first["id"]).stdout.startswith(first["id"])


def test_why_of_nothing(ringwall: Program) -> None:
    for arguments in (["why"], ["why", "0000"]):
        done = ringwall(*arguments)
        assert done.returncode == 2 and "journal.no_such_event" in done.stderr


def test_log_show(judged: Program) -> None:
    rows = judged("log", "show").stdout.splitlines()
    assert [row.split()[3] for row in rows] == ["allow", "ask", "proposal"]
    assert rows[1].endswith("Bash: git push origin main")
    assert len(judged("log", "show", "-n", "1").stdout.splitlines()) == 1
    assert judged("log", "show", "--type", "failure").stdout == ""


def test_log_verify_and_a_journal_that_was_changed(judged: Program, tmp_path: Path) -> None:
    assert judged("log", "verify").returncode == 0
    judged("daemon", "stop")
    with sqlite3.connect(tmp_path / "state" / "ringwall.db") as database:
        database.execute("update events set body = replace(body, 'git push', 'git pull')")
    done = judged("log", "verify", "--json")
    assert done.returncode == 1
    assert {each["code"] for each in json.loads(done.stdout)["findings"]} == {"changed"}
    assert judged("log", "verify").returncode == 1


def test_log_export_is_json_lines_with_hashes(judged: Program) -> None:
    rows = lines(judged("log", "export").stdout)
    assert len(rows) == 3 and all(row["hash"].startswith("sha256:") for row in rows)
    assert rows[1]["prev"] == rows[0]["hash"]


def test_reading_makes_no_state(ringwall: Program, tmp_path: Path) -> None:
    for arguments in (
        ["log", "show"],
        ["log", "verify"],
        ["log", "export"],
        ["status"],
        ["daemon", "status"],
    ):
        ringwall(*arguments)
    assert not (tmp_path / "state").exists()


def test_the_daemon_starts_and_ends(ringwall: Program) -> None:
    try:
        assert ringwall("daemon", "status").returncode == 1
        assert ringwall("daemon", "start").returncode == 0
        running = json.loads(ringwall("daemon", "start", "--json").stdout)
        assert running["running"] is True
        assert json.loads(ringwall("daemon", "status", "--json").stdout) == running
    finally:
        assert ringwall("daemon", "stop").returncode == 0
    assert ringwall("daemon", "status").returncode == 1
    assert ringwall("daemon", "stop").returncode == 0


def test_status(judged: Program, project: Path) -> None:
    told = json.loads(judged("status", "--json").stdout)
    assert (told["project"], told["preset"], told["judging"]) == (str(project), "guarded", True)
    assert told["last_event"]
    assert str(project) in judged("status").stdout


def test_status_names_what_a_project_may_not_loosen(ringwall: Program, project: Path) -> None:
    (project / ".ringwall").mkdir()
    (project / ".ringwall" / "permissions.json").write_text('{"permissions": {"allow": ["Bash(make:*)"]}}')
    layers = json.loads(ringwall("status", "--json").stdout)["layers"]
    assert [(layer["name"], layer["trusted"], layer["dropped"]) for layer in layers][1:] == [
        ("project", False, 1)
    ]
    assert "ringwall trust" in ringwall("status").stdout


def test_an_unusable_state_is_status_three(ringwall: Program, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    (state / "ringwall.db").write_bytes(b"this is not a database" * 50)
    done = ringwall("log", "show")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr and "[" in done.stderr


def test_a_moment_is_local_time_unless_it_says_otherwise(judged: Program) -> None:
    for moment, shown in (("2000-01-01", 2), ("2999-01-01T08:00", 0), ("2999-01-01T08:00Z", 0)):
        done = judged("log", "show", "--json", "--type", "decision", "--since", moment)
        assert len(done.stdout.splitlines()) == shown
    at = json.loads(judged("log", "show", "--json", "--type", "decision", "-n", "1").stdout)["at"]
    since = (
        datetime.fromisoformat(at).astimezone(timezone(timedelta(hours=-9))).replace(tzinfo=None).isoformat()
    )
    for zone, shown in (("XXX9", 1), ("UTC", 2)):
        done = judged("log", "show", "--json", "--type", "decision", "--since", since, TZ=zone)
        assert len(done.stdout.splitlines()) == shown, zone


def test_what_is_no_moment_is_wrong_use(ringwall: Program) -> None:
    done = ringwall("log", "show", "--since", "yesterday")
    assert done.returncode == 2
    assert "2026-11-30T08:00" in done.stderr
