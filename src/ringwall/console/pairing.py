"""Which browsers and terminals are a person's.

Invariant: a place is paired by a code that somebody read off a place that is one already, or off the
terminal at which the console was started; a code pairs one place, soon or never. Only digests are kept, so
that whoever reads the state directory learns nothing to pair with.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from ringwall.console.terminal import Terminal
from ringwall.journal.events import Paired, Unpaired
from ringwall.journal.write import Entry, Journal
from ringwall.judge.person import person
from ringwall.model.canonical import digest
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.store.engine import Store
from ringwall.store.schema import pairings

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_SECONDS = 600
MOST_WRONG = 10
"""After so many wrong codes all that are open are void."""


class Kind(StrEnum):
    """What is paired; a code is not yet anything."""

    CODE = "code"
    BROWSER = "browser"
    TERMINAL = "terminal"


SECONDS = {Kind.CODE: CODE_SECONDS, Kind.BROWSER: 7 * 24 * 3600, Kind.TERMINAL: 12 * 3600}


@dataclass(frozen=True, slots=True)
class Place:
    """A paired browser or terminal. Times are Unix seconds."""

    digest: str
    kind: Kind
    label: str
    opened: int
    expires: int


class Pairing:
    """The pairings of one store. For use by one thread at a time."""

    def __init__(self, store: Store, clock: Callable[[], int] = time.time_ns) -> None:
        self._store = store
        self._journal = Journal(store, clock)
        self._clock = clock
        self._wrong = 0

    def code(self) -> str:
        """A new code, to be shown to a person and to nobody else."""
        made = "".join(secrets.choice(ALPHABET) for _ in range(8))
        with self._store.transaction() as connection:
            connection.execute(sa.delete(pairings).where(pairings.c.expires <= self._now()))
            self._put(connection, _of_code(made), Kind.CODE, "")
        return f"{made[:4]}-{made[4:]}"

    def browser(self, code: str, label: str) -> str:
        """Pair a browser with a code; the token that it shows from now on. Raises `UsageError`."""
        token = secrets.token_urlsafe(32)
        with self._journal.writing() as entry:
            good = self._use(entry, code)
            if good:
                self._pair(entry, _of_token(token), Kind.BROWSER, label)
        self._judge(good)
        return token

    def terminal(self, code: str, terminal: Terminal) -> None:
        """Pair a terminal with a code. Raises `UsageError`."""
        with self._journal.writing() as entry:
            good = self._use(entry, code)
            if good:
                self._pair(entry, terminal.digest, Kind.TERMINAL, terminal.name)
        self._judge(good)

    def starter(self, terminal: Terminal) -> None:
        """Pair the terminal at which a person has just started the console."""
        with self._journal.writing() as entry:
            self._pair(entry, terminal.digest, Kind.TERMINAL, terminal.name)

    def known_browser(self, token: str) -> Place | None:
        return self._known(_of_token(token), Kind.BROWSER) if token else None

    def known_terminal(self, terminal: Terminal) -> Place | None:
        return self._known(terminal.digest, Kind.TERMINAL)

    def places(self) -> list[Place]:
        """All that are paired now, the newest first."""
        live = sa.and_(pairings.c.expires > self._now(), pairings.c.kind != Kind.CODE.value)
        with self._store.reading() as connection:
            rows = connection.execute(sa.select(pairings).where(live).order_by(pairings.c.opened.desc()))
            return [_place(row) for row in rows]

    def any(self) -> bool:
        """Whether anything is paired, or could be with an open code."""
        with self._store.reading() as connection:
            live = sa.select(pairings.c.digest).where(pairings.c.expires > self._now()).limit(1)
            return connection.execute(live).first() is not None

    def unpair(self, digest: str) -> None:
        """Take it from one place; nothing where it has none."""
        self._end(pairings.c.digest == digest)

    def unpair_all(self) -> None:
        """Take it from every place, and make every open code void."""
        self._end(sa.true())

    def _end(self, which: sa.ColumnElement[bool]) -> None:
        with self._journal.writing() as entry:
            for row in entry.connection.execute(sa.select(pairings).where(which)).all():
                if row.kind != Kind.CODE.value:
                    entry.append(Unpaired(kind=row.kind, label=row.label), person())
            entry.connection.execute(sa.delete(pairings).where(which))

    def _use(self, entry: Entry, code: str) -> bool:
        """Whether the code was open; it is used up."""
        now, open_ = self._now(), pairings.c.kind == Kind.CODE.value
        if self._wrong >= MOST_WRONG:
            entry.connection.execute(sa.delete(pairings).where(open_))
            self._wrong = 0
        at = sa.and_(pairings.c.digest == _of_code(code), open_, pairings.c.expires > now)
        return entry.connection.execute(sa.delete(pairings).where(at)).rowcount == 1

    def _judge(self, good: bool) -> None:
        if good:
            self._wrong = 0
            return
        self._wrong += 1
        raise UsageError(
            "console.code",
            msg("That is no pairing code, or it was used, or it is older than ten minutes."),
            msg("Take a new one: on the page Pairing, or with `ringwall open` in a paired terminal."),
        )

    def _pair(self, entry: Entry, digest: str, kind: Kind, label: str) -> None:
        self._put(entry.connection, digest, kind, label)
        entry.append(Paired(kind=kind.value, label=label, expires=self._now() + SECONDS[kind]), person())

    def _put(self, connection: sa.Connection, digest: str, kind: Kind, label: str) -> None:
        now = self._now()
        values = {"kind": kind.value, "label": label, "opened": now, "expires": now + SECONDS[kind]}
        connection.execute(sa.delete(pairings).where(pairings.c.digest == digest))
        connection.execute(sa.insert(pairings).values(digest=digest, **values))

    def _known(self, digest: str, kind: Kind) -> Place | None:
        at = sa.and_(
            pairings.c.digest == digest, pairings.c.kind == kind.value, pairings.c.expires > self._now()
        )
        with self._store.reading() as connection:
            row = connection.execute(sa.select(pairings).where(at)).first()
        return _place(row) if row is not None else None

    def _now(self) -> int:
        return self._clock() // 1_000_000_000


def _place(row: sa.Row[Any]) -> Place:
    values = dict(row._mapping)
    return Place(**{**values, "kind": Kind(values["kind"])})


def _of_code(code: str) -> str:
    plain = "".join(character for character in code.upper() if character.isalnum())
    slow = hashlib.scrypt(plain.encode(), salt=b"ringwall pairing", n=2**14, r=8, p=1)
    return f"scrypt:{slow.hex()[:64]}"


def _of_token(token: str) -> str:
    return digest({"token": token})
