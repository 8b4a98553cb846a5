"""Looking at the files of a step: before it, after it, and when nobody knows whether it happened.

Invariant: reads only; what it answers is worked out before the transaction that records it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from ringwall.judge import git
from ringwall.judge.wall import products
from ringwall.judge.wall.base import Moved, head, moved
from ringwall.judge.wall.kept import Kept
from ringwall.judge.wall.snapshot import Snapshot, changed, take
from ringwall.judge.wall.turn import Fate, Settled
from ringwall.model.surroundings import Places
from ringwall.plan.pointer import Match

MOST_SHOWN = 50
BY_PRODUCTS, BY_HOST = "products", "host"


def missing(kept: Kept, match: Match) -> list[str]:
    """What the step requires and is not there."""
    requires = kept.steps[match.step].expected.requires
    return [path for path in requires if not os.path.lexists(f"{kept.root}/{path}")]


def files_now(kept: Kept, step: int, home: str, known: Snapshot | None) -> Snapshot:
    """The files in scope now, those that the step at this index names with their digests."""
    names = products.named(kept.steps[step], kept.plan.aims[step], kept.root)
    return take(kept.root, names, known, head(kept.root, home))


def moved_since(kept: Kept, home: str, last: Snapshot, policy: str) -> Moved:
    """What is not as the last step left it, without what git ignores."""
    now = take(kept.root, last.digests, last, head(kept.root, home))
    found = moved(kept.root, home, kept.plan.base, last, now, policy)
    return replace(found, files=_shown(kept, home, found.files))


def between(kept: Kept, home: str, last: Snapshot | None, now: Snapshot) -> tuple[str, ...]:
    """What changed between two steps, without what git ignores."""
    return _shown(kept, home, changed(last, now)) if last is not None else ()


def after_success(kept: Kept, places: Places, before: Snapshot | None) -> Settled:
    """The host says that the call happened: whether it did what the step states."""
    held = kept.pointer.held
    assert held is not None  # noqa: S101 - the caller has looked
    step, aim = kept.steps[held.match.step], kept.plan.aims[held.match.step]
    now = files_now(kept, held.match.step, places.home, before)
    if before is None:
        return Settled(kept.root, held.call, Fate.HAPPENED, BY_HOST, after=now)
    unmet = products.unmet(step, before, now)
    others = _shown(kept, places.home, products.others(step, aim, kept.root, before, now))
    if unmet and held.match.closes:
        why = "; ".join(map(str, unmet))
        return Settled(kept.root, held.call, Fate.FAILED, BY_PRODUCTS, why, others, now)
    return Settled(kept.root, held.call, Fate.HAPPENED, BY_HOST, others=others, after=now)


def after_failure(kept: Kept, places: Places) -> Settled:
    """The host says that the call failed."""
    held = kept.pointer.held
    assert held is not None  # noqa: S101 - the caller has looked
    now = files_now(kept, held.match.step, places.home, None)
    return Settled(kept.root, held.call, Fate.FAILED, BY_HOST, "the call failed", after=now)


def without_report(kept: Kept, home: str, before: Snapshot | None, alive: bool, why: str) -> Settled:
    """The call came to no report. `alive`: its host has gone on since, so that a call about which it put a
    question has not run."""
    held = kept.pointer.held
    assert held is not None  # noqa: S101 - the caller has looked
    seen = _seen(kept, home, before)
    if seen is not None:
        fate, now = seen
        return Settled(kept.root, held.call, fate, BY_PRODUCTS, why, after=now)
    if alive and kept.holder is not None and kept.holder.asked:
        return Settled(kept.root, held.call, Fate.NOT_RUN, BY_HOST, "nobody said yes at the prompt")
    return Settled(kept.root, held.call, Fate.UNKNOWN, BY_HOST, why)


def _seen(kept: Kept, home: str, before: Snapshot | None) -> tuple[Fate, Snapshot] | None:
    held = kept.pointer.held
    if held is None or before is None:
        return None
    step, aim = kept.steps[held.match.step], kept.plan.aims[held.match.step]
    now = files_now(kept, held.match.step, home, before)
    answer = products.happened(step, aim, kept.root, held.match, before, now)
    if answer is None:
        return None
    return (Fate.HAPPENED if answer else Fate.NOT_RUN), now


def _shown(kept: Kept, home: str, paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(git.not_ignored(kept.root, home, paths[: MOST_SHOWN * 4])[:MOST_SHOWN])
