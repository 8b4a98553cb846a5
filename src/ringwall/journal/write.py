"""Appending to the journal.

Invariant: a record stands in the transaction of the state that it tells of, and it is redacted before it
is hashed. Nothing here changes or removes a record.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

import msgspec
import sqlalchemy as sa

from ringwall.journal import anchor
from ringwall.journal.anchor import Head
from ringwall.journal.events import Event, TailLost
from ringwall.journal.identifiers import uuid7
from ringwall.journal.record import START, Record
from ringwall.journal.redact import nothing_to_redact, redact
from ringwall.model.canonical import canonical, canonical_struct
from ringwall.store.engine import Store
from ringwall.store.prepared import Prepared, driver
from ringwall.store.schema import events, heads

Clock = Callable[[], int]

_INSERT = Prepared(sa.insert(events).values({name: sa.bindparam(name) for name in Record.__struct_fields__}))
_HEAD = Prepared(sa.select(heads.c.seq, heads.c.hash).where(heads.c.stream == sa.bindparam("of")))
_MOVE_HEAD = Prepared(
    sa.update(heads)
    .where(heads.c.stream == sa.bindparam("of"))
    .values(seq=sa.bindparam("to"), hash=sa.bindparam("seal"))
)
_NEW_HEAD = Prepared(
    sa.insert(heads).values(stream=sa.bindparam("of"), seq=sa.bindparam("to"), hash=sa.bindparam("seal"))
)


class Entry:
    """The appends of one open transaction. Records reach the database with `flush`, at the latest when
    the transaction ends."""

    def __init__(self, connection: sa.Connection, clock: Clock, heads: Mapping[str, Head] = {}) -> None:
        self.connection = connection
        self.heads = dict(heads)
        self.moved: set[str] = set()
        self._clock = clock
        self._database = driver(connection)
        self._pending: list[Record] = []

    def append(self, event: Event, actor: str, subject: str = "") -> str:
        """Append one event to its stream; its id."""
        now = self._clock()
        seq, prev = self.head(event.STREAM)
        record = Record(
            id=uuid7(now),
            v=event.V,
            stream=event.STREAM,
            seq=seq + 1,
            at=_moment(now),
            type=event.TYPE,
            actor=actor,
            subject=subject,
            body=_body(event),
            prev=prev,
        ).sealed()
        self.heads[record.stream] = (record.seq, record.hash)
        self.moved.add(record.stream)
        self._pending.append(record)
        return record.id

    def head(self, stream: str) -> Head:
        """The last record's number and hash."""
        if stream not in self.heads:
            self.heads[stream] = _HEAD.run(self._database, {"of": stream}).fetchone() or (0, START)
        return self.heads[stream]

    def flush(self) -> None:
        if not self._pending:
            return
        _INSERT.run_each(self._database, map(msgspec.structs.astuple, self._pending))
        for stream in {record.stream for record in self._pending}:
            seq, seal = self.heads[stream]
            self._set_head(stream, seq, seal)
        self._pending.clear()

    def _set_head(self, stream: str, seq: int, seal: str) -> None:
        at = {"of": stream, "to": seq, "seal": seal}
        if _MOVE_HEAD.run(self._database, at).rowcount == 0:
            _NEW_HEAD.run(self._database, at)


class Journal:
    """The journal of one store, for writing."""

    def __init__(self, store: Store, clock: Clock = time.time_ns) -> None:
        self.store = store
        self._clock = clock
        self._anchored: dict[str, Head] = {}
        self._left: tuple[object, dict[str, Head]] = (None, {})

    @contextmanager
    def writing(self) -> Iterator[Entry]:
        """A transaction with its appends; the anchor moves when it is committed. Where nobody else has
        committed since the last one, the heads are where that one left them."""
        with self.store.transaction() as connection:
            version = self.store.version()
            if (version, self.store.commits) == self._left[0]:
                entry = Entry(connection, self._clock, self._left[1])
            else:
                entry = Entry(connection, self._clock)
                self._compare_with_anchor(entry)
            yield entry
            entry.flush()
        self._left = ((version, self.store.commits), entry.heads)
        if entry.moved:
            moved = {stream: entry.heads[stream] for stream in entry.moved}
            self._anchored = {**self._anchored, **moved}
            anchor.advance(self.store.state.anchor, moved)

    def _compare_with_anchor(self, entry: Entry) -> None:
        """Where the anchor names a record that the database does not have, say so in the journal."""
        for stream, seen in (anchor.read(self.store.state.anchor) or {}).items():
            if seen == self._anchored.get(stream) and entry.head(stream)[0] >= seen[0]:
                continue
            found = entry.connection.execute(
                sa.select(events.c.hash).where(events.c.stream == stream, events.c.seq == seen[0])
            ).scalar()
            if found == seen[1]:
                self._anchored[stream] = seen
            else:
                self._tell_of_cut(entry, stream, seen)

    def _tell_of_cut(self, entry: Entry, stream: str, seen: Head) -> None:
        already = sa.select(events.c.id).where(
            events.c.type == TailLost.TYPE, events.c.subject == f"{stream}:{seen[1]}"
        )
        if entry.connection.execute(already).first() is None:
            cut = TailLost(
                stream=stream, seen_seq=seen[0], seen_hash=seen[1], found_seq=entry.head(stream)[0]
            )
            entry.append(cut, "ringwall", f"{stream}:{seen[1]}")


def _body(event: Event) -> str:
    """The event as canonical JSON without secrets."""
    text = (canonical_struct(event, event.PLAIN) or b"").decode()
    if text and nothing_to_redact(text):
        return text
    return canonical(redact(msgspec.to_builtins(event))).decode()


def _moment(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{_second(seconds)}.{rest // 1000:06d}Z"


@lru_cache(maxsize=4)
def _second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"
