"""Where a person seals a plan, looks at it, settles what nobody knows, and ends it.

Invariant: what is sealed is exactly what was reviewed; a seal, an end and an answer are a person's, each one
transaction with its event. Used by one thread.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from ringwall.approvals.write import AGENT
from ringwall.journal.events import PlanSealed
from ringwall.journal.write import Entry, Journal
from ringwall.judge import missions
from ringwall.judge.here import here
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.judge.wall import faults, kept, looking, moves, snapshots
from ringwall.judge.wall.base import Moved, base_of, head
from ringwall.judge.wall.examine import examine
from ringwall.judge.wall.kept import ACTIVE, Kept, pointer_text
from ringwall.judge.wall.plan_file import PlanFiles, content_of
from ringwall.judge.wall.report import Report, report_of
from ringwall.judge.wall.snapshot import Snapshot, take
from ringwall.judge.wall.snapshots import Which
from ringwall.model.canonical import canonical, digest_bytes
from ringwall.model.surroundings import Places
from ringwall.model.text import Text
from ringwall.plan.model import AnyStep, Plan, Problem, SealedPlan
from ringwall.plan.pointer import Pointer
from ringwall.plan.seal import seal
from ringwall.policy.model import Policy
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from ringwall.store.schema import plans, pointers, seen

REPLACED, ABANDONED = "replaced", "abandoned"
MOST_SEEN = 20


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A plan file as it was read. `plan` is None where it could not be; `sealed` is what a seal would keep,
    None where there are problems; `file` is the digest of `path`. `before` is the worktree's active plan;
    `done` is how many steps at the front stay done."""

    path: str
    file: str
    text: str
    places: Places
    policy: Policy
    problems: tuple[Problem, ...] = ()
    plan: Plan | None = None
    sealed: SealedPlan | None = None
    before: Kept | None = None
    done: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """The plan of a worktree: where it stands, why it does not hold if it does not, and what has moved since
    its last step."""

    kept: Kept
    fault: Text | None
    moved: Moved

    @property
    def expected(self) -> AnyStep | None:
        return self.kept.expected


class Plans:
    """The plans of one state directory, for who starts with `environ`."""

    def __init__(
        self, state: StateDir, environ: Mapping[str, str], clock: Callable[[], int] = time.time_ns
    ) -> None:
        self._state = state
        self._environ = environ
        self._clock = clock
        self.store = Store(state)
        self._journal = Journal(self.store, clock)

    def close(self) -> None:
        self.store.close()

    # ---- looking

    def review(self, path: str, folder: str) -> Reviewed:
        """Read the plan file for the worktree of `folder`. Raises `UsageError` where there is none."""
        found = here(folder, self._environ, self._state)
        places, policy = found.places, found.policy
        whole = os.path.realpath(os.path.join(folder, path))
        content = content_of(whole)
        if content is None:
            raise faults.no_file(path)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise faults.not_utf8(path, error.start) from error
        file = digest_bytes(content)
        before = self.active(places.root)
        so_far = (before.plan, before.pointer.at) if before is not None and before.fault is None else None
        examined = examine(text, DiskSurroundings(places, self._environ), policy, so_far)
        plan = examined.plan
        if plan is None or examined.problems:
            return Reviewed(whole, file, text, places, policy, examined.problems, plan)
        base = base_of(places.root, places.home, policy.digest)
        sealed = seal(plan, places.root, base, examined.aims)
        return Reviewed(whole, file, text, places, policy, (), plan, sealed, before, examined.done)

    def active(self, root: str) -> Kept | None:
        """The active plan of the worktree at `root` (a project root, see `root_of`)."""
        if not os.path.exists(self._state.database):
            return None
        with self.store.reading() as connection:
            return kept.active(connection, self._state.anchor).get(root)

    def root_of(self, folder: str) -> str:
        """The worktree that `folder` is in."""
        return here(folder, self._environ, self._state).places.root

    def all(self, root: str) -> list[Kept]:
        """Every plan of a worktree, newest first."""
        if not os.path.exists(self._state.database):
            return []
        with self.store.reading() as connection:
            return kept.of_root(connection, root)

    def newest(self, count: int) -> list[Kept]:
        """The last plans of all worktrees, the active ones first."""
        if not os.path.exists(self._state.database):
            return []
        with self.store.reading() as connection:
            return kept.newest(connection, count)

    def worktrees(self) -> list[str]:
        """Where plans were sealed or agents were seen lately, and still are."""
        if not os.path.exists(self._state.database):
            return []
        with self.store.reading() as connection:
            sealed = connection.execute(sa.select(plans.c.root).distinct()).scalars().all()
            where = sa.select(seen.c.cwd).order_by(seen.c.last.desc()).limit(MOST_SEEN)
            lately = [*connection.execute(where).scalars()]
        roots = {self.root_of(folder) for folder in dict.fromkeys(lately) if os.path.isdir(folder)}
        return sorted(roots | {root for root in sealed if os.path.isdir(root)})

    def folders(self, root: str) -> tuple[str, ...]:
        """Where plans may be written in this worktree, from its root."""
        return here(root, self._environ, self._state).policy.wall.folders

    def one(self, number: int) -> Kept:
        """The plan with this number, whatever became of it. Raises `UsageError`."""
        with self.store.reading() as connection:
            found = kept.numbered(connection, number)
        if found is None:
            raise faults.no_such(number)
        return found

    def status(self, folder: str) -> Status | None:
        """The active plan where `folder` is, None in conversation."""
        found = here(folder, self._environ, self._state)
        plan = self.active(found.places.root)
        if plan is None:
            return None
        fault = plan.fault or PlanFiles().fault(plan)
        with self.store.reading() as connection:
            last = snapshots.load(connection, plan.number, Which.LAST) or Snapshot(whole=False)
        moved = looking.moved_since(plan, found.places.home, last, found.policy.digest)
        return Status(plan, fault, moved)

    def report(self, number: int) -> Report:
        """What happened under a plan. Raises `UsageError` where there is none."""
        plan = self.one(number)
        with self.store.reading() as connection:
            return report_of(connection, plan, self._clock())

    # ---- deciding

    def seal(self, reviewed: Reviewed, by: str) -> Kept:
        """Make what was reviewed the law of its worktree. Raises `UsageError` where it has problems, where
        the file is another by now, or where another plan is active than the one that was shown."""
        _no_agent(by)
        sealed, root = reviewed.sealed, reviewed.places.root
        if sealed is None:
            raise faults.invalid(reviewed.path, reviewed.problems)
        content = content_of(reviewed.path)
        if content is None or digest_bytes(content) != reviewed.file:
            raise faults.changed(reviewed.path)
        home = reviewed.places.home
        files = take(root, head=head(root, home))
        with self._journal.writing() as entry:
            before = kept.active(entry.connection, self._state.anchor).get(root)
            if (before is None) != (reviewed.before is None) or (
                before is not None
                and reviewed.before is not None
                and (before.number, before.pointer) != (reviewed.before.number, reviewed.before.pointer)
            ):
                raise faults.stale(root)
            if before is not None:
                if before.pointer.held is not None and before.fault is None:
                    raise faults.held(before)
                moves.end(entry, before, REPLACED, "", by, self._now())
            made = self._insert(entry, reviewed, sealed, by)
            snapshots.save(entry.connection, made.number, Which.LAST, files)
            if made.pointer.finished:
                made = moves.end(entry, made, moves.DONE, "", by, self._now())
        return made

    def abandon(self, root: str, by: str, because: str, shown: int | None = None) -> Kept:
        """End the active plan, however it stands. Raises `UsageError` where there is none, or no reason, or
        it is not the plan whose number was shown."""
        _no_agent(by)
        if not because.strip():
            raise faults.no_reason()
        with self._journal.writing() as entry:
            plan = _needed(entry, self._state.anchor, root, shown)
            ended = moves.end(entry, plan, ABANDONED, because, by, self._now())
        missions.plan_ended(self._state, root, by, because)
        return ended

    def resolve_unknown(
        self, root: str, done: bool, by: str, because: str = "", shown: tuple[int, str] | None = None
    ) -> Kept:
        """Say whether the call that holds the step happened. Raises `UsageError` where none does, where the
        plan does not hold, or where it is not the plan and the call that were shown."""
        _no_agent(by)
        files = take(root, head=head(root, os.path.realpath(self._environ.get("HOME", "/"))))
        with self._journal.writing() as entry:
            plan = _needed(entry, self._state.anchor, root, shown[0] if shown else None)
            if plan.fault is not None:
                raise faults.does_not_hold(plan)
            if plan.pointer.held is None:
                raise faults.nothing_held(plan)
            if shown and shown[1] != plan.pointer.held.call:
                raise faults.elsewhere(root)
            plan = moves.lose(entry, plan, "a person was asked")
            snapshots.forget(entry.connection, plan.number, Which.BEFORE)
            snapshots.save(entry.connection, plan.number, Which.LAST, files)
            if done:
                return moves.commit(entry, plan, by, self._now())
            return moves.release(entry, plan, by, because)

    def _insert(self, entry: Entry, reviewed: Reviewed, sealed: SealedPlan, by: str) -> Kept:
        used = sa.union(sa.select(plans.c.number), sa.select(pointers.c.plan)).subquery()
        highest = entry.connection.execute(sa.select(sa.func.max(used.c.number))).scalar() or 0
        replaced = reviewed.before.number if reviewed.before is not None else 0
        number, steps = max(highest, replaced) + 1, len(sealed.plan.steps)
        told = PlanSealed(
            plan=number, plan_id=sealed.plan_id, root=sealed.root, path=reviewed.path, file=reviewed.file,
            steps=steps, head=sealed.base.head, policy=sealed.base.policy,
            after=replaced, done=reviewed.done,
        )  # fmt: skip
        event = entry.append(told, by, f"plan {number}")
        pointer = Pointer(steps, at=reviewed.done)
        row = {
            "number": number, "state": ACTIVE, "plan_id": sealed.plan_id, "root": sealed.root,
            "path": reviewed.path, "file": reviewed.file, "document": canonical(sealed.document).decode(),
            "sealed_by": by, "sealed": self._now(), "ended": 0, "because": "", "event": event,
        }  # fmt: skip
        entry.connection.execute(sa.insert(plans).values(row))
        entry.connection.execute(
            sa.insert(pointers).values(plan=number, content=pointer_text(pointer))
        )  # fmt: skip
        return Kept(
            number, ACTIVE, sealed, reviewed.path, reviewed.file, by, self._now(), 0, "", event, pointer
        )

    def _now(self) -> int:
        return self._clock() // 1_000_000_000


def _needed(entry: Entry, anchor: str, root: str, shown: int | None) -> Kept:
    plan = kept.active(entry.connection, anchor).get(root)
    if plan is None:
        raise faults.none_active(root)
    if shown is not None and shown != plan.number:
        raise faults.elsewhere(root)
    return plan


def _no_agent(by: str) -> None:
    if by.startswith(AGENT):
        raise faults.agent(by)
