"""From a payload to the host's reply, with the journal in between; every failure stops the call."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ringwall.journal.verify import verify
from ringwall.journal.write import Entry, Journal
from ringwall.judge import standing
from ringwall.judge.case import Asked
from ringwall.judge.judge import Judge
from ringwall.model.action import ToolCall
from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import StateError
from ringwall.model.verdict import Verdict
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

from .conftest import Payload, journalled, verdict


def test_a_call_is_judged_and_journalled(judge: Judge, payload: Payload) -> None:
    reply = judge.hook("claude", payload("git push origin main"))
    assert reply.exit == 0
    assert verdict(reply.stdout) == "ask"
    record, opened = journalled(judge)
    assert opened.type == "proposal.opened"
    body = record.content()
    assert (record.type, record.actor, record.subject) == ("decision", "agent:claude", "s1")
    assert body["verdict"] == "ask"
    assert body["input"] == {"command": "git push origin main"}
    assert body["trace"]["trace"][-1]["code"] == body["trace"]["code"] == "limits.git_push"
    assert verify(judge.store).whole


def test_decide_gives_the_event(judge: Judge, project: Path) -> None:
    outcome = judge.decide(ToolCall("claude", "Bash", {"command": "git push"}, cwd=str(project), session="s"))
    assert outcome.decision.verdict is Verdict.ASK
    assert [record.id for record in journalled(judge, "decision")] == [outcome.event_id]


def test_secrets_do_not_reach_the_journal(judge: Judge, payload: Payload) -> None:
    judge.hook("claude", payload("curl -H 'Authorization: Bearer abcdefgh12345678' https://example.com"))
    assert "abcdefgh12345678" not in journalled(judge)[0].body


def test_a_group_is_one_transaction(judge: Judge, payload: Payload) -> None:
    group = [Asked("claude", payload(command), {}) for command in ("ls", "git push", "pwd")]
    assert [verdict(reply.stdout) for reply in judge.hooks(group)] == ["allow", "ask", "allow"]
    assert [record.seq for record in journalled(judge)] == [1, 2, 3, 4]


def test_one_bad_payload_in_a_group_hurts_nobody_else(judge: Judge, payload: Payload) -> None:
    group = [
        Asked("claude", b"{", {}),
        Asked("claude", payload("ls"), {}),
        Asked("nobody", payload("ls"), {}),
    ]
    first, second, third = judge.hooks(group)
    assert (first.stdout, first.exit, third.stdout, third.exit) == (b"", 2, b"", 2)
    assert verdict(second.stdout) == "allow"
    assert [record.type for record in journalled(judge)] == ["failure", "decision", "failure"]


@pytest.mark.parametrize("payload_text", [b"", b"null", b"[]", b"\xff", b'{"hook_event_name":"PreToolUse"}'])
def test_a_payload_that_cannot_be_read_stops_the_call(judge: Judge, payload_text: bytes) -> None:
    reply = judge.hook("claude", payload_text)
    assert (reply.stdout, reply.exit) == (b"", 2)
    assert reply.stderr


def test_a_notification_that_fails_never_blocks(judge: Judge) -> None:
    assert judge.hook("claude", b"{", notify=True).exit == 1


def test_any_exception_is_no_verdict(judge: Judge, payload: Payload, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("ringwall.judge.judge.judge", fail)
    reply = judge.hook("claude", payload("ls"))
    assert (reply.stdout, reply.exit) == (b"", 2)
    assert b"ZeroDivisionError" in reply.stderr
    assert journalled(judge, "failure")[0].content()["code"] == "judge.failed"


# ---- what hosts report


def test_the_outcome_of_an_ask_is_what_the_host_reports(judge: Judge, payload: Payload) -> None:
    judge.hook("claude", payload("git push"))
    judge.hook("claude", payload("git push", "PostToolUse", tool_response={}))
    (decision,) = journalled(judge, "decision")
    (outcome,) = journalled(judge, "proposal.decided")
    (used,) = journalled(judge, "proposal.consumed")
    assert outcome.content()["outcome"] == "approved"
    assert outcome.content()["by"] == "person at the host's prompt"
    assert (used.content()["number"], used.content()["decision"]) == (1, decision.id)
    judge.hook("claude", payload("git push", "PostToolUse", tool_response={}))
    assert len(journalled(judge, "proposal.decided")) == 1


def test_an_ask_without_a_report_is_withdrawn_when_the_session_ends(judge: Judge, payload: Payload) -> None:
    judge.hook("claude", payload("git push"))
    judge.hook("claude", payload("git push --tags", tool_use_id="call-2", session_id="s2"))
    judge.hook("claude", payload(event="SessionEnd"))
    (outcome,) = journalled(judge, "proposal.ended")
    assert (outcome.subject, outcome.content()["outcome"]) == ("s1", "withdrawn")


def test_an_ask_survives_the_judge(judge: Judge, payload: Payload, state: StateDir) -> None:
    judge.hook("claude", payload("git push"))
    judge.close()
    later = Judge(state)
    later.hook("claude", payload("git push", "PostToolUse", tool_response={}))
    assert journalled(later, "proposal.decided")[0].content()["outcome"] == "approved"


@pytest.mark.parametrize(
    "event",
    ["PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "SubagentStart",
     "SubagentStop", "Stop", "PreCompact", "Notification"],
)  # fmt: skip
def test_other_moments_are_journalled_and_never_block(judge: Judge, payload: Payload, event: str) -> None:
    reply = judge.hook("claude", payload(event=event))
    assert reply.exit == 0
    (record,) = journalled(judge)
    assert record.type == "host.event"
    assert record.content()["event"] == event


# ---- a person's word


@contextmanager
def by_person(state: StateDir) -> Iterator[Entry]:
    """A transaction of another process: the command line's, in which a person speaks."""
    store = Store(state)
    with Journal(store).writing() as entry:
        yield entry
    store.close()


def test_trust_counts_for_exactly_those_bytes(
    judge: Judge, payload: Payload, project: Path, state: StateDir
) -> None:
    file = project / ".ringwall" / "ringwall.toml"
    file.parent.mkdir()
    file.write_text('preset = "auto"\n')
    risky = payload("git reset --hard")
    before = verdict(judge.hook("claude", risky).stdout)
    with by_person(state) as entry:
        standing.trust(entry, str(file), digest_bytes(file.read_bytes()))
    trusted = verdict(judge.hook("claude", risky).stdout)
    file.write_text('preset = "auto"\n# changed\n')
    changed = verdict(judge.hook("claude", risky).stdout)
    assert (before, trusted, changed) == ("ask", "allow", "ask")
    file.write_text('preset = "auto"\n')
    with by_person(state) as entry:
        standing.distrust(entry, str(file), digest_bytes(file.read_bytes()))
    assert verdict(judge.hook("claude", risky).stdout) == "ask"
    assert [record.type for record in journalled(judge) if record.stream == "people"] == [
        "policy.trusted",
        "policy.distrusted",
    ]


def test_the_session_is_told_what_does_not_count(judge: Judge, payload: Payload, project: Path) -> None:
    (project / ".ringwall").mkdir()
    (project / ".ringwall" / "permissions.json").write_text('{"permissions":{"allow":["Bash(git push)"]}}')
    assert b"ringwall trust" in judge.hook("claude", payload(event="SessionStart")).stdout


def test_an_invalid_file_leaves_the_last_good_one_in_force(
    judge: Judge, payload: Payload, home: Path, state: StateDir
) -> None:
    file = home / ".config" / "ringwall" / "permissions.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"permissions":{"deny":["Bash(make paint)"]}}')
    assert verdict(judge.hook("claude", payload("make paint")).stdout) == "deny"
    file.write_text('{"permissions":{"deny":[')
    assert verdict(judge.hook("claude", payload("make paint")).stdout) == "deny"
    judge.close()
    later = Judge(state)
    assert verdict(later.hook("claude", payload("make paint")).stdout) == "deny"
    assert b"not valid" in later.hook("claude", payload(event="SessionStart")).stdout


def test_switched_off_calls_pass_and_are_journalled(judge: Judge, payload: Payload, state: StateDir) -> None:
    now = judge.clock() // 1_000_000_000
    with by_person(state) as entry:
        event = standing.pause(entry, now, now + 600, "debugging")
    reply = judge.hook("claude", payload("git push"))
    assert (reply.stdout, reply.exit) == (b"{}", 0)
    assert journalled(judge, "unjudged")[0].content()["pause"] == event
    with by_person(state) as entry:
        assert len(standing.resume(entry, now + 1)) == 1
    assert verdict(judge.hook("claude", payload("git push")).stdout) == "ask"


def test_a_pause_ends_by_itself(state: StateDir, payload: Payload) -> None:
    moment = [1_800_000_000_000_000_000]
    judge = Judge(state, lambda: moment[0])
    with by_person(state) as entry:
        standing.pause(entry, 1_800_000_000, 1_800_000_600, "")
    assert judge.hook("claude", payload("git push")).stdout == b"{}"
    moment[0] += 600 * 1_000_000_000
    assert verdict(judge.hook("claude", payload("git push")).stdout) == "ask"


# ---- without state (docs/adr/0010)


@pytest.fixture(params=["no directory", "damaged", "newer", "garbled anchor"])
def broken(request: pytest.FixtureRequest, state: StateDir, tmp_path: Path, home: Path) -> Judge:
    if request.param == "no directory":
        (tmp_path / "file").write_text("")
        return Judge(StateDir(str(tmp_path / "file" / "state")))
    before = Judge(state)
    before.hook("claude", b"{")
    before.close()
    if request.param == "damaged":
        Path(state.database).write_bytes(b"nonsense" * 1000)
    elif request.param == "newer":
        with sqlite3.connect(state.database) as raw:
            raw.execute("PRAGMA user_version = 999")
    else:
        Path(state.anchor).write_text("nonsense\n")
    return Judge(state)


def test_without_state_only_looking_passes(broken: Judge, payload: Payload) -> None:
    assert verdict(broken.hook("claude", payload("pwd")).stdout) == "allow"
    for command in ("git push", "touch x", "rm -rf ~", "cat /etc/hosts", "frobnicate", 'echo "$(("'):
        reply = broken.hook("claude", payload(command))
        assert (reply.stdout, reply.exit) == (b"", 2), command
        assert b"[state." in reply.stderr or b"[journal." in reply.stderr


def test_without_state_other_moments_do_not_block(broken: Judge, payload: Payload) -> None:
    assert broken.hook("claude", payload(event="Stop")).exit == 0


def test_without_state_decide_raises(broken: Judge, project: Path) -> None:
    with pytest.raises(StateError):
        broken.decide(ToolCall("claude", "Bash", {"command": "pwd"}, cwd=str(project)))


def test_a_database_deleted_in_mid_session_is_put_back(
    judge: Judge, payload: Payload, state: StateDir
) -> None:
    judge.hook("claude", payload("git push"))
    os.unlink(state.database)
    assert judge.hook("claude", payload("git push")).exit == 2
    assert verdict(judge.hook("claude", payload("git push")).stdout) == "ask"
    assert [record.seq for record in journalled(judge)] == [1, 2, 3]
    assert verify(judge.store).whole
