"""The journal, arranged for looking up: words to search, how often rules decided, who made calls.

Invariant: it is made from the journal alone and behind the calls' back, in small transactions; what is not
yet read is only not yet found. Of a stream no record is passed over (docs/adr/0052).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2s
from heapq import merge
from itertools import islice
from typing import Any

import sqlalchemy as sa

from ringwall.journal.read import COLUMNS
from ringwall.journal.record import Record
from ringwall.store.engine import Store
from ringwall.store.prepared import driver
from ringwall.store.schema import events, heads, past_read

AT_ONCE = 500
MOST_CHARACTERS = 20_000
"""So much of one record can be searched; what is longer is shown whole and found by its beginning."""

_TYPES = ("verdict", "host", "session", "tool", "agent", "outcome")

_SEEN = """
INSERT INTO seen (host, session, agent, cwd, mode, first, last, calls, asked, denied)
VALUES (:host, :session, :agent, :cwd, :mode, :first, :last, :calls, :asked, :denied)
ON CONFLICT (host, session, agent) DO UPDATE SET cwd = excluded.cwd, mode = excluded.mode,
last = excluded.last, calls = calls + excluded.calls, asked = asked + excluded.asked,
denied = denied + excluded.denied
"""
_HIT = """
INSERT INTO rule_hits (file, rule, hits, last) VALUES (?, ?, ?, ?)
ON CONFLICT (file, rule) DO UPDATE SET hits = hits + excluded.hits, last = excluded.last
"""
_READ = """
INSERT INTO past_read (stream, seq) VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq
"""


@lru_cache(maxsize=8192)
def mark(name: str, value: str) -> str:
    """One word that stands for a field with this value, whatever characters that has."""
    return "m" + blake2s(f"{name}={value}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(slots=True)
class _Batch:
    """What some records add to the index."""

    words: list[tuple[int, str, str]] = field(default_factory=list)
    past: list[tuple[int, str]] = field(default_factory=list)
    hits: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    seen: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)

    def add(self, number: int, record: Record) -> None:
        body = record.content()
        self.past.append((number, record.id))
        self.words.append((number, " ".join(_words(body))[:MOST_CHARACTERS], " ".join(_marks(record, body))))
        if record.type == "decision":
            self._count(record, body)

    def _count(self, record: Record, body: Mapping[str, Any]) -> None:
        rule = body["trace"].get("rule")
        if rule:
            key = (str(rule.get("file", "")), str(rule.get("text", "")))
            self.hits[key] = (self.hits.get(key, (0, ""))[0] + 1, record.at)
        key_of_caller = (str(body["host"]), str(body["session"]), str(body["agent"]))
        names = dict(zip(("host", "session", "agent"), key_of_caller, strict=True))
        counts = {"first": record.at, "calls": 0, "asked": 0, "denied": 0}
        caller = self.seen.setdefault(key_of_caller, {**names, **counts})
        caller.update(cwd=str(body["cwd"]), mode=str(body["mode"]), last=record.at)
        caller["calls"] += 1
        caller["asked"] += body["verdict"] == "ask"
        caller["denied"] += body["verdict"] == "deny"


def behind(connection: sa.Connection) -> int:
    """How many records cannot be looked up yet."""
    read = sa.func.coalesce(past_read.c.seq, 0)
    joined = heads.outerjoin(past_read, heads.c.stream == past_read.c.stream)
    missing = sa.select(sa.func.coalesce(sa.func.sum(heads.c.seq - read), 0)).select_from(joined)
    return int(connection.execute(missing).scalar_one())


def catch_up(store: Store, most: int = AT_ONCE) -> int:
    """Take in the next records, at most so many; how many there were."""
    with store.reading() as connection:
        if not behind(connection):
            return 0
    with store.transaction() as connection:
        database = driver(connection)
        records = list(_unread(connection, most))
        first = (database.execute("SELECT max(number) FROM past").fetchone()[0] or 0) + 1
        batch = _Batch()
        for number, record in enumerate(records, first):
            batch.add(number, record)
        _write(database, batch, records)
    return len(records)


def _unread(connection: sa.Connection, most: int) -> Iterator[Record]:
    read = {row.stream: row.seq for row in connection.execute(sa.select(past_read))}
    found: list[list[Record]] = []
    for stream in connection.execute(sa.select(heads.c.stream)).scalars().all():
        new = sa.and_(events.c.stream == stream, events.c.seq > read.get(stream, 0))
        query = sa.select(*COLUMNS).where(new).order_by(events.c.seq).limit(most)
        found.append([Record(*row) for row in connection.execute(query)])
    yield from islice(merge(*found, key=lambda record: record.at), most)


def _write(database: sqlite3.Connection, batch: _Batch, records: Iterable[Record]) -> None:
    database.executemany("INSERT INTO past (number, event) VALUES (?, ?)", batch.past)
    database.executemany("INSERT INTO past_words (rowid, words, marks) VALUES (?, ?, ?)", batch.words)
    hits = ((*key, count, last) for key, (count, last) in batch.hits.items())
    database.executemany(_HIT, hits)
    database.executemany(_SEEN, batch.seen.values())
    ends: dict[str, int] = {}
    for record in records:
        ends[record.stream] = max(record.seq, ends.get(record.stream, 0))
    database.executemany(_READ, ends.items())


def _marks(record: Record, body: Mapping[str, Any]) -> Iterator[str]:
    yield mark("type", record.type)
    yield from (mark(name, str(body[name])) for name in _TYPES if body.get(name))
    trace = body.get("trace")
    if isinstance(trace, dict):
        yield mark("stage", str(trace.get("stage", "")))
        yield from {mark("effect", str(effect["name"])) for effect in trace.get("effects", ())}


def _words(body: Mapping[str, Any]) -> Iterator[str]:
    """What a person may look for: what was given, why, by which rule, and what it was about."""
    trace = body.get("trace")
    for name, value in body.items():
        if name not in ("trace", "action", "policy", "binding", "files", "moment"):
            yield from _texts(value)
    if isinstance(trace, dict):
        yield f"{trace.get('reason', '')} {trace.get('code', '')} {(trace.get('rule') or {}).get('text', '')}"
        for effect in trace.get("effects", ()):
            yield f"{effect['name']} {effect['target']}"


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for one in value.values():
                yield from _texts(one)
        case list():
            for one in value:
                yield from _texts(one)
