"""Acts that are proposed by name: shown before, run once after a yes, exactly as shown."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ringwall.approvals.proposal import State
from ringwall.journal.read import Filter, read
from ringwall.judge.desk import Desk, Yes
from ringwall.judge.typed import Act, Ended, Proposing, deploy, merge, merge_request, open_request, push
from ringwall.model.errors import UsageError
from ringwall.policy.load import load
from ringwall.policy.model import Policy
from ringwall.policy.outlets import Outlets
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


HEAD_OF_12 = "a" * 40
GH = f"""#!/bin/sh
printf '%s\\n' "$#" "$@" >> "$HOME/gh.log"
case "$1 $2" in
"pr view") echo '{{"title":"Faster","headRefOid":"{HEAD_OF_12}","baseRefName":"main"}}' ;;
"pr create") echo https://github.example/pull/13 ;;
"pr merge") echo merged ;;
esac
"""


@pytest.fixture
def gh(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[list[str]]]:
    """A `gh` that notes its words; the calls so far."""
    program = home / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(GH)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    def calls() -> list[list[str]]:
        words = (home / "gh.log").read_text().splitlines() if (home / "gh.log").exists() else []
        found = []
        while words:
            count = int(words.pop(0))
            found.append([words.pop(0) for _ in range(count)])
        return found

    return calls


def test_a_pull_request_is_opened_with_the_words_that_were_shown(
    git: Git, project: Path, home: Path, state: StateDir, policy: Policy, desk: Desk,
    gh: Callable[[], list[list[str]]],
) -> None:  # fmt: skip
    act = open_request(str(project), str(home), policy, "A; title", "$(text)", "main")
    propose(state, policy, act)
    assert gh() == []
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    ended = propose(state, policy, act)
    assert (ended.exit, ended.output) == (0, "https://github.example/pull/13\n")
    assert gh() == [["pr", "create", *act.argv[3:]]]


def test_a_pull_request_is_merged_at_the_commit_that_was_shown(
    git: Git, project: Path, home: Path, state: StateDir, policy: Policy, desk: Desk,
    gh: Callable[[], list[list[str]]],
) -> None:  # fmt: skip
    act = merge_request(str(project), os.environ, policy, 12)
    assert act.preview == ("to main (protected)", "#12 Faster", f"at {HEAD_OF_12}")
    propose(state, policy, act)
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    assert propose(state, policy, act).exit == 0
    assert gh()[1:] == [["pr", "merge", "12", "--merge", "--match-head-commit", HEAD_OF_12]]


def test_a_pull_request_that_cannot_be_looked_at(git: Git, project: Path, policy: Policy) -> None:
    for path in ("/nowhere", os.environ["PATH"]):
        with pytest.raises(UsageError, match=r"propose\.no_request"):
            merge_request(str(project), {**os.environ, "PATH": path, "GH_TOKEN": ""}, policy, 12)


def test_a_deployment_is_the_policys_command_on_the_project_as_shown(
    git: Git, project: Path, home: Path, state: StateDir, policy: Policy, desk: Desk
) -> None:
    script = project / "deploy.sh"
    script.write_text('#!/bin/sh\necho "$1" >> deployed\n')
    script.chmod(0o755)
    named = replace(policy, outlets=Outlets(deploy=(("staging", ("./deploy.sh", "staging")),)))
    with pytest.raises(UsageError, match=r"propose\.no_deployment"):
        deploy(str(project), str(home), policy, "staging")
    act = deploy(str(project), str(home), named, "staging")
    assert act.preview[0] == "deploy staging" and "?? deploy.sh" in act.preview[2]
    propose(state, named, act)
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    script.write_text("#!/bin/sh\necho evil >> deployed\n")
    changed = deploy(str(project), str(home), named, "staging")
    assert propose(state, named, changed).proposal.number == 2
    assert not (project / "deployed").exists()
    script.write_text('#!/bin/sh\necho "$1" >> deployed\n')
    assert propose(state, named, deploy(str(project), str(home), named, "staging")).exit == 0
    assert (project / "deployed").read_text() == "staging\n"


@pytest.mark.parametrize("name", ["--mirror", "", "a:b", "+main", "https://x.example/r", "a b", "a\nb"])
def test_names_are_names(git: Git, project: Path, home: Path, policy: Policy, name: str) -> None:
    with pytest.raises(UsageError):
        push(str(project), str(home), policy, name or "-", "main")
    if name:
        with pytest.raises(UsageError):
            push(str(project), str(home), policy, "origin", name)
