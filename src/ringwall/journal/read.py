"""Reading the journal: by filter, by id, and as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from ringwall.journal.record import Record
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.store.schema import events

COLUMNS = tuple(events.c[name] for name in Record.__struct_fields__)

_SHORTEST_ID = 4


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records; an empty field lets all through. `since` and `until` are RFC 3339 moments in UTC or
    beginnings of them (`2026-11-30`), `until` not included; `newest` keeps the last so many."""

    stream: str = ""
    type: str = ""
    subject: str = ""
    since: str = ""
    until: str = ""
    newest: int = 0


def read(connection: sa.Connection, wanted: Filter = Filter()) -> Iterator[Record]:
    """The records that `wanted` lets through, oldest first."""
    query = sa.select(*COLUMNS)
    for column in (events.c.stream, events.c.type, events.c.subject):
        if value := getattr(wanted, column.name):
            query = query.where(column == value)
    if wanted.since:
        query = query.where(events.c.at >= wanted.since)
    if wanted.until:
        query = query.where(events.c.at < wanted.until)
    if wanted.newest:
        newest = query.order_by(events.c.id.desc()).limit(wanted.newest).subquery()
        query = sa.select(newest)
    name = "id"
    for row in connection.execute(query.order_by(query.selected_columns[name])):
        yield Record(*row)


def find(connection: sa.Connection, name: str) -> Record:
    """The record with this id, or with an id that ends or begins so. Raises `UsageError`."""
    wanted = name.lower().strip()
    plain = wanted.replace("-", "")
    if len(plain) < _SHORTEST_ID or not all(c in "0123456789abcdef" for c in plain):
        raise _no_such(name)
    tail, head = events.c.id.like(f"%{wanted}"), events.c.id.like(f"{wanted}%")
    found = connection.execute(sa.select(*COLUMNS).where(tail | head).limit(2)).all()
    if not found:
        raise _no_such(name)
    if len(found) > 1:
        raise UsageError(
            "journal.ambiguous_id",
            msg("More than one event has an id like {name}.", name=name),
            msg("Give more of its digits."),
        )
    return Record(*found[0])


def export(connection: sa.Connection, wanted: Filter = Filter()) -> Iterator[bytes]:
    """One canonical JSON line per record, its hash included."""
    for record in read(connection, wanted):
        yield record.exported() + b"\n"


def _no_such(name: str) -> UsageError:
    return UsageError(
        "journal.no_such_event",
        msg("There is no event {name}.", name=name),
        msg("See `ringwall log show` for their ids."),
    )
