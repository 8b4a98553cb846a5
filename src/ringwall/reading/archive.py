"""What has been read, and the permits: one SQLite file of its own in the state directory.

Invariant: only readings that succeeded are in it; an attempt is counted in the file before it is made, so
that no crash gives one back. The file is for this user alone.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec

from ringwall.model.errors import RingwallError, StateError
from ringwall.model.text import msg
from ringwall.reading.entities import entities, fold
from ringwall.reading.failures import refused
from ringwall.reading.observation import Observation
from ringwall.reading.outline import words
from ringwall.reading.permit import Permit
from ringwall.store.paths import StateDir

FILE = "reading.db"
_VERSION = 1
_WIDE = re.compile(r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef])")
_TABLES = """
CREATE TABLE observations (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, digest TEXT NOT NULL,
    route TEXT NOT NULL, label TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL);
CREATE INDEX observations_route ON observations (route, number);
CREATE TABLE entities (
    kind TEXT NOT NULL, name TEXT NOT NULL,
    observation INTEGER NOT NULL REFERENCES observations ON DELETE CASCADE,
    PRIMARY KEY (kind, name, observation)) WITHOUT ROWID;
CREATE INDEX entities_observation ON entities (observation);
CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE permits (
    number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, revision INTEGER NOT NULL,
    digest TEXT NOT NULL, by TEXT NOT NULL, granted INTEGER NOT NULL, expires INTEGER NOT NULL,
    budget INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0, ended TEXT NOT NULL DEFAULT '');
"""
_PERMIT = "session, revision, digest, by, granted, expires, budget, used, ended"
_GIVE = f"INSERT INTO permits ({_PERMIT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names
_LAST = f"SELECT number, {_PERMIT} FROM permits ORDER BY number DESC LIMIT 1"  # noqa: S608
_KEEP = (
    "INSERT INTO observations (at, kind, digest, route, label, title, content) VALUES (?, ?, ?, ?, ?, ?, ?)"
)


class Archive:
    """One connection. Raises `StateError` where the file cannot be used."""

    def __init__(self, state: StateDir) -> None:
        self.path = f"{state.path}/{FILE}"
        state.prepare()
        try:
            _make_private(self.path)
            self._database = sqlite3.connect(
                self.path, isolation_level=None, timeout=5, check_same_thread=False
            )
            self._bring_up()
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from error

    def close(self) -> None:
        self._database.close()

    # Permits

    def grant(self, permit: Permit, replaced: str) -> Permit:
        """Keep a new permit; whatever lived before has ended."""
        with self._writing() as database:
            database.execute("UPDATE permits SET ended = ? WHERE ended = ''", (replaced,))
            values = [getattr(permit, name) for name in _PERMIT.split(", ")]
            row = database.execute(_GIVE, values)
            return replace(permit, number=int(row.lastrowid or 0))

    def permit(self) -> Permit | None:
        """The last permit, living or not."""
        row = self._rows(_LAST)
        return Permit(*row[0]) if row else None

    def spend(self, permit: Permit, now: int) -> bool:
        """Count one attempt; False where the permit had none to give."""
        with self._writing() as database:
            done = database.execute(
                "UPDATE permits SET used = used + 1 WHERE number = ? AND used < budget AND ended = ''"
                " AND granted <= ? AND expires > ?",
                (permit.number, now, now),
            )
            return done.rowcount == 1

    def end(self, why: str) -> bool:
        """End what lives; whether anything did."""
        with self._writing() as database:
            return database.execute("UPDATE permits SET ended = ? WHERE ended = ''", (why,)).rowcount > 0

    # Observations

    def keep(self, one: Observation) -> Observation:
        """Keep an observation, with its words and what it names."""
        with self._writing() as database:
            row = database.execute(
                _KEEP,
                (one.at, one.kind, one.digest, one.route, one.label, one.title, "{}"),
            )
            kept = msgspec.structs.replace(one, number=int(row.lastrowid or 0))
            content = msgspec.json.encode(kept).decode("utf-8", "surrogatepass")
            database.execute("UPDATE observations SET content = ? WHERE number = ?", (content, kept.number))
            body = "\n".join((kept.title, kept.label, kept.route, *words(kept.labels)))
            database.execute("INSERT INTO texts (rowid, body) VALUES (?, ?)", (kept.number, _spaced(body)))
            database.executemany(
                "INSERT OR IGNORE INTO entities (kind, name, observation) VALUES (?, ?, ?)",
                [(kind, name, kept.number) for kind, name in entities(kept.labels)],
            )
            return kept

    def newest(self, route: str = "", count: int = 50) -> list[Observation]:
        """The last ones, newest first, of one route where it is named."""
        where = "WHERE route = ?" if route else "WHERE ? = ''"
        return self._read(f"{where} ORDER BY number DESC LIMIT ?", (route, count))

    def one(self, number: int) -> Observation:
        """Raises `RingwallError` where there is none."""
        if found := self._read("WHERE number = ?", (number,)):
            return found[0]
        raise refused(
            "no_observation",
            msg("There is no observation {number}.", number=number),
            msg("See `ringwall reading list`."),
        )

    def before(self, one: Observation) -> Observation | None:
        """The reading of the same route before this one."""
        found = self._read(
            "WHERE route = ? AND number < ? ORDER BY number DESC LIMIT 1", (one.route, one.number)
        )
        return found[0] if found else None

    def search(self, text: str, count: int = 20) -> list[Observation]:
        """Those in which all words stand, best first."""
        asked = [f'"{word}"' for word in _spaced_words(text)]
        if not asked:
            return []
        where = "JOIN texts ON texts.rowid = number WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        return self._read(where, (" AND ".join(asked), count))

    def names(self, number: int) -> list[tuple[str, str]]:
        """What an observation names."""
        return [(kind, name) for kind, name in self._rows(
            "SELECT kind, name FROM entities WHERE observation = ? ORDER BY kind, name", (number,)
        )]  # fmt: skip

    def naming(self, name: str) -> list[Observation]:
        """The observations that name this, newest first."""
        where = (
            "WHERE number IN (SELECT observation FROM entities WHERE name = ?) ORDER BY number DESC LIMIT 100"
        )
        return self._read(where, (fold(name),))

    def linked(self, number: int) -> list[tuple[int, str, str]]:
        """Others that name the same: number, kind and name; of each route its newest reading only."""
        return [(int(other), kind, name) for other, kind, name in self._rows(
            "SELECT b.observation, a.kind, a.name FROM entities a JOIN entities b USING (kind, name)"
            " JOIN observations o ON o.number = b.observation WHERE a.observation = ? AND b.observation != ?"
            " AND o.route != (SELECT route FROM observations WHERE number = ?)"
            " AND o.number = (SELECT max(number) FROM observations n WHERE n.route = o.route)"
            " ORDER BY a.kind, a.name, b.observation LIMIT 200",
            (number, number, number),
        )]  # fmt: skip

    def forget(self, number: int) -> None:
        """Take one observation out for good."""
        self.one(number)
        with self._writing() as database:
            database.execute("DELETE FROM observations WHERE number = ?", (number,))
            database.execute("DELETE FROM texts WHERE rowid = ?", (number,))

    def _read(self, where: str, values: Sequence[object]) -> list[Observation]:
        rows = self._rows(f"SELECT content FROM observations {where}", values)  # noqa: S608 - our own clauses
        return [msgspec.json.decode(content, type=Observation) for (content,) in rows]

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._failed(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _bring_up(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA foreign_keys = ON")
        self._database.execute("PRAGMA secure_delete = ON")
        found = self._database.execute("PRAGMA user_version").fetchone()[0]
        if found > _VERSION:
            raise sqlite3.DatabaseError(f"it is of a newer Ringwall (version {found})")
        if found == 0:
            self._database.executescript(
                f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;"
            )

    def _failed(self, error: Exception) -> RingwallError:
        return StateError(
            "reading.state",
            msg("The observations cannot be read or written: {why}.", why=error),
            msg("Free some space, or move the file away to begin anew."),
            self.path,
        )


def _spaced(text: str) -> str:
    """Text in which each sign of a script without blanks is a word."""
    return _WIDE.sub(r" \1 ", text)


def _spaced_words(text: str) -> list[str]:
    return [" ".join(_spaced(word).split()).replace('"', " ") for word in text.split() if word.strip('"')]


def _make_private(path: str) -> None:
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        entry = os.lstat(path)
        if not stat.S_ISREG(entry.st_mode) or entry.st_uid != os.geteuid():
            raise OSError(f"{path} is not a file of this user") from None
        if stat.S_IMODE(entry.st_mode) != 0o600:
            os.chmod(path, 0o600)
