"""Looking up what was decided.

Invariant: words are looked for as they are written, never read as a query language; without SQLite's full
text search nothing is found and that is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime

import sqlalchemy as sa

from ringwall.console.index import mark
from ringwall.journal.read import COLUMNS
from ringwall.journal.record import Record
from ringwall.store.prepared import driver
from ringwall.store.schema import events, past

MOST_WORDS = 20
_SHORTEST_BEGINNING = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for; an empty field lets all through. `since` and `until` are RFC 3339 moments in UTC or
    beginnings of them, `until` not included."""

    words: str = ""
    type: str = ""
    verdict: str = ""
    host: str = ""
    session: str = ""
    agent: str = ""
    tool: str = ""
    effect: str = ""
    stage: str = ""
    outcome: str = ""
    since: str = ""
    until: str = ""


_MARKED = tuple(one.name for one in fields(Wanted) if one.name not in ("words", "since", "until"))


@dataclass(frozen=True, slots=True)
class Found:
    """A record and its place in the index."""

    number: int
    record: Record


def search(connection: sa.Connection, wanted: Wanted, before: int, count: int) -> list[Found]:
    """The newest records that are wanted, at most `count` of those before a number (0 for all)."""
    database = driver(connection)
    first = _first_at(connection, wanted.since) if wanted.since else 0
    last = _first_at(connection, wanted.until) if wanted.until else 1 << 62
    limits = (first, min(last, before or last))
    match = _match(wanted)
    if match:
        rows = database.execute(
            "SELECT rowid FROM past_words WHERE past_words MATCH ? AND rowid >= ? AND rowid < ?"
            " ORDER BY rowid DESC LIMIT ?",
            (match, *limits, count),
        )
    else:
        rows = database.execute(
            "SELECT number FROM past WHERE number >= ? AND number < ? ORDER BY number DESC LIMIT ?",
            (*limits, count),
        )
    numbers = [int(row[0]) for row in rows]
    query = sa.select(past.c.number, *COLUMNS).join(events, events.c.id == past.c.event)
    found = connection.execute(query.where(past.c.number.in_(numbers)).order_by(past.c.number.desc()))
    return [Found(row[0], Record(*row[1:])) for row in found]


def _match(wanted: Wanted) -> str:
    """The query in FTS5's own words, each of ours in quotes."""
    marks = [mark(name, value) for name in _MARKED if (value := getattr(wanted, name))]
    parts = [f'marks : "{one}"' for one in marks]
    parts += [f"words : {one}" for one in _phrases(wanted.words)]
    return " AND ".join(parts)


def _phrases(text: str) -> Iterator[str]:
    words = [word for word in text.split() if any(map(str.isalnum, word))][:MOST_WORDS]
    for word in words:
        quoted = '"' + word.replace('"', '""').replace("\0", "") + '"'
        is_beginning = word is words[-1] and len(word) >= _SHORTEST_BEGINNING
        yield f"{quoted} *" if is_beginning else quoted


def _first_at(connection: sa.Connection, moment: str) -> int:
    """The first number whose event is not before a moment. Numbers follow time, as ids do."""
    low, high = 1, (driver(connection).execute("SELECT max(number) FROM past").fetchone()[0] or 0) + 1
    earliest = _id_at(moment)
    while low < high:
        middle = (low + high) // 2
        row = driver(connection).execute("SELECT event FROM past WHERE number = ?", (middle,)).fetchone()
        if row is not None and row[0] < earliest:
            low = middle + 1
        else:
            high = middle
    return low


def _id_at(moment: str) -> str:
    """The beginning of the ids that are made at a moment."""
    at = (
        datetime.fromisoformat(moment).replace(tzinfo=UTC)
        if len(moment) <= 10
        else datetime.fromisoformat(moment)
    )
    milliseconds = int(at.timestamp() * 1000)
    text = f"{milliseconds:012x}"
    return f"{text[:8]}-{text[8:]}"
