"""Snapshots as they are kept: after the last step, and before the one that runs.

Invariant: what is kept and cannot be read is the same as nothing kept.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
import sqlalchemy as sa

from ringwall.judge.wall.snapshot import Snapshot, pack, unpack
from ringwall.store.schema import snapshots


class Which(StrEnum):
    LAST = "last"
    BEFORE = "before"


def load(connection: sa.Connection, plan: int, which: Which) -> Snapshot | None:
    query = sa.select(snapshots.c.content).where(_at(plan, which))
    content = connection.execute(query).scalar()
    try:
        return unpack(content) if content is not None else None
    except msgspec.DecodeError:
        return None


def save(connection: sa.Connection, plan: int, which: Which, snapshot: Snapshot) -> None:
    forget(connection, plan, which)
    connection.execute(sa.insert(snapshots).values(plan=plan, kind=which.value, content=pack(snapshot)))


def forget(connection: sa.Connection, plan: int, which: Which) -> None:
    connection.execute(sa.delete(snapshots).where(_at(plan, which)))


def _at(plan: int, which: Which) -> sa.ColumnElement[bool]:
    return sa.and_(snapshots.c.plan == plan, snapshots.c.kind == which.value)
