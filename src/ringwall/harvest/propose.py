"""From corrections to candidates: an engine groups, `validate` says what counts, a person decides.

Invariant: the engine is asked outside the lock, and its answer is taken only if the ledger is still what it
was asked about; the same question is asked once, for the first answer is kept (H-42, H-75). A candidate that
is there is never written again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import msgspec

from ringwall.harvest.grouping.engine import Engine, Request, fence
from ringwall.harvest.lifecycle import covered, remembered
from ringwall.harvest.mask import mask
from ringwall.harvest.model import Candidate, Cluster, Correction, Key, candidate_id
from ringwall.harvest.moments import moment
from ringwall.harvest.shelf import Shelf, shelf
from ringwall.harvest.validate import MIN_CLUSTER, Dropped, check
from ringwall.model.errors import StateError
from ringwall.model.text import msg
from ringwall.store.paths import StateDir

ANSWERS = "answers"
_NOTHING = b'{"clusters":[]}'


@dataclass(frozen=True, slots=True)
class Proposed:
    """What came of asking: new candidates, clusters that do not count, how many corrections were free, and
    whether the answer was known already."""

    new: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    free: int = 0
    known: bool = False


def propose(
    state: StateDir, key: Key, engine: Engine, now: Callable[[], int], minimum: int = MIN_CLUSTER
) -> Proposed:
    """Ask the engine about what no candidate covers. Raises what the engine raises, `AnswerError`, and
    `StateError` where the ledger has changed meanwhile; then nothing was proposed."""
    with shelf(state, key) as opened:
        with opened.place.locked():
            opened.settle()
            request = _request(opened, minimum)
            asked = fence(str(key), engine, request)
            answer = _known(opened, asked)
        if len(request.corrections) < minimum:
            return Proposed(free=len(request.corrections))
        known, dropped = answer is not None, tuple[Dropped, ...]()
        if answer is None:
            checked = check(engine.group(request), _by_id(request), (), minimum)
            answer, dropped = _masked(checked.clusters), checked.dropped
        with opened.place.locked():
            if fence(str(key), engine, _request(opened, minimum)) != asked:
                raise StateError(
                    "harvest.changed",
                    msg("The ledger {key} has changed while the engine was at work.", key=key),
                    msg("Run it again; nothing was proposed."),
                )
            answer = _kept(opened, asked, answer)
            found = _emitted(opened, engine, request, answer, moment(now()))
            return replace(found, dropped=(*dropped, *found.dropped), known=known)


def forget(state: StateDir, key: Key, engine: Engine, minimum: int = MIN_CLUSTER) -> None:
    """Let the next `propose` ask the engine again, also where it has answered this question before."""
    with shelf(state, key) as opened, opened.place.locked():
        asked = fence(str(key), engine, _request(opened, minimum))
        with opened.place.below(ANSWERS, make=True) as answers:
            answers.remove(f"{asked}.json")


def _request(opened: Shelf, minimum: int) -> Request:
    found = opened.standings()
    taken = covered(found)
    free = tuple(row for row in opened.corrections() if row.id not in taken)
    return Request(free, remembered(found), minimum)


def _masked(clusters: Iterable[Cluster]) -> bytes:
    """What counts of an answer, without secrets, in the form of an answer."""
    rows = [
        Cluster(
            each.correction_ids,
            " ".join(mask(each.essence).split()),
            mask(each.why),
            mask(each.how_to_apply),
        )
        for each in clusters
    ]
    return msgspec.json.encode({"clusters": rows})


def _emitted(opened: Shelf, engine: Engine, request: Request, answer: bytes, at: str) -> Proposed:
    found = opened.standings()
    checked = check(answer, _by_id(request), covered(found), request.minimum)
    made = [_candidate(opened.key, cluster, engine, at) for cluster in checked.clusters]
    new = tuple({each.id: each for each in made if each.id not in found}.values())
    taken = frozenset(id for each in new for id in each.correction_ids)
    left = tuple(row for row in request.corrections if row.id not in taken)
    if new:
        _kept(
            opened, fence(str(opened.key), engine, Request(left, request.rejected, request.minimum)), _NOTHING
        )
        opened.emit(new)
    return Proposed(new, checked.dropped, len(request.corrections))


def _candidate(key: Key, cluster: Cluster, engine: Engine, at: str) -> Candidate:
    essence, why, how = cluster.essence, cluster.why, cluster.how_to_apply
    return Candidate(
        id=candidate_id(cluster.correction_ids, essence, why, how),
        project_key=key.project,
        role=key.role,
        correction_ids=cluster.correction_ids,
        essence=essence,
        why=why,
        how_to_apply=how,
        engine=f"{engine.name} {engine.version}",
        at=at,
    )


def _known(opened: Shelf, asked: str) -> bytes | None:
    """The answer to a question that was asked before."""
    with opened.place.below(ANSWERS, make=True) as answers:
        return answers.read(f"{asked}.json")


def _kept(opened: Shelf, asked: str, answer: bytes) -> bytes:
    """Keep an answer; of two who were told different ones, the first holds for both."""
    with opened.place.below(ANSWERS, make=True) as answers:
        if answers.publish(f"{asked}.json", answer):
            return answer
        return answers.read(f"{asked}.json") or answer


def _by_id(request: Request) -> dict[str, Correction]:
    return {row.id: row for row in request.corrections}
