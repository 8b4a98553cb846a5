"""What waits for a person, the most telling first, and how much was decided.

Invariant: counts come from the ledger, never from what an engine said; reading changes nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from ringwall.harvest.history import Return, Week, returns, weeks
from ringwall.harvest.lifecycle import Standing, covered
from ringwall.harvest.model import Correction, Key, Status
from ringwall.harvest.moments import read_moment
from ringwall.harvest.shelf import keys, shelf
from ringwall.store.paths import StateDir

HALF_LIFE = timedelta(days=14)
"""After this long without a new correction a candidate counts half."""

STALE = timedelta(days=30)
"""So long a candidate may wait before it is called stale."""

_UNDECIDED = (Status.PROPOSED, Status.REWORDED)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with what it rests on. `evidence` is every correction, oldest first; one that the ledger
    does not have any more is missing from it. `waits` is how long ago it was proposed."""

    key: Key
    standing: Standing
    evidence: tuple[Correction, ...]
    agents: int
    incarnations: int
    newest: datetime
    waits: timedelta
    weight: float

    @property
    def stale(self) -> bool:
        return self.standing.status is Status.PROPOSED and self.waits > STALE

    @property
    def complete(self) -> bool:
        """Whether everything that it names is there to be seen, and it is what was proposed."""
        named = self.standing.candidate.correction_ids
        return len(self.evidence) == len(named) and self.standing.candidate.whole


@dataclass(frozen=True, slots=True)
class Overview:
    """One ledger: how many corrections, how many of them free, the candidates by weight, and how it went over
    time."""

    key: Key
    project: str
    there: bool
    corrections: int
    free: int
    counts: Mapping[Status, int]
    candidates: tuple[Ranked, ...]
    weeks: tuple[Week, ...]
    returns: tuple[Return, ...]

    @property
    def decided(self) -> int:
        return sum(count for status, count in self.counts.items() if status not in _UNDECIDED)


def overview(state: StateDir, key: Key, now: datetime) -> Overview:
    """One ledger as it stands."""
    with shelf(state, key) as opened:
        rows = opened.corrections()
        found = opened.standings()
        project = opened.project
    by_id = {row.id: row for row in rows}
    taken = covered(found)
    ranked = sorted((ranking(key, one, by_id, now) for one in found.values()), key=_order)
    return Overview(
        key=key,
        project=project,
        there=bool(project) and os.path.isdir(project),
        corrections=len(rows),
        free=sum(row.id not in taken for row in rows),
        counts=Counter(one.status for one in found.values()),
        candidates=tuple(ranked),
        weeks=tuple(weeks(rows, found)),
        returns=tuple(returns(rows, found)),
    )


def overviews(state: StateDir, now: datetime) -> list[Overview]:
    """Every ledger, those with the weightiest candidate first."""
    found = [overview(state, key, now) for key in keys(state)]
    return sorted(
        found, key=lambda each: (-max((one.weight for one in waiting(each)), default=0.0), each.key)
    )


def waiting(found: Overview) -> list[Ranked]:
    """What a person has not decided."""
    return [one for one in found.candidates if one.standing.status is Status.PROPOSED]


def ranking(key: Key, one: Standing, rows: Mapping[str, Correction], now: datetime) -> Ranked:
    """How much a candidate weighs: how many agents had to be told, and how lately."""
    evidence = [rows[each] for each in one.candidate.correction_ids if each in rows]
    evidence.sort(key=lambda row: (row.event_at, row.id))
    agents = {row.agent for row in evidence}
    newest = max((read_moment(row.event_at) or now for row in evidence), default=now)
    age = max(now - newest, timedelta())
    return Ranked(
        key=key,
        standing=one,
        evidence=tuple(evidence),
        agents=len(agents),
        incarnations=len({(row.agent, row.incarnation) for row in evidence}),
        newest=newest,
        waits=max(now - (read_moment(one.candidate.at) or now), timedelta()),
        weight=len(agents) * 0.5 ** (age / HALF_LIFE),
    )


def _order(one: Ranked) -> tuple[bool, float, str]:
    return (one.standing.status is not Status.PROPOSED, -one.weight, one.standing.candidate.id)
