"""Moving the pointers of kept plans.

Invariant: a move, the event that tells of it and who holds the step are one transaction, and it is made only
from the pointer that it was decided on; where another process has moved it meanwhile, nothing happens.
"""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from ringwall.journal.events import PlanEnded, StepCommitted, StepLost, StepReleased, StepReserved
from ringwall.journal.write import Entry
from ringwall.judge.wall.kept import Holder, Kept, pointer_text
from ringwall.judge.wall.told import output_index
from ringwall.model.errors import StateError
from ringwall.model.text import msg
from ringwall.plan import pointer as pointing
from ringwall.plan.pointer import Match, Pointer
from ringwall.store.schema import plans, pointers, reservations

MOVED = "wall.moved"
RINGWALL = "ringwall"
DONE = "done"


def reserve(
    entry: Entry, kept: Kept, holder: Holder, match: Match, decision: str, moved: tuple[str, ...] = ()
) -> Kept:
    """The call is about to do the step. Raises `StateError` where it cannot have it."""
    pointer = pointing.reserve(kept.pointer, holder.call, match)
    if pointer == kept.pointer:
        if pointer.holds(holder.call):
            return kept
        raise moved_meanwhile(kept)
    _set(entry, kept, pointer)
    told = StepReserved(
        plan=kept.number, step=match.step, call=holder.call, decision=decision,
        output=output_index(kept.plan, match), closes=match.closes, moved=moved,
    )  # fmt: skip
    entry.append(told, RINGWALL, _subject(kept))
    values = {name: getattr(holder, name) for name in Holder.__dataclass_fields__}
    entry.connection.execute(
        sa.insert(reservations).values(**{**values, "asked": int(holder.asked)}, plan=kept.number)
    )
    return replace(kept, pointer=pointer, holder=holder)


def ask(entry: Entry, kept: Kept) -> Kept:
    """The host puts a question about the call that holds the step."""
    if kept.holder is None or kept.holder.asked:
        return kept
    at = reservations.c.plan == kept.number
    entry.connection.execute(sa.update(reservations).where(at).values(asked=1))
    return replace(kept, holder=replace(kept.holder, asked=True))


def commit(entry: Entry, kept: Kept, by: str, now: int, others: tuple[str, ...] = ()) -> Kept:
    """The call that holds the step is known to have happened. After the last step the plan is done."""
    held = kept.pointer.held
    if held is None:
        return kept
    pointer = pointing.commit(kept.pointer, held.call)
    _set(entry, kept, pointer)
    told = StepCommitted(plan=kept.number, step=held.match.step, call=held.call, by=by, others=others)
    entry.append(told, by if by.startswith("person") else RINGWALL, _subject(kept))
    after = _let_go(entry, replace(kept, pointer=pointer))
    return end(entry, after, DONE, "", RINGWALL, now) if pointer.finished else after


def release(entry: Entry, kept: Kept, by: str, why: str) -> Kept:
    """The call that holds the step is known not to have happened, or not as the step says."""
    held = kept.pointer.held
    if held is None:
        return kept
    pointer = pointing.release(kept.pointer, held.call)
    _set(entry, kept, pointer)
    told = StepReleased(plan=kept.number, step=held.match.step, call=held.call, by=by, why=why)
    entry.append(told, by if by.startswith("person") else RINGWALL, _subject(kept))
    return _let_go(entry, replace(kept, pointer=pointer))


def lose(entry: Entry, kept: Kept, why: str) -> Kept:
    """Nobody can say whether the call that holds the step happened."""
    held = kept.pointer.held
    pointer = pointing.lose(kept.pointer)
    if held is None or pointer == kept.pointer:
        return kept
    _set(entry, kept, pointer)
    told = StepLost(plan=kept.number, step=held.match.step, call=held.call, why=why)
    entry.append(told, RINGWALL, _subject(kept))
    return replace(kept, pointer=pointer)


def end(entry: Entry, kept: Kept, outcome: str, because: str, by: str, now: int) -> Kept:
    """The plan holds no longer: `done`, `abandoned` or `replaced`."""
    at = plans.c.number == kept.number
    if not kept.astray:
        at = sa.and_(at, plans.c.state == kept.state)
    values = {"state": outcome, "ended": now, "because": because}
    ended = entry.connection.execute(sa.update(plans).where(at).values(**values)).rowcount
    if ended != 1 and not kept.astray:
        raise moved_meanwhile(kept)
    entry.append(PlanEnded(plan=kept.number, outcome=outcome, because=because), by, _subject(kept))
    return replace(kept, state=outcome, ended=now, because=because)


def moved_meanwhile(kept: Kept) -> StateError:
    return StateError(
        MOVED,
        msg("Plan {number} was moved by another process at the same moment.", number=kept.number),
        msg("Try again."),
    )


def _set(entry: Entry, kept: Kept, pointer: Pointer) -> None:
    before = pointer_text(kept.pointer)
    at = sa.and_(pointers.c.plan == kept.number, pointers.c.content == before)
    changed = entry.connection.execute(sa.update(pointers).where(at).values(content=pointer_text(pointer)))
    if changed.rowcount != 1:
        raise moved_meanwhile(kept)


def _let_go(entry: Entry, kept: Kept) -> Kept:
    entry.connection.execute(sa.delete(reservations).where(reservations.c.plan == kept.number))
    return replace(kept, holder=None)


def _subject(kept: Kept) -> str:
    return f"plan {kept.number}"
