"""Databases of earlier versions stay usable, with what they hold."""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from ringwall.approvals import read
from ringwall.approvals.proposal import State
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from ringwall.store.schema import CURRENT

_EVENT = "01900000-0000-7000-8000-000000000001"


def first_schema(state: StateDir) -> None:
    """A database as the first version left it, with one question at the host's prompt."""
    state.prepare()
    engine = sa.create_engine(f"sqlite:///{state.database}")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", "ringwall.store:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, "1")
        connection.exec_driver_sql("PRAGMA user_version = 1")
        connection.exec_driver_sql(
            "INSERT INTO events VALUES (?, 1, 'calls', 1, '2026-11-30T10:00:00.000000Z', 'decision',"
            " 'agent:claude',"
            ' \'s1\', \'{"tool":"Bash","input":{"command":"git push"},"cwd":"/p"}\', \'x\', \'y\')',
            (_EVENT,),
        )
        connection.exec_driver_sql(
            "INSERT INTO asks VALUES ('claude', 's1', 'call-1', ?, 'sha256:a')", (_EVENT,)
        )
    engine.dispose()


def test_an_open_ask_becomes_a_proposal(state: StateDir) -> None:
    first_schema(state)
    store = Store(state)
    with store.reading() as connection:
        found = read.one(connection, 1, 1_700_000_000)
        kept = connection.exec_driver_sql("SELECT call_id, proposal FROM asks").all()
    store.close()
    assert (found.state, found.requester, found.session) == (State.PENDING, "agent:claude", "s1")
    assert found.content["input"] == {"command": "git push"}
    assert [tuple(row) for row in kept] == [("call-1", 1)]
    with sqlite3.connect(state.database) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (CURRENT,)
