"""Transactions, migrations, and every way in which a database goes wrong."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from ringwall.model.errors import StateError
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from ringwall.store.schema import CURRENT, heads, metadata


def put(store: Store, stream: str) -> None:
    with store.transaction() as connection:
        connection.execute(sa.insert(heads).values(stream=stream, seq=1, hash="x"))


def streams(store: Store) -> list[str]:
    with store.reading() as connection:
        return list(connection.execute(sa.select(heads.c.stream).order_by(heads.c.stream)).scalars())


def test_what_is_committed_is_there_for_the_next_process(state: StateDir) -> None:
    put(Store(state), "a")
    assert streams(Store(state)) == ["a"]


def test_a_block_that_raises_changes_nothing(state: StateDir) -> None:
    store = Store(state)
    with pytest.raises(KeyError), store.transaction() as connection:
        connection.execute(sa.insert(heads).values(stream="a", seq=1, hash="x"))
        raise KeyError
    assert streams(store) == []


def test_files_are_private_and_the_log_is_write_ahead(state: StateDir) -> None:
    store = Store(state)
    put(store, "a")
    for name in os.listdir(state.path):
        assert stat.S_IMODE(os.stat(f"{state.path}/{name}").st_mode) == 0o600
    with store.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() >= 1000


def test_migrations_make_the_schema_that_the_code_declares(state: StateDir) -> None:
    put(Store(state), "a")
    declared = sa.create_engine("sqlite://")
    metadata.create_all(declared)
    made = sa.create_engine(f"sqlite:///{state.database}")
    with declared.connect() as one, made.connect() as two:
        for table in metadata.tables:
            assert [str(c) for c in _columns(one, table)] == [str(c) for c in _columns(two, table)]
        names = {*sa.inspect(one).get_table_names(), "alembic_version"}
        assert set(sa.inspect(two).get_table_names()) == names >= {*metadata.tables}


def _columns(connection: sa.Connection, table: str) -> list[object]:
    return [
        (c["name"], str(c["type"]), c["nullable"], c["primary_key"])
        for c in sa.inspect(connection).get_columns(table)
    ]


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)
def test_the_schema_fits_postgresql(table: sa.Table) -> None:
    assert str(CreateTable(table).compile(dialect=postgresql.dialect()))


def test_a_current_database_needs_no_alembic(state: StateDir) -> None:
    put(Store(state), "a")
    code = (
        "import sys; from ringwall.store.engine import Store; from ringwall.store.paths import StateDir\n"
        f"with Store(StateDir({state.path!r})).transaction(): pass\n"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_many_first_users_at_once(state: StateDir) -> None:
    code = (
        "import sys, sqlalchemy as sa; from ringwall.store.engine import Store\n"
        "from ringwall.store.paths import StateDir; from ringwall.store.schema import heads\n"
        f"with Store(StateDir({state.path!r})).transaction() as c:\n"
        "    c.execute(sa.insert(heads).values(stream=sys.argv[1], seq=1, hash='x'))"
    )
    started = [subprocess.Popen([sys.executable, "-c", code, str(n)]) for n in range(4)]
    assert [process.wait() for process in started] == [0] * 4
    assert streams(Store(state)) == ["0", "1", "2", "3"]


def test_a_newer_database_is_left_alone(state: StateDir) -> None:
    put(Store(state), "a")
    with sqlite3.connect(state.database) as raw:
        raw.execute(f"PRAGMA user_version = {CURRENT + 1}")
    before = Path(state.database).read_bytes()
    with pytest.raises(StateError, match=r"state\.newer"):
        put(Store(state), "b")
    assert Path(state.database).read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_database_is_left_alone(state: StateDir, content: bytes) -> None:
    os.mkdir(state.path, 0o700)
    Path(state.database).write_bytes(content)
    with pytest.raises(StateError, match=r"state\.corrupt"):
        put(Store(state), "a")
    assert Path(state.database).read_bytes() == content


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/null", path)])
def test_a_database_that_is_no_file_is_refused(state: StateDir, make: object) -> None:
    os.mkdir(state.path, 0o700)
    make(state.database)  # type: ignore[operator]
    with pytest.raises(StateError, match=r"state\.unwritable"):
        put(Store(state), "a")


def test_a_full_disk_is_named_and_loses_nothing(state: StateDir) -> None:
    store = Store(state)
    put(store, "a")
    with store.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StateError, match=r"state\.full"), store.transaction() as connection:
        for n in range(5000):
            connection.execute(sa.insert(heads).values(stream=f"{n:>100}", seq=1, hash="x" * 71))
    assert streams(store) == ["a"]


def test_a_lock_held_by_another_program_is_named(state: StateDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringwall.store.engine.BUSY_SECONDS", 0.05)
    put(Store(state), "a")
    with sqlite3.connect(state.database, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StateError, match=r"state\.busy"):
            put(Store(state), "b")


@pytest.mark.parametrize("gone", [("",), ("", "-wal", "-shm")])
def test_a_database_deleted_under_us_is_put_back(state: StateDir, gone: tuple[str, ...]) -> None:
    store = Store(state)
    put(store, "a")
    for suffix in gone:
        os.unlink(state.database + suffix)
    with pytest.raises(StateError, match=r"state\.deleted"):
        put(store, "b")
    put(store, "c")
    assert streams(Store(state)) == ["a", "c"]


def test_a_database_replaced_under_us_is_saved_beside_the_other(state: StateDir, tmp_path: Path) -> None:
    store = Store(state)
    put(store, "a")
    other = Store(StateDir(str(tmp_path / "other")))
    put(other, "foreign")
    other.close()
    os.replace(other.state.database, state.database)
    with pytest.raises(StateError, match=r"state\.replaced") as caught:
        put(store, "b")
    rescued = dict(caught.value.repair.args)["rescued"]
    with sqlite3.connect(rescued) as raw:
        assert raw.execute("SELECT stream FROM heads").fetchall() == [("a",)]


def test_unwritable_state_is_an_error_not_a_crash(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (f"{tmp_path}/file/x", "/proc/ringwall"):
        with pytest.raises(StateError):
            put(Store(StateDir(path)), "a")
