"""The life of a candidate, which always ends, and what it keeps from being proposed again.

Invariant: there is one predicate of coverage, `covered`; whoever asks whether a correction is free asks it
(H-57). `MOVES` are all the moves of a candidate; `applied` and `dismissed` cover for ever; only
`upstream-rejected` gives corrections back, and `reworded` hands them on (docs/adr/0084).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ringwall.harvest.model import Candidate, Mark, Remembered, Status

MOVES: Mapping[Status, frozenset[Status]] = MappingProxyType(
    {
        Status.PROPOSED: frozenset({Status.PENDING, Status.DISMISSED, Status.REJECTED, Status.REWORDED}),
        Status.PENDING: frozenset({Status.APPLIED, Status.REJECTED}),
        Status.APPLIED: frozenset(),
        Status.DISMISSED: frozenset(),
        Status.REJECTED: frozenset(),
        Status.REWORDED: frozenset(),
    }
)

COVERING = frozenset({Status.PROPOSED, Status.PENDING, Status.APPLIED, Status.DISMISSED})


@dataclass(frozen=True, slots=True)
class Standing:
    """A candidate and where it stands. `last` is the mark that brought it there, None while proposed."""

    candidate: Candidate
    status: Status = Status.PROPOSED
    last: Mark | None = None


def standings(records: Iterable[Candidate | Mark]) -> dict[str, Standing]:
    """Every candidate by id, in the order of proposal. The first record of an id is the one that counts
    (H-55); a mark that no move allows changes nothing."""
    found: dict[str, Standing] = {}
    for record in records:
        if isinstance(record, Candidate):
            found.setdefault(record.id, Standing(record))
            continue
        before = found.get(record.candidate)
        if before is not None and record.status in MOVES[before.status]:
            found[record.candidate] = Standing(before.candidate, record.status, record)
    return found


def covered(found: Mapping[str, Standing]) -> frozenset[str]:
    """The corrections that some candidate keeps from being proposed again."""
    return frozenset(
        each for one in found.values() if one.status in COVERING for each in one.candidate.correction_ids
    )


def remembered(found: Mapping[str, Standing]) -> tuple[Remembered, ...]:
    """What the canon did not want, and why (H-45)."""
    return tuple(
        Remembered(one.candidate.essence, one.last.reason)
        for one in found.values()
        if one.status is Status.REJECTED and one.last is not None
    )
