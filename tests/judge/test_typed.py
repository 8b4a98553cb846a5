"""Acts that are proposed by name: shown before, run once after a yes, exactly as shown."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ringwall.approvals.proposal import State
from ringwall.journal.read import Filter, read
from ringwall.judge.desk import Desk, Yes
from ringwall.judge.typed import Act, Ended, Proposing, merge, open_request, push
from ringwall.model.errors import UsageError
from ringwall.policy.load import load
from ringwall.policy.model import Policy
from ringwall.shell.analyse import command_pattern
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from shell.world import World

ANN, AGENT = "person:ann", "agent:shell"

Git = Callable[..., str]


@pytest.fixture
def policy() -> Policy:
    return load(places=World().places, read_command=command_pattern).policy


@pytest.fixture
def git(project: Path, home: Path) -> Git:
    def run(*words: str) -> str:
        base = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.com"]
        done = subprocess.run([*base, *words], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    remote = home / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    run("remote", "add", "origin", str(remote))
    (project / "a.txt").write_text("one\n")
    run("add", "a.txt")
    run("commit", "-q", "-m", "first")
    run("push", "-q", "origin", "main")
    (project / "a.txt").write_text("two\n")
    run("commit", "-q", "-a", "-m", "second thing")
    return run


@pytest.fixture
def desk(state: StateDir) -> Iterator[Desk]:
    opened = Desk(state)
    yield opened
    opened.close()


def propose(state: StateDir, policy: Policy, act: Act, seconds: float = 0) -> Ended:
    store = Store(state)
    try:
        return Proposing(store, policy).propose(act, AGENT, "s1", seconds, os.environ)
    finally:
        store.close()


def remote(home: Path, branch: str = "main") -> str:
    found = subprocess.run(
        ["git", "-C", str(home / "remote.git"), "rev-parse", "--verify", "-q", f"refs/heads/{branch}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return found.stdout.strip()


def test_a_push_is_shown_and_then_done_once(
    git: Git, project: Path, home: Path, state: StateDir, policy: Policy, desk: Desk
) -> None:
    act = push(str(project), str(home), policy, "origin", "")
    assert act.preview[0] == "to main (protected)"
    assert "second thing" in act.preview[1] and "first" not in act.preview[1]
    assert "a.txt" in act.preview[2]
    before = remote(home)
    assert propose(state, policy, act).proposal.state is State.PENDING
    assert propose(state, policy, act).proposal.number == 1
    assert remote(home) == before
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    ended = propose(state, policy, act)
    assert (ended.exit, remote(home)) == (0, git("rev-parse", "HEAD"))
    assert desk.one(1).state is State.CONSUMED
    with desk.store.reading() as connection:
        (ran,) = read(connection, Filter(type="proposal.ran"))
    assert ran.content()["exit"] == 0
    assert propose(state, policy, act).proposal.number == 2


def test_commits_made_after_the_yes_do_not_go_along(
    git: Git, project: Path, home: Path, state: StateDir, policy: Policy, desk: Desk
) -> None:
    act = push(str(project), str(home), policy, "origin", "main")
    shown = git("rev-parse", "HEAD")
    propose(state, policy, act)
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    git("commit", "-q", "--allow-empty", "-m", "smuggled")
    later = push(str(project), str(home), policy, "origin", "main")
    assert propose(state, policy, later).proposal.number == 2
    assert propose(state, policy, act).exit == 0
    assert remote(home) == shown


def test_it_waits_and_runs_on_the_yes(
    git: Git, project: Path, home: Path, state: StateDir, policy: Policy
) -> None:
    def decide() -> None:
        own = Desk(state)
        while not own.pending():
            time.sleep(0.05)
        own.approve(Yes(1, own.one(1).binding, ANN))
        own.close()

    thread = threading.Thread(target=decide)
    thread.start()
    ended = propose(state, policy, push(str(project), str(home), policy, "origin", "topic"), seconds=60)
    thread.join()
    assert ended.exit == 0
    assert remote(home, "topic") == git("rev-parse", "HEAD")


def test_a_no_is_told(
    git: Git, project: Path, home: Path, state: StateDir, policy: Policy, desk: Desk
) -> None:
    act = push(str(project), str(home), policy, "origin", "main")
    propose(state, policy, act)
    desk.reject(1, desk.one(1).binding, ANN, "after the release")
    ended = propose(state, policy, act)
    assert (ended.exit, ended.proposal.because) == (None, "after the release")


def test_a_merge(git: Git, project: Path, home: Path, state: StateDir, policy: Policy, desk: Desk) -> None:
    git("config", "user.name", "a")
    git("config", "user.email", "a@example.com")
    git("checkout", "-q", "-b", "topic")
    git("commit", "-q", "--allow-empty", "-m", "topical")
    git("checkout", "-q", "main")
    act = merge(str(project), str(home), policy, "topic")
    assert "topical" in act.preview[1]
    propose(state, policy, act)
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    assert propose(state, policy, act).exit == 0
    assert "topical" in git("log", "--oneline")


def test_a_pull_request_is_one_fixed_command(git: Git, project: Path, home: Path, policy: Policy) -> None:
    act = open_request(str(project), str(home), policy, "A title", "text", "main")
    assert act.argv[:3] == ("gh", "pr", "create")
    assert act.argv[3:] == ("--title", "A title", "--body", "text", "--base", "main", "--head", "main")


@pytest.mark.parametrize("name", ["--mirror", "", "a:b", "+main", "https://x.example/r", "a b", "a\nb"])
def test_names_are_names(git: Git, project: Path, home: Path, policy: Policy, name: str) -> None:
    with pytest.raises(UsageError):
        push(str(project), str(home), policy, name or "-", "main")
    if name:
        with pytest.raises(UsageError):
            push(str(project), str(home), policy, "origin", name)
