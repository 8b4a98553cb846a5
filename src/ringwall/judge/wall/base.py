"""What a plan is sealed on, and what of it has moved since.

Invariant: looking only, and bounded; the answer names what moved, never only that something did.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ringwall.judge import git
from ringwall.judge.wall.snapshot import Snapshot, changed, digest_of
from ringwall.model.text import Text, msg
from ringwall.plan.model import Base

MOST_DIRTY = 2_000
MOST_COMMITS = 20
MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Moved:
    """What is not as it was. `commits` are those between, oldest first, as git names them in a line; `files`
    are paths from the root that changed outside the plan's steps."""

    head: tuple[str, str] | None = None
    commits: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    policy: bool = False

    def __bool__(self) -> bool:
        return self.head is not None or bool(self.files) or self.policy

    @property
    def told(self) -> list[Text]:
        """A sentence for each thing that moved."""
        return list(_told(self))


def base_of(root: str, home: str, policy: str) -> Base:
    """The base as it is now."""
    return Base(head(root, home), tuple(_dirty(root, home)), policy)


def head(root: str, home: str) -> str:
    """The commit that is checked out, empty where there is none."""
    if git.top(root) != root:
        return ""
    found = git.ask(root, home, "rev-parse", "--verify", "--quiet", "HEAD")
    return found.decode("ascii", "replace").strip() if found else ""


def moved(root: str, home: str, before: Base, last: Snapshot, now: Snapshot, policy: str) -> Moved:
    """What has moved since the snapshot after the last step, and the policy since the seal."""
    heads = (last.head, now.head) if last.head != now.head else None
    files = changed(last, now)
    return Moved(
        heads,
        tuple(_commits(root, home, *heads)) if heads else (),
        tuple(files),
        bool(before.policy) and policy != before.policy,
    )


def _told(found: Moved) -> Iterator[Text]:
    if found.head is not None:
        before, now = (commit[:12] or "-" for commit in found.head)
        if found.commits:
            yield msg(
                "HEAD moved from {before} to {now}: {commits}",
                before=before, now=now, commits="; ".join(found.commits),
            )  # fmt: skip
        else:
            yield msg("HEAD moved from {before} to {now}", before=before, now=now)
    if found.files:
        files = ", ".join(found.files[:MOST_SHOWN])
        if len(found.files) > MOST_SHOWN:
            more = len(found.files) - MOST_SHOWN
            yield msg("changed outside the plan: {files} and {more} more", files=files, more=more)
        else:
            yield msg("changed outside the plan: {files}", files=files)
    if found.policy:
        yield msg("the policy is another than when the plan was sealed")


def _commits(root: str, home: str, before: str, now: str) -> Iterator[str]:
    if not before or not now:
        return
    words = ("log", "--oneline", "--no-decorate", "--reverse", f"--max-count={MOST_COMMITS}")
    found = git.ask(root, home, *words, f"{before}..{now}", "--")
    yield from (found or b"").decode("utf-8", "backslashreplace").splitlines()


def _dirty(root: str, home: str) -> Iterator[tuple[str, str]]:
    """Changed and untracked files with their digests, empty where the file is gone."""
    if git.top(root) != root:
        return
    for path in (git.dirty(root, home) or [])[:MOST_DIRTY]:
        if path.isprintable():
            yield path, _digest(f"{root}/{path}")


def _digest(path: str) -> str:
    try:
        found = os.lstat(path)
    except OSError:
        return ""
    return digest_of(path, (found.st_size, found.st_mtime_ns, found.st_ctime_ns))
