"""Escapes from the floor: for one act, once, used in the transaction of the decision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ringwall.approvals import escapes
from ringwall.gate import floor
from ringwall.journal.write import Entry, Journal
from ringwall.judge.case import Asked
from ringwall.judge.desk import Desk, Yes
from ringwall.judge.judge import Judge
from ringwall.model.errors import UsageError
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

from .conftest import Payload, journalled, verdict

ANN = "person:ann"
ACT = "rm -rf .git"


@pytest.fixture(autouse=True)
def everything_else_allowed(project: Path, home: Path) -> None:
    (home / ".config" / "ringwall").mkdir(parents=True)
    (home / ".config" / "ringwall" / "ringwall.toml").write_text('preset = "auto"\n')


def digest(judge: Judge) -> str:
    return str(journalled(judge, "decision")[-1].content()["action"])


def issue(judge: Judge, action: str, lasts: int = 600, by: str = ANN) -> escapes.Escape:
    with elsewhere(judge) as entry:
        return escapes.issue(entry, action, "the repository moves", by, judge.clock() // 10**9, lasts)


@contextmanager
def elsewhere(judge: Judge) -> Iterator[Entry]:
    """A transaction of another process."""
    store = Store(judge.store.state)
    try:
        with Journal(store).writing() as entry:
            yield entry
    finally:
        store.close()


def hook(judge: Judge, payload: bytes, mode: str = "bypassPermissions") -> str:
    return verdict(judge.hook("claude", payload).stdout)


@pytest.fixture
def denied(judge: Judge, payload: Payload) -> bytes:
    sent = payload(ACT, permission_mode="bypassPermissions")
    assert hook(judge, sent) == "deny"
    return sent


def test_it_lets_exactly_this_pass_once(judge: Judge, payload: Payload, denied: bytes) -> None:
    issue(judge, digest(judge))
    assert hook(judge, payload(f"{ACT}/", permission_mode="bypassPermissions")) == "deny"
    assert hook(judge, denied) == "allow"
    assert hook(judge, denied) == "deny"
    (used,) = journalled(judge, "escape.used")
    (issued,) = journalled(judge, "escape.issued")
    passed = journalled(judge, "decision")[-2]
    assert used.content()["decision"] == passed.id
    assert (issued.stream, issued.actor) == ("people", ANN)
    assert any(one["code"] == floor.ESCAPED for one in passed.content()["trace"]["trace"])


def test_the_denial_tells_the_person_how(judge: Judge, denied: bytes) -> None:
    told = judge.hook("claude", denied).stdout.decode()
    assert f"ringwall escape {digest(judge).removeprefix('sha256:')[: floor.SHOWN_DIGITS]}" in told


def test_of_two_in_one_group_one_passes(judge: Judge, denied: bytes) -> None:
    issue(judge, digest(judge))
    replies = judge.hooks([Asked("claude", denied, os.environ)] * 2)
    assert [verdict(reply.stdout) for reply in replies] == ["allow", "deny"]  # type: ignore[union-attr]


def test_it_ends_by_itself(judge: Judge, denied: bytes) -> None:
    issue(judge, digest(judge), lasts=0)
    assert hook(judge, denied) == "deny"


def test_one_that_is_taken_back_counts_no_longer(judge: Judge, denied: bytes) -> None:
    escape = issue(judge, digest(judge))
    with elsewhere(judge) as entry:
        escapes.revoke(entry, escape.number, ANN)
    assert hook(judge, denied) == "deny"
    with pytest.raises(UsageError), elsewhere(judge) as entry:
        escapes.revoke(entry, escape.number, ANN)


def test_no_agent_and_no_empty_reason(judge: Judge, denied: bytes) -> None:
    with pytest.raises(UsageError):
        issue(judge, digest(judge), by="agent:claude")
    with pytest.raises(UsageError), elsewhere(judge) as entry:
        escapes.issue(entry, digest(judge), " ", ANN, 0)
    assert hook(judge, denied) == "deny"


def test_what_is_asked_besides_is_still_asked(judge: Judge, payload: Payload, state: StateDir) -> None:
    both = payload(f"sudo {ACT}", permission_mode="bypassPermissions")
    environ = {**os.environ, "RINGWALL_HEADLESS": "1"}

    def answer() -> str:
        return verdict(judge.hooks([Asked("claude", both, environ, waited=True)])[0].stdout)  # type: ignore[union-attr]

    assert answer() == "deny"
    issue(judge, digest(judge))
    assert answer() == "deny"  # now by the limit, and the escape waits for the answer
    assert not journalled(judge, "escape.used")
    desk = Desk(state)
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    desk.close()
    assert answer() == "allow"
    assert len(journalled(judge, "escape.used")) == 1


def test_the_hosts_own_prompt_may_ask_about_it_afterwards(judge: Judge, payload: Payload) -> None:
    sent, asked = payload(ACT), payload(ACT, event="PermissionRequest")
    judge.hook("claude", sent)
    issue(judge, digest(judge))
    assert verdict(judge.hook("claude", sent).stdout) == "allow"
    assert judge.hook("claude", asked).stdout == b"{}"
    assert hook(judge, sent) == "deny"
