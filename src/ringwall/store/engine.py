"""The database of one state directory.

Invariant: a transaction is whole or never happened, and it happened in the file that stands at the path:
a database that was deleted or replaced under a running process is noticed before anything is written.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from ringwall.model.errors import StateError
from ringwall.model.text import msg
from ringwall.store import faults
from ringwall.store.paths import StateDir
from ringwall.store.prepared import driver
from ringwall.store.schema import CURRENT

BUSY_SECONDS = 5.0
_CHECKPOINT = "wal_autocheckpoint = 4000"  # pages: most of them hold a page that is written again before


class Store:
    """One connection to one database, for use by one thread at a time.

    Commits survive the death of any process; a power cut may take the last of them back (WAL with
    `synchronous=NORMAL`), whole transactions only, never an earlier one without the later ones.
    """

    def __init__(self, state: StateDir) -> None:
        self.state = state
        self._connection: sa.Connection | None = None
        self._database: sqlite3.Connection  # the driver's, under `_connection`
        self._file = (0, 0)
        self._openings = 0
        self.commits = 0
        """Transactions that this store has committed."""

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A writing transaction; committed when the block ends, rolled back when it raises."""
        with self._within("BEGIN IMMEDIATE") as connection:
            yield connection
            self._database.commit()
            self.commits += 1

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """One consistent view; nothing that is done in it stays."""
        with self._within("BEGIN") as connection:
            yield connection

    @contextmanager
    def _within(self, begin: str) -> Iterator[sa.Connection]:
        """A transaction of the driver, rolled back at the end unless it was committed. SQLAlchemy begins
        nothing by itself here: it takes part in the transaction that is open."""
        try:
            connection = self._opened()
            database = self._database
            database.execute(begin)
            try:
                yield connection
            finally:
                database.rollback()
                connection.rollback()
        except (sa.exc.SQLAlchemyError, sqlite3.Error) as fault:
            raise self._failed(fault) from fault

    def changes(self) -> tuple[int, int]:
        """Differs from an earlier answer when another process has committed, or the file was opened anew."""
        try:
            self._opened()
            return self.version()
        except (sa.exc.SQLAlchemyError, sqlite3.Error) as fault:
            raise self._failed(fault) from fault

    def version(self) -> tuple[int, int]:
        """The same, for use within a transaction."""
        version: int = self._database.execute("PRAGMA data_version").fetchone()[0]
        return (self._openings, version)

    def close(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()
            connection.engine.dispose()

    def _opened(self) -> sa.Connection:
        if self._connection is not None:
            if self._file == _identity(self.state.database):
                return self._connection
            raise self._lost()
        self.state.prepare()
        _make_private(self.state.database)
        engine = _engine(self.state.database)
        try:
            _bring_up(engine, self.state.database)
            self._connection = engine.connect()
            self._database = driver(self._connection)
        except BaseException:
            engine.dispose()
            raise
        self._file = _identity(self.state.database)
        self._openings += 1
        return self._connection

    def _failed(self, fault: Exception) -> StateError:
        self.close()
        return faults.state_error(fault, self.state.database)

    def _lost(self) -> StateError:
        """Save what the open file still holds; put it back where nothing has taken its place."""
        path = self.state.database
        rescued = f"{path}.rescued-{os.getpid()}-{os.urandom(4).hex()}"
        try:
            self._save(rescued)
        except (sa.exc.SQLAlchemyError, sqlite3.Error, OSError) as fault:
            return faults.state_error(fault, path)
        finally:
            self.close()
        try:
            os.link(rescued, path)
        except FileExistsError:
            return faults.replaced(path, rescued)
        except OSError as fault:
            return faults.state_error(fault, path)
        os.unlink(rescued)
        return faults.deleted(path)

    def _save(self, target: str) -> None:
        _make_private(target)
        copy = sqlite3.connect(target)
        try:
            self._database.backup(copy)
        finally:
            copy.close()
        for suffix in ("-wal", "-shm"):  # of the deleted file; they would be taken for the copy's
            if not os.path.exists(self.state.database):
                with suppress(FileNotFoundError):
                    os.unlink(self.state.database + suffix)


def _engine(path: str) -> sa.Engine:
    engine = sa.create_engine(
        sa.URL.create("sqlite+pysqlite", database=path),
        poolclass=StaticPool,
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS, "check_same_thread": False},
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", _CHECKPOINT):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _bring_up(engine: sa.Engine, path: str) -> None:
    """Check the schema's number; migrate where it is behind, alone, under the write lock."""
    with engine.connect() as connection:
        found = driver(connection).execute("PRAGMA user_version").fetchone()[0]
    if found > CURRENT:
        raise faults.newer(found, path)
    if found < CURRENT:
        with engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            if number < CURRENT:
                from ringwall.store.migrate import upgrade

                upgrade(connection)


def _identity(path: str) -> tuple[int, int]:
    """The file that stands at `path`, (0, 0) where there is none."""
    try:
        entry = os.stat(path)
    except OSError:
        return (0, 0)
    return (entry.st_dev, entry.st_ino)


def _make_private(path: str) -> None:
    """Make the file where it is missing, readable for this user only; SQLite gives its side files the
    same mode. A link or a special file in its place is refused.

    A file that is there is never opened here: closing it would take SQLite's locks of this process away.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        pass
    except OSError as fault:
        raise _unusable(path, fault.strerror or str(fault)) from fault
    entry = os.lstat(path)
    if not stat.S_ISREG(entry.st_mode):
        raise _unusable(path, "it is not a regular file")
    if stat.S_IMODE(entry.st_mode) != 0o600:
        os.chmod(path, 0o600)


def _unusable(path: str, why: str) -> StateError:
    return StateError(
        "state.unwritable",
        msg("The database cannot be opened: {why}.", why=why),
        msg("Make the state directory and all in it writable for you, or run `ringwall doctor`."),
        path,
    )
