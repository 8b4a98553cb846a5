"""What SQLite's faults mean to a person. Invariant: every fault of the database becomes a `StateError`."""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa

from ringwall.model.errors import StateError
from ringwall.model.text import Text, msg

_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def state_error(fault: Exception, path: str) -> StateError:
    """`fault` in the words of the state that it concerns; the database itself is left as it is."""
    cause = fault.orig if isinstance(fault, sa.exc.DBAPIError) else fault
    primary = (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF
    what, code, repair = _meaning(primary, cause)
    return StateError(code, what, repair, path)


def _meaning(primary: int, cause: object) -> tuple[Text, str, Text]:
    if primary in _CORRUPT:
        return (
            msg("The database is damaged: {cause}.", cause=cause),
            "state.corrupt",
            msg("Move it aside and keep it; a new one is made by the next call, or run `ringwall doctor`."),
        )
    if primary == sqlite3.SQLITE_FULL:
        return msg("The disk is full."), "state.full", msg("Free some space on it.")
    if primary in _UNWRITABLE:
        return (
            msg("The database cannot be read or written: {cause}.", cause=cause),
            "state.unwritable",
            msg("Make the state directory and all in it writable for you, or run `ringwall doctor`."),
        )
    if primary in _BUSY:
        return (
            msg("Another program keeps the database locked."),
            "state.busy",
            msg("End what uses it and try again; `ringwall doctor` names it."),
        )
    return (
        msg("The database failed: {cause}.", cause=cause),
        "state.failed",
        msg("Run `ringwall doctor`."),
    )


def newer(found: int, path: str) -> StateError:
    return StateError(
        "state.newer",
        msg("The database was written by a newer Ringwall (schema {found}).", found=found),
        msg("Update Ringwall, or set RINGWALL_HOME to a state of its own for this version."),
        path,
    )


def deleted(path: str) -> StateError:
    return StateError(
        "state.deleted",
        msg("The database was deleted while in use; it has been put back from the open file."),
        msg("Try again, and find out what deleted it: `ringwall log verify` checks that it is whole."),
        path,
    )


def replaced(path: str, rescued: str) -> StateError:
    return StateError(
        "state.replaced",
        msg("The database was replaced while in use; the former one has been saved."),
        msg("Compare it with {rescued} and keep one of them under its name.", rescued=rescued),
        path,
    )
