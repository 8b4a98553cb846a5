"""A sealed plan as the store keeps it, and whether it still is what was sealed.

Invariant: an active plan without a `fault` has a sealed copy whose digest is its `plan_id`, and a pointer
that stands exactly where the chained journal says; under a fault nothing but looking passes. Of a plan that
has ended only the sealed copy is checked, for it has no force.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from ringwall.journal import anchor
from ringwall.journal.events import PlanSealed
from ringwall.journal.read import COLUMNS
from ringwall.journal.record import Record
from ringwall.judge.wall.told import pointer_as_told
from ringwall.judge.wall.unended import Unended, unended
from ringwall.model.canonical import canonical
from ringwall.model.errors import StateError
from ringwall.model.text import Text, msg
from ringwall.plan.model import AnyStep, Base, Plan, SealedPlan
from ringwall.plan.pointer import Match, Pointer, Reservation
from ringwall.plan.seal import unseal
from ringwall.store.schema import events, heads, plans, pointers, reservations

ACTIVE = "active"
STREAM = PlanSealed.STREAM


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose call holds the step under the pointer. `words` is the digest of its tool and input; `asked`: its
    host put a question about it first; `opened` is in Unix seconds."""

    call: str
    words: str
    host: str
    session: str
    agent: str
    asked: bool
    opened: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A plan with its number and state. `path` is the Markdown file and `file` the digest that it had; `plan`
    is empty where the sealed copy is broken, which `fault` then says. `astray`: the journal knows no end of
    it, but its row is gone or says something else. Times are Unix seconds."""

    number: int
    state: str
    plan: SealedPlan
    path: str
    file: str
    sealed_by: str
    sealed: int
    ended: int
    because: str
    event: str
    pointer: Pointer
    holder: Holder | None = None
    fault: Text | None = None
    astray: bool = False

    @property
    def active(self) -> bool:
        return self.state == ACTIVE

    @property
    def plan_id(self) -> str:
        return self.plan.plan_id

    @property
    def root(self) -> str:
        return self.plan.root

    @property
    def steps(self) -> tuple[AnyStep, ...]:
        return self.plan.plan.steps

    @property
    def expected(self) -> AnyStep | None:
        """The step under the pointer, None when all are done."""
        return None if self.pointer.finished else self.steps[self.pointer.at]


def active(connection: sa.Connection, anchored: str = "") -> dict[str, Kept]:
    """The active plans by worktree; `anchored` is the path of the journal's anchor."""
    rows = connection.execute(sa.select(plans).where(plans.c.state == ACTIVE)).all()
    cut = _journal_cut(connection, anchored) if rows and anchored else None
    found = {row.root: _kept(connection, row, cut) for row in rows}
    for seal in unended(connection):
        if seal.root not in found or found[seal.root].number != seal.number:
            found[seal.root] = _astray(seal)
    return found


def numbered(connection: sa.Connection, number: int) -> Kept | None:
    """The plan with this number, whatever became of it."""
    row = connection.execute(sa.select(plans).where(plans.c.number == number)).first()
    return _kept(connection, row, None) if row is not None else None


def newest(connection: sa.Connection, count: int) -> list[Kept]:
    """The last plans of all worktrees, the active ones first."""
    first = sa.case((plans.c.state == ACTIVE, 0), else_=1)
    query = sa.select(plans).order_by(first, plans.c.number.desc()).limit(count)
    return [_kept(connection, row, None) for row in connection.execute(query).all()]


def of_root(connection: sa.Connection, root: str) -> list[Kept]:
    """All plans of a worktree, newest first."""
    rows = connection.execute(sa.select(plans).where(plans.c.root == root).order_by(plans.c.number.desc()))
    return [_kept(connection, row, None) for row in rows.all()]


def pointer_text(pointer: Pointer) -> str:
    """The pointer as it is kept."""
    held = pointer.held
    value = {
        "length": pointer.length,
        "at": pointer.at,
        "produced": list(pointer.produced),
        "held": None if held is None else [
            held.call, held.match.step, held.match.output, held.match.closes, held.lost,
        ],
        "spent": sorted(pointer.spent),
    }  # fmt: skip
    return canonical(value).decode()


def _pointer(text: str) -> Pointer | None:
    """The pointer that `pointer_text` wrote; None for anything else."""
    try:
        value: dict[str, Any] = msgspec.json.decode(text)
        held = value["held"]
        pointer = Pointer(
            value["length"],
            value["at"],
            tuple(value["produced"]),
            None if held is None else Reservation(held[0], Match(held[1], held[2], held[3]), held[4]),
            frozenset(value["spent"]),
        )
        return pointer if pointer_text(pointer) == text else None
    except (msgspec.DecodeError, KeyError, TypeError, IndexError, ValueError):
        return None


def _kept(connection: sa.Connection, row: sa.Row[Any], cut: Text | None) -> Kept:
    number = row.number
    plan, fault = _unsealed(row)
    text = connection.execute(sa.select(pointers.c.content).where(pointers.c.plan == number)).scalar() or ""
    kept = _pointer(text)
    pointer = (
        kept if kept is not None and kept.length == len(plan.plan.steps) else Pointer(len(plan.plan.steps))
    )
    if fault is None and row.state == ACTIVE:
        told = _as_journalled(connection, row, plan)
        if isinstance(told, Text):
            fault = told
        elif told != kept:
            fault = msg("its pointer does not stand where the journal says")
    holder = connection.execute(sa.select(reservations).where(reservations.c.plan == number)).first()
    return Kept(
        number, row.state, plan, row.path, row.file, row.sealed_by, row.sealed, row.ended, row.because,
        row.event, pointer, _holder(holder) if holder is not None else None, fault or cut,
    )  # fmt: skip


def _astray(seal: Unended) -> Kept:
    plan = SealedPlan(Plan("", (), ()), seal.plan_id, seal.root, Base(), ())
    fault = msg("the journal knows no end of it, but what was kept of it is gone")
    return Kept(
        seal.number, ACTIVE, plan, seal.path, seal.file, seal.sealed_by, 0, 0, "", seal.event, Pointer(0),
        fault=fault, astray=True,
    )  # fmt: skip


def _unsealed(row: sa.Row[Any]) -> tuple[SealedPlan, Text | None]:
    nothing = SealedPlan(Plan("", (), ()), row.plan_id, row.root, Base(), ())
    try:
        plan = unseal(row.document.encode("utf-8", "surrogatepass"), row.plan_id)
    except StateError as error:
        return nothing, error.what
    if plan.root != row.root:
        return nothing, msg("its sealed copy belongs to another worktree")
    return plan, None


def _as_journalled(connection: sa.Connection, row: sa.Row[Any], plan: SealedPlan) -> Pointer | Text:
    """Where the pointer stands by the journal alone, or what is wrong with that."""
    first = connection.execute(sa.select(events.c.seq).where(events.c.id == row.event)).scalar()
    if first is None:
        return msg("the journal has no record of its seal")
    query = sa.select(*COLUMNS).where(events.c.stream == STREAM, events.c.seq >= first)
    records = [Record(*found) for found in connection.execute(query.order_by(events.c.seq))]
    last = connection.execute(sa.select(heads.c.seq, heads.c.hash).where(heads.c.stream == STREAM)).first()
    if not records or last is None or (records[-1].seq, records[-1].hash) != (last[0], last[1]):
        return msg("the journal's last record of plans is gone")
    sealed = {"plan": row.number, "plan_id": row.plan_id, "root": row.root, "path": row.path,
              "file": row.file, "steps": len(plan.plan.steps)}  # fmt: skip
    return pointer_as_told(records, sealed, plan)


def _journal_cut(connection: sa.Connection, anchored: str) -> Text | None:
    """Whether the anchor names a record of plans that the database does not have."""
    try:
        seen = (anchor.read(anchored) or {}).get(STREAM)
    except StateError as error:
        return error.what
    if seen is None:
        return None
    query = sa.select(events.c.hash).where(events.c.stream == STREAM, events.c.seq == seen[0])
    if connection.execute(query).scalar() == seen[1]:
        return None
    return msg("records of plans are missing from the journal")


def _holder(row: sa.Row[Any]) -> Holder:
    return Holder(
        row.call, row.words, row.host, row.session, row.agent, bool(row.asked), row.opened
    )  # fmt: skip
