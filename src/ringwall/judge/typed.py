"""Outward acts that an agent proposes by name and Ringwall itself carries out: git_push, git_merge, pr_open.

Invariant: what runs is the argv that the person was shown, for the commit that they were shown; it is
consumed before it runs, so it runs at most once.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ringwall.approvals import read, write
from ringwall.approvals.binding import Binding
from ringwall.approvals.proposal import REJECTED_SECONDS, Channel, Proposal, Question, State
from ringwall.journal.events import ActionProposed, ActionRan
from ringwall.journal.write import Journal
from ringwall.judge import git
from ringwall.judge.waiting import LOOK_SECONDS
from ringwall.model.canonical import digest
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.policy.model import Policy
from ringwall.store.engine import Store

_OUTPUT = 16_384
_RUN_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Act:
    """One outward act: what will run and what a person should see of it. `effect` is its effect's name."""

    kind: str
    effect: str
    argv: tuple[str, ...]
    cwd: str
    preview: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """How it went: the proposal as it stands, and what the program printed if it ran."""

    proposal: Proposal
    exit: int | None = None
    output: str = ""


def push(folder: str, home: str, policy: Policy, remote: str, branch: str) -> Act:
    """Push the commit that is checked out now to a branch of a remote."""
    root, head = _standing(folder, home)
    target = branch or git.branch(folder) or ""
    _plain(remote, target)
    known = _answer(root, home, "rev-parse", "--verify", "--quiet", f"refs/remotes/{remote}/{target}")
    argv = ("git", "-C", root, "push", "--", remote, f"{head}:refs/heads/{target}")
    return Act("git_push", "git.push", argv, root, _preview(root, home, policy, target, known, head))


def merge(folder: str, home: str, policy: Policy, source: str) -> Act:
    """Merge the commit that `source` is now into the branch that is checked out."""
    root, head = _standing(folder, home)
    target = git.branch(folder) or ""
    _plain(source, target)
    commit = _answer(root, home, "rev-parse", "--verify", "--quiet", f"{source}^{{commit}}")
    if not commit:
        raise _no_commit(source)
    argv = ("git", "-C", root, "merge", "--no-edit", commit)
    return Act(
        "git_merge", "git.merge.protected", argv, root, _preview(root, home, policy, target, head, commit)
    )


def open_request(folder: str, home: str, policy: Policy, title: str, body: str, base: str) -> Act:
    """Open a pull request for the branch that is checked out, by GitHub's own program."""
    root, head = _standing(folder, home)
    branch = git.branch(folder) or ""
    _plain(base, branch)
    words = ("--title", title, "--body", body, "--base", base, "--head", branch)
    known = _answer(root, home, "rev-parse", "--verify", "--quiet", f"refs/remotes/origin/{base}")
    return Act(
        "pr_open",
        "pr.open",
        ("gh", "pr", "create", *words),
        root,
        _preview(root, home, policy, base, known, head),
    )


class Proposing:
    """Puts acts to a person and carries out what they approve."""

    def __init__(self, store: Store, policy: Policy, clock: Callable[[], int] = time.time_ns) -> None:
        self._store = store
        self._journal = Journal(store, clock)
        self._policy = policy
        self._clock = clock

    def propose(
        self, act: Act, requester: str, session: str, seconds: float, env: Mapping[str, str]
    ) -> Ended:
        """Ask, wait for at most so long, and run it on a yes. The same act again asks nothing twice."""
        question = _question(act, self._policy, requester, session)
        end = time.monotonic() + seconds
        while True:
            proposal, runs = self._stand(act, question)
            if runs:
                return self._run(act, proposal, env)
            if proposal.state is not State.PENDING or time.monotonic() >= end:
                return Ended(proposal)
            seen = self._store.changes()
            while self._store.changes() == seen and time.monotonic() < end:
                time.sleep(LOOK_SECONDS)

    def _stand(self, act: Act, question: Question) -> tuple[Proposal, bool]:
        """The proposal about this act as it stands, and whether it is consumed now, to be run."""
        now = self._clock() // 1_000_000_000
        with self._journal.writing() as entry:
            write.expire_overdue(entry, now)
            last = read.latest(entry.connection, question.binding, now)
            if last is not None and last.state is State.APPROVED:
                return write.consume(entry, last, last.event, question.requester), True
            if last is not None and (last.state is State.PENDING or _rejected(last, question.session, now)):
                return last, False
            proposed = ActionProposed(kind=act.kind, argv=act.argv, cwd=act.cwd, preview=act.preview)
            event = entry.append(proposed, question.requester, question.session)
            return write.open_proposal(entry, question, event, now), False

    def _run(self, act: Act, proposal: Proposal, env: Mapping[str, str]) -> Ended:
        try:
            done = subprocess.run(
                act.argv, cwd=act.cwd, env={**env, "GIT_TERMINAL_PROMPT": "0"}, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_RUN_SECONDS, check=False,
            )  # fmt: skip
            status, output = done.returncode, done.stdout[-_OUTPUT:].decode("utf-8", "replace")
        except (OSError, subprocess.TimeoutExpired) as error:
            status, output = 127, str(error)
        with self._journal.writing() as entry:
            ran = ActionRan(number=proposal.number, argv=act.argv, exit=status, output=output)
            entry.append(ran, "ringwall", proposal.session)
        return Ended(proposal, status, output)


def _rejected(proposal: Proposal, session: str, now: int) -> bool:
    recent = proposal.decided + REJECTED_SECONDS > now
    return proposal.state is State.REJECTED and proposal.session == session and recent


def _question(act: Act, policy: Policy, requester: str, session: str) -> Question:
    action = digest({"kind": act.kind, "argv": list(act.argv), "cwd": act.cwd})
    binding = Binding(action=action, policy=policy.digest)
    content = {
        "tool": act.kind,
        "input": {"command": list(act.argv)},
        "cwd": act.cwd,
        "preview": list(act.preview),
        "trace": {"effects": [{"name": act.effect, "target": "", "certain": True}]},
    }
    return Question(
        binding=binding.digest, action=action, requester=requester, content=content, channel=Channel.NONE,
        kind=act.kind, session=session, project=act.cwd,
    )  # fmt: skip


def _preview(root: str, home: str, policy: Policy, target: str, since: str, commit: str) -> tuple[str, ...]:
    """Where it goes, which commits, and what they change."""
    guarded = any(fnmatchcase(target, glob) for glob in policy.protected)
    span = f"{since}..{commit}" if since else commit
    limit = () if since else ("--max-count=20",)
    log = _answer(root, home, "log", "--oneline", "--no-decorate", *limit, span, "--")
    changed = _answer(root, home, "diff", "--stat", f"{since}...{commit}", "--") if since else ""
    where = f"{target} (protected)" if guarded else target
    return tuple(text for text in (f"to {where}", log or "no new commits", changed) if text)


def _standing(folder: str, home: str) -> tuple[str, str]:
    root = git.top(os.path.realpath(folder))
    head = _answer(root, home, "rev-parse", "--verify", "--quiet", "HEAD") if root else ""
    if root is None or not head:
        raise _no_commit("HEAD")
    return root, head


def _plain(*names: str) -> None:
    """Names only: nothing that git or gh would take for an option, a URL or a pattern."""
    for name in names:
        if not name or name.startswith("-") or not all(c.isalnum() or c in "._/-" for c in name):
            raise UsageError(
                "propose.name",
                msg("{name} is no name of a branch or remote.", name=ascii(name)),
                msg("Name it as `git branch` or `git remote` does."),
            )


def _no_commit(name: str) -> UsageError:
    return UsageError(
        "propose.no_commit",
        msg("There is no commit {name} here.", name=name),
        msg("Run it inside the repository, after the commit."),
    )


def _answer(root: str, home: str, *words: str) -> str:
    return (git.ask(root, home, *words) or b"").decode("utf-8", "replace").strip()
