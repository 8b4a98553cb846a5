"""Calls of the past, from the journal and from files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ringwall.hosts.transcripts.told import End
from ringwall.journal.read import Filter, export
from ringwall.judge import past
from ringwall.judge.judge import Judge
from ringwall.judge.past import Fault, Past, files_at, from_file, from_journal
from ringwall.model.errors import UsageError
from ringwall.model.verdict import Verdict

from .conftest import Payload

USE = {
    "type": "assistant", "sessionId": "s", "cwd": "/w",
    "message": {"content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]},
}  # fmt: skip


def seen(found: list[Past | Fault]) -> list[tuple[str, Verdict | None, str, bool]]:
    assert [one for one in found if isinstance(one, Fault)] == []
    calls = [one for one in found if isinstance(one, Past)]
    return [(str(one.call.input["command"]), one.before, one.code, one.asked) for one in calls]


def test_the_journal_and_its_export_hold_the_same_calls(
    judge: Judge, payload: Payload, tmp_path: Path
) -> None:
    judge.hook("claude", payload("ls"))
    judge.hook("claude", payload("git push", tool_use_id="call-2"))
    judge.hook("claude", payload("git push", "PermissionRequest", tool_use_id="call-2"))
    judge.hook("claude", payload("", "SessionEnd", reason="exit"))
    with judge.store.reading() as connection:
        kept = list(from_journal(connection, Filter()))
        (tmp_path / "export.jsonl").write_bytes(b"".join(export(connection)))
    assert [(row[0], row[1], row[3]) for row in seen(kept)] == [
        ("ls", Verdict.ALLOW, False),
        ("git push", Verdict.ASK, True),
    ]
    assert seen(kept)[1][2] == "limits.git_push"
    exported = list(from_file(str(tmp_path / "export.jsonl")))
    assert seen(exported) == seen(kept)
    assert [one.where for one in exported] == [f"{tmp_path}/export.jsonl:1", f"{tmp_path}/export.jsonl:2"]


def test_lines_of_an_export_that_cannot_be_read_are_faults(tmp_path: Path) -> None:
    head = {"id": "1", "stream": "calls", "type": "decision", "hash": "x"}
    good = {"tool": "Bash", "input": {"command": "ls"}, "verdict": "allow", "added": "later"}
    lines = [
        {**head, "body": good},
        {**head, "body": {"verdict": "maybe"}},
        {**head, "type": "new", "body": 7},
    ]
    file = tmp_path / "e.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"id": "2", "str')
    found = list(from_file(str(file)))
    assert [one.where.rpartition(":")[2] for one in found if isinstance(one, Fault)] == ["2", "4"]
    assert [one.before for one in found if isinstance(one, Past)] == [Verdict.ALLOW]


def test_a_transcript_names_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps({"type": "summary"}) + "\n" + json.dumps(USE) + "\n{cut")
    faults = [one for one in from_file(str(file)) if isinstance(one, Fault)]
    calls = [one for one in from_file(str(file)) if isinstance(one, Past)]
    assert [one.where for one in faults] == [f"{file}:3"]
    assert [(one.where, one.before, one.end) for one in calls] == [(f"{file}:2", None, End.UNKNOWN)]


def test_a_line_that_is_too_long_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "LONGEST", 1000)
    monkeypatch.setattr(past, "_CHUNK", 64)
    file = tmp_path / "t.jsonl"
    long = json.dumps({"type": "user", "pad": "x" * 5000})
    file.write_text(json.dumps(USE) + "\n" + long + "\n" + json.dumps(USE).replace("t1", "t2") + "\n" + long)
    read: list[int] = []
    found = list(from_file(str(file), read.append))
    assert [one.where for one in found if isinstance(one, Fault)] == [f"{file}:2", f"{file}:4"]
    assert len([one for one in found if isinstance(one, Past)]) == 2
    assert sum(read) == file.stat().st_size


def test_what_is_no_file_is_a_fault(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "absent"):
        [found] = from_file(str(path))
        assert isinstance(found, Fault) and found.where == str(path)
    (tmp_path / "empty").touch()
    assert list(from_file(str(tmp_path / "empty"))) == []


def test_folders_are_read_where_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("a/b/2.jsonl", "a/1.jsonl", "a/notes.txt"):
        (tmp_path / name).touch()
    found = files_at([str(tmp_path / "a"), "x.log"])
    assert found == [f"{tmp_path}/a/1.jsonl", f"{tmp_path}/a/b/2.jsonl", "x.log"]
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError):
        files_at([str(tmp_path / "none")])
