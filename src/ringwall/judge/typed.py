"""Outward acts that an agent proposes by name and Ringwall itself carries out: git_push, git_merge, pr_open,
pr_merge, deploy.

Invariant: what runs is the argv that the person was shown, for the commit and the files that they were shown;
it is consumed before it runs, so it runs at most once.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import msgspec

from ringwall.approvals import read, write
from ringwall.approvals.binding import Binding
from ringwall.approvals.proposal import REJECTED_SECONDS, Channel, Proposal, Question, State
from ringwall.journal.events import ActionProposed, ActionRan
from ringwall.journal.write import Journal
from ringwall.judge import git
from ringwall.judge.waiting import LOOK_SECONDS
from ringwall.model.canonical import digest, digest_bytes
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.policy.model import Policy
from ringwall.store.engine import Store

_OUTPUT = 16_384
_RUN_SECONDS = 600.0
_LOOK_UP_SECONDS = 30.0
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Act:
    """One outward act: what will run and what a person should see of it. `effect` is its effect's name;
    `holds` is the digest of whatever else must stay as it was shown."""

    kind: str
    effect: str
    argv: tuple[str, ...]
    cwd: str
    preview: tuple[str, ...]
    holds: str = ""


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


def merge_request(folder: str, env: Mapping[str, str], policy: Policy, number: int) -> Act:
    """Merge a pull request at the commit that it has now, by GitHub's own program."""
    root, _ = _standing(folder, env.get("HOME", ""))
    found = _request(root, env, number)
    guarded = any(fnmatchcase(found.base, glob) for glob in policy.protected)
    where = f"{found.base} (protected)" if guarded else found.base
    preview = (f"to {where}", f"#{number} {found.title}", f"at {found.head}")
    words = ("--merge", "--match-head-commit", found.head)
    return Act("pr_merge", "pr.merge", ("gh", "pr", "merge", str(number), *words), root, preview)


def deploy(folder: str, home: str, policy: Policy, name: str) -> Act:
    """Run the command that the policy has for this deployment, with the project as it is now."""
    commands = dict(policy.outlets.deploy)
    if name not in commands:
        known = ", ".join(sorted(commands)) or "-"
        raise UsageError(
            "propose.no_deployment",
            msg("There is no deployment {name} in a trusted policy file.", name=ascii(name)),
            msg("Those that there are: {known}. A person adds one under [deploy].", known=known),
        )
    root, head = _standing(folder, home)
    argv = commands[name]
    state = _answer(root, home, "status", "--porcelain=v1", "--untracked-files=all")
    changed = _answer(root, home, "diff", "HEAD", "--binary")
    log = _answer(root, home, "log", "--oneline", "--no-decorate", "--max-count=1", head, "--")
    preview = (f"deploy {name}", log, f"with changes that are not committed:\n{state}" if state else "")
    holds = digest({"head": head, "state": state, "changed": changed, "program": _content(root, argv[0])})
    return Act("deploy", "deploy", argv, root, tuple(text for text in preview if text), holds)


class Proposing:
    """Puts acts to a person and carries out what they approve."""

    def __init__(self, store: Store, policy: Policy, clock: Callable[[], int] = time.time_ns) -> None:
        self._store = store
        self._journal = Journal(store, clock)
        self._policy = policy
        self._clock = clock

    def propose(
        self, act: Act, requester: str, session: str, seconds: float, env: Mapping[str, str],
        waits: Callable[[Proposal], None] = lambda _: None,
    ) -> Ended:  # fmt: skip
        """Ask, wait for at most so long, and run it on a yes. The same act again asks nothing twice. `waits`
        is told once, where there is somebody to wait for."""
        question = _question(act, self._policy, requester, session)
        end = time.monotonic() + seconds
        told = False
        while True:
            proposal, runs = self._stand(act, question)
            if runs:
                return self._run(act, proposal, env)
            if proposal.state is not State.PENDING or time.monotonic() >= end:
                return Ended(proposal)
            if not told:
                waits(proposal)
                told = True
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
    action = digest({"kind": act.kind, "argv": list(act.argv), "cwd": act.cwd, "holds": act.holds})
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


class _Request(msgspec.Struct, frozen=True, rename="camel"):
    """What GitHub's program says of a pull request."""

    title: str
    head_ref_oid: str
    base_ref_name: str

    @property
    def head(self) -> str:
        return self.head_ref_oid

    @property
    def base(self) -> str:
        return self.base_ref_name


def _request(root: str, env: Mapping[str, str], number: int) -> _Request:
    words = ("gh", "pr", "view", str(number), "--json", "title,headRefOid,baseRefName")
    try:
        done = subprocess.run(
            words, cwd=root, env=dict(env), stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_LOOK_UP_SECONDS, check=True,
        )  # fmt: skip
        found = msgspec.json.decode(done.stdout, type=_Request)
    except (OSError, subprocess.SubprocessError, msgspec.DecodeError) as error:
        raise UsageError(
            "propose.no_request",
            msg("The pull request {number} cannot be looked at: {error}.", number=number, error=error),
            msg("Try `gh pr view {number}`.", number=number),
        ) from error
    if not _COMMIT.fullmatch(found.head):
        raise _no_commit(found.head)
    return found


def _content(root: str, program: str) -> str:
    """The digest of a program of the project; nothing for one that is found on PATH."""
    if "/" not in program:
        return ""
    try:
        with open(os.path.join(root, program), "rb") as file:
            return digest_bytes(file.read())
    except OSError as error:
        raise UsageError(
            "propose.no_program",
            msg("{program} cannot be read: {error}.", program=program, error=error.strerror or error),
            msg("Mend [deploy] in the policy file."),
        ) from error


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
