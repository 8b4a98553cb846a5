"""Statements that every call runs.

Invariant: written in SQLAlchemy Core like all others, compiled once, and run on the driver's connection
within the transaction that is open there; so what they do is committed or taken back with the rest.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

_DIALECT = sqlite.dialect()


class Prepared:
    """One statement. Parameters are given by name; faults are the driver's (`sqlite3.Error`)."""

    def __init__(self, statement: sa.ClauseElement) -> None:
        compiled = statement.compile(dialect=_DIALECT)
        assert isinstance(compiled, sa.Compiled)  # noqa: S101
        self._text = str(compiled)
        self._order: tuple[str, ...] = tuple(getattr(compiled, "positiontup", None) or ())

    def run(self, database: sqlite3.Connection, given: Mapping[str, Any]) -> sqlite3.Cursor:
        return database.execute(self._text, [given[name] for name in self._order])

    def run_each(self, database: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
        """Once per row, whose values stand in the order of the statement's parameters."""
        database.executemany(self._text, rows)


def driver(connection: sa.Connection) -> sqlite3.Connection:
    """The driver's connection under an SQLAlchemy connection."""
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)  # noqa: S101 - the only driver used here
    return found
