"""Calls that wait for a person, through the real daemon and the real client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

from ringwall.approvals.proposal import State
from ringwall.daemon import lock
from ringwall.journal.verify import verify
from ringwall.judge.desk import Desk, Yes
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

from .conftest import wait_for
from .test_judging import ask, daemon_of, home, payload, verdict  # noqa: F401 - home is a fixture

ANN = "person:ann"


def policy(home: Path, wait: int) -> None:  # noqa: F811
    file = home / ".config" / "ringwall" / "ringwall.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'[approvals]\nprompt = "wait"\nwait = {wait}\n')


class Waiting(threading.Thread):
    """A client that waits for its answer."""

    def __init__(self, state: StateDir, home: Path, sent: bytes) -> None:  # noqa: F811
        super().__init__()
        self.run_ = None
        self._asked = (state, home, sent)
        self.start()

    def run(self) -> None:
        self.run_ = ask(*self._asked)

    def answer(self) -> subprocess.CompletedProcess[bytes]:
        self.join()
        assert self.run_ is not None
        return self.run_


def test_others_are_judged_while_one_waits_and_a_yes_lets_it_pass(state: StateDir, home: Path) -> None:  # noqa: F811
    policy(home, 50)
    ask(state, home, payload("ls", home))
    daemon_of(state)
    waiting = Waiting(state, home, payload("git push", home))
    desk = Desk(state)
    wait_for(lambda: bool(desk.pending()))
    assert verdict(ask(state, home, payload("ls", home))) == "allow"
    assert waiting.is_alive()
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    assert verdict(waiting.answer()) == "allow"
    assert desk.one(1).state is State.CONSUMED
    desk.close()


def test_a_no_ends_the_wait_with_its_words(state: StateDir, home: Path) -> None:  # noqa: F811
    policy(home, 50)
    ask(state, home, payload("ls", home))
    daemon_of(state)
    waiting = Waiting(state, home, payload("git push", home))
    desk = Desk(state)
    wait_for(lambda: bool(desk.pending()))
    desk.reject(1, desk.one(1).binding, ANN, "use a branch")
    answer = waiting.answer()
    assert verdict(answer) == "deny"
    assert b"use a branch" in answer.stdout
    desk.close()


def test_of_two_that_wait_for_one_yes_one_passes(state: StateDir, home: Path) -> None:  # noqa: F811
    policy(home, 4)
    ask(state, home, payload("ls", home))
    daemon_of(state)
    both = [Waiting(state, home, payload("git push", home, call)) for call in ("a", "b")]
    desk = Desk(state)
    wait_for(lambda: bool(desk.pending()))
    time.sleep(0.5)
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    assert sorted(verdict(one.answer()) for one in both) == ["allow", "deny"]
    desk.close()


def test_without_an_answer_it_stops_with_the_number(state: StateDir, home: Path) -> None:  # noqa: F811
    policy(home, 1)
    ask(state, home, payload("ls", home))
    daemon_of(state)
    answer = ask(state, home, payload("git push", home))
    assert verdict(answer) == "deny"
    told = json.loads(answer.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert "ringwall approve 1" in told


def test_a_daemon_that_ends_lets_nobody_wait(state: StateDir, home: Path) -> None:  # noqa: F811
    policy(home, 50)
    ask(state, home, payload("ls", home))
    process = daemon_of(state)
    waiting = Waiting(state, home, payload("git push", home))
    desk = Desk(state)
    wait_for(lambda: bool(desk.pending()))
    time.sleep(0.5)
    os.kill(process, signal.SIGTERM)
    assert verdict(waiting.answer()) == "deny"
    wait_for(lambda: lock.holder(state) is None)
    assert [one.number for one in desk.pending()] == [1]
    desk.close()


def test_killed_between_question_and_answer_nothing_is_lost(state: StateDir, home: Path) -> None:  # noqa: F811
    policy(home, 50)
    ask(state, home, payload("ls", home))
    process = daemon_of(state)
    waiting = Waiting(state, home, payload("git push", home))
    desk = Desk(state)
    wait_for(lambda: bool(desk.pending()))
    os.kill(process, signal.SIGKILL)
    assert waiting.answer().returncode == 2  # no verdict, so the host stops the call
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    assert verdict(ask(state, home, payload("git push", home))) == "allow"
    daemon_of(state)
    policy(home, 0)
    assert verdict(ask(state, home, payload("git push", home))) == "deny"
    desk.close()
    assert verify(Store(state)).whole
