"""From what people said back to the gate: a rule that tightens, tried on what has happened."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ringwall.harvest.model import Correction
from ringwall.judge.bench import Bench
from ringwall.judge.judge import Judge
from ringwall.judge.replay import Turn
from ringwall.judge.standing import Standing
from ringwall.judge.suggest import Suggestion, suggestions
from ringwall.model.action import ToolCall
from ringwall.model.verdict import Verdict
from ringwall.store.paths import StateDir


class Past:
    """A project in which calls are judged, and the rules that corrections about them speak for."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "shop"
        self.project.mkdir()
        self.environ = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"]}
        subprocess.run(["git", "init", "-q", str(self.project)], check=True, env=self.environ)
        self.state = StateDir(str(folder / "state"))
        self.judge = Judge(self.state)

    def call(self, tool: str, **given: str) -> str:
        """The journal's id of a call that is judged now."""
        call = ToolCall("claude", tool, given, cwd=str(self.project), session="s-1")
        return self.judge.decide(call, self.environ).event_id

    def suggested(self, *rows: Correction) -> list[Suggestion]:
        bench = Bench(self.state, Standing(), self.environ)
        with self.judge.store.reading() as connection:
            return suggestions(connection, bench, rows, str(self.project))


def said(note: str, call: str = "", event: str = "proposal_reject") -> Correction:
    return Correction(
        id=f"{hash((note, call)) & 0xFFFF:016x}", project_key="0" * 16, role="developer", agent="ada",
        incarnation="0" * 32, event=event, event_seq=2, event_at="2026-12-01T00:00:00Z", note=note, call=call,
    )  # fmt: skip


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path)


def test_a_rejected_call_suggests_its_denial(past: Past) -> None:
    for _ in range(2):
        past.call("Bash", command="git push origin topic")
    past.call("Bash", command="git status")
    call = past.call("Bash", command="cd . && git push --force origin main")
    (found,) = past.suggested(said("never push by yourself", call))
    assert (found.rule, found.verdict) == ("Bash(git push:*)", Verdict.DENY)
    assert found.replay.calls == 4
    assert found.replay.counts[Turn.STRICTER] == 3
    assert found.replay.counts[Turn.LOOSER] == 0
    assert {change.after for change in found.replay.changes()} == {Verdict.DENY}


def test_what_passed_is_asked_about_from_then_on(past: Past) -> None:
    past.call("Bash", command="npm test -- --watch")
    (found,) = past.suggested(said("do not run `npm test` before the build", event="revise"))
    assert (found.rule, found.verdict) == ("Bash(npm test:*)", Verdict.ASK)
    assert found.replay.counts[Turn.STRICTER] == 1


def test_two_corrections_about_one_kind_of_call_speak_for_one_rule(past: Past) -> None:
    first = past.call("Bash", command="git push origin a")
    second = past.call("Bash", command="git push origin b")
    (found,) = past.suggested(said("no", first), said("never", second))
    assert len(found.corrections) == 2


def test_a_file_and_a_tool_of_a_server_have_rules_of_their_own(past: Past) -> None:
    path = str(past.project / "src" / "schema.sql")
    edited = past.call("Write", file_path=path, content="x")
    (found,) = past.suggested(said("the schema is generated", edited))
    assert found.rule == "Edit(/src/schema.sql)"


@pytest.mark.parametrize("note", ["never push", "do not run `git push`", "use `src/shop`", "`", "see `rm`"])
def test_words_about_no_call_that_was_seen_suggest_nothing(past: Past, note: str) -> None:
    past.call("Bash", command="ls src")
    assert past.suggested(said(note, event="revise")) == []


def test_what_is_denied_already_and_what_only_looks_suggest_nothing(past: Past) -> None:
    denied = past.call("Bash", command="rm -rf /")
    looked = past.call("Bash", command="git status")
    assert past.suggested(said("no", denied), said("no", looked), said("no", "0" * 36)) == []


def test_nothing_is_written(past: Past) -> None:
    call = past.call("Bash", command="git push")
    before = sorted(path for path in past.project.rglob("*") if ".git" not in path.parts)
    past.suggested(said("no", call))
    assert sorted(path for path in past.project.rglob("*") if ".git" not in path.parts) == before
