"""What is written reads back and verifies; whatever is done to it afterwards is found."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from ringwall.journal.events import EVENTS, FileTrusted, HostReported, TailLost
from ringwall.journal.identifiers import uuid7
from ringwall.journal.read import Filter, export, find, read
from ringwall.journal.record import Record
from ringwall.journal.verify import Report, verify
from ringwall.journal.write import Journal
from ringwall.model.canonical import canonical
from ringwall.model.errors import StateError, UsageError
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

EVERYTHING = Filter()


def report_event(n: int) -> HostReported:
    return HostReported(host="claude", event="Stop", moment="stop", session=f"s{n}")


def fill(journal: Journal, count: int = 5) -> list[str]:
    ids = []
    for n in range(count):
        with journal.writing() as entry:
            ids.append(entry.append(report_event(n), "agent:claude", f"s{n}"))
    return ids


def records(journal: Journal, wanted: Filter = EVERYTHING) -> list[Record]:
    with journal.store.reading() as connection:
        return list(read(connection, wanted))


def tamper(journal: Journal, *statements: str) -> Report:
    journal.store.close()
    with sqlite3.connect(journal.store.state.database) as raw:
        for statement in statements:
            raw.execute(statement)
    return verify(Store(journal.store.state))


def test_an_untouched_journal_verifies(journal: Journal) -> None:
    fill(journal)
    with journal.writing() as entry:
        entry.append(FileTrusted(path="/p", digest="sha256:0"), "person")
    report = verify(journal.store)
    assert report.whole
    assert report.records == 6
    assert {stream: seq for stream, (seq, _) in report.heads.items()} == {"calls": 5, "people": 1}


def test_an_empty_journal_verifies(journal: Journal) -> None:
    assert verify(journal.store).whole


TAMPERINGS = {
    "body": ("UPDATE events SET body = replace(body, 's2', 's9') WHERE seq = 3", "changed"),
    "blank in body": ("UPDATE events SET body = body || ' ' WHERE seq = 3", "changed"),
    "time": ("UPDATE events SET at = '2001' WHERE seq = 3", "changed"),
    "actor": ("UPDATE events SET actor = 'person' WHERE seq = 3", "changed"),
    "column of another type": ("UPDATE events SET body = CAST(body AS BLOB) WHERE seq = 3", "changed"),
    "stream of another type": ("UPDATE events SET stream = x'00ff' WHERE seq = 3", "changed"),
    "number that is none": ("UPDATE events SET seq = 'x' WHERE seq = 3", "changed"),
    "type": ("UPDATE events SET type = 'x' WHERE seq = 3", "changed"),
    "number of the shape": ("UPDATE events SET v = 2 WHERE seq = 3", "changed"),
    "id": ("UPDATE events SET id = 'x' WHERE seq = 3", "changed"),
    "hash": ("UPDATE events SET hash = 'sha256:00' WHERE seq = 3", "changed"),
    "first removed": ("DELETE FROM events WHERE seq = 1", "missing"),
    "middle removed": ("DELETE FROM events WHERE seq = 3", "missing"),
    "last removed": ("DELETE FROM events WHERE seq = 5", "tail"),
    "all removed": ("DELETE FROM events", "tail"),
    "inserted": (
        "INSERT INTO events SELECT 'x', v, stream, 6, at, type, actor, subject, body, hash, hash FROM events "
        "WHERE seq = 5",
        "changed",
    ),
    "head moved": ("UPDATE heads SET seq = 4", "head"),
    "head removed": ("DELETE FROM heads", "head"),
}


@pytest.mark.parametrize(("statement", "code"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_tampering_is_found(journal: Journal, statement: str, code: str) -> None:
    fill(journal)
    assert code in {finding.code for finding in tamper(journal, statement).findings}


def test_exchanged_records_are_found(journal: Journal) -> None:
    fill(journal)
    report = tamper(
        journal,
        "UPDATE events SET seq = 99 WHERE seq = 2",
        "UPDATE events SET seq = 2 WHERE seq = 3",
        "UPDATE events SET seq = 3 WHERE seq = 99",
    )
    assert {finding.seq for finding in report.findings} >= {2, 3}


def test_a_tail_cut_together_with_its_head_is_found_by_the_anchor(journal: Journal) -> None:
    fill(journal)
    report = tamper(
        journal,
        "DELETE FROM events WHERE seq > 3",
        "UPDATE heads SET seq = 3, hash = (SELECT hash FROM events WHERE seq = 3)",
    )
    assert [(finding.code, finding.seq) for finding in report.findings] == [("tail", 4)]


def test_writing_on_after_a_cut_keeps_the_loss_in_the_record(journal: Journal) -> None:
    fill(journal)
    tamper(
        journal,
        "DELETE FROM events WHERE seq > 3",
        "UPDATE heads SET seq = 3, hash = (SELECT hash FROM events WHERE seq = 3)",
    )
    fill(Journal(Store(journal.store.state)), 4)
    assert [record.seq for record in records(journal, Filter(type=TailLost.TYPE))] == [4]
    assert [(f.code, f.seq) for f in verify(journal.store).findings] == [("cut", 4)]


def test_a_missing_or_garbled_anchor_is_found(journal: Journal) -> None:
    fill(journal)
    anchor = Path(journal.store.state.anchor)
    kept = anchor.read_bytes()
    anchor.write_bytes(b"nonsense\n")
    assert [finding.code for finding in verify(journal.store).findings] == ["anchor"]
    with pytest.raises(StateError, match=r"journal\.anchor"):
        fill(journal, 1)
    anchor.write_bytes(b"")
    assert [finding.code for finding in verify(journal.store).findings] == ["anchor"]
    anchor.unlink()
    assert [finding.code for finding in verify(journal.store).findings] == ["anchor"]
    anchor.write_bytes(kept)
    assert verify(journal.store).whole


def test_what_raises_appends_nothing(journal: Journal) -> None:
    fill(journal, 2)
    with pytest.raises(KeyError), journal.writing() as entry:
        entry.append(report_event(9), "x")
        entry.flush()
        raise KeyError
    fill(journal, 1)
    assert [record.seq for record in records(journal)] == [1, 2, 3]
    assert verify(journal.store).whole


def test_records_are_canonical_json(journal: Journal) -> None:
    fill(journal, 1)
    record = records(journal)[0]
    plain = {name: getattr(record, name) for name in Record.__struct_fields__ if name not in ("body", "hash")}
    assert record.canonical() == canonical({**plain, "body": record.content()})
    with journal.store.reading() as connection:
        line = next(export(connection))
    assert msgspec.json.decode(line)["hash"] == record.hash


def test_filters(journal: Journal) -> None:
    fill(journal)
    with journal.writing() as entry:
        entry.append(FileTrusted(path="/p", digest="sha256:0"), "person")
    assert len(records(journal, Filter(stream="people"))) == 1
    assert len(records(journal, Filter(type="host.event"))) == 5
    assert [r.subject for r in records(journal, Filter(subject="s3"))] == ["s3"]
    assert [r.seq for r in records(journal, Filter(stream="calls", newest=2))] == [4, 5]
    third = records(journal, Filter(stream="calls"))[2].at
    assert [r.seq for r in records(journal, Filter(stream="calls", since=third))] == [3, 4, 5]
    assert [r.seq for r in records(journal, Filter(stream="calls", until=third))] == [1, 2]


def test_find_by_either_end_of_the_id(journal: Journal) -> None:
    ids = fill(journal, 3)
    with journal.store.reading() as connection:
        assert find(connection, ids[1]).seq == 2
        assert find(connection, ids[1][-8:]).seq == 2
        for wrong in ("", "%", "zzzz", "0123456789abcdef"):
            with pytest.raises(UsageError, match="no_such_event"):
                find(connection, wrong)
        with pytest.raises(UsageError, match="ambiguous"):
            find(connection, ids[1][:4])


def test_ids_are_uuids_of_version_7_in_order() -> None:
    ids = [uuid7(1_800_000_000_000_000_000 + n * 1000) for n in range(50)]
    assert ids == sorted(ids)
    assert all(i[14] == "7" and i[19] in "89ab" for i in ids)


def test_event_types_are_distinct() -> None:
    assert len({(event.TYPE, event.V) for event in EVENTS}) == len(EVENTS)


def test_two_who_write_through_one_store_write_one_chain(journal: Journal) -> None:
    other = Journal(journal.store)
    for each in (journal, other, journal, other, other, journal):
        fill(each, 2)
    assert verify(journal.store).whole
    assert verify(journal.store).records == 12


def test_two_processes_write_one_chain(journal: Journal) -> None:
    fill(journal, 1)
    started = [_writer(journal.store.state, "20") for _ in range(2)]
    assert [process.wait() for process in started] == [0, 0]
    report = verify(journal.store)
    assert report.whole
    assert report.records == 41


def _writer(state: StateDir, count: str) -> subprocess.Popen[bytes]:
    code = (
        "import sys, itertools\n"
        "from ringwall.journal.events import HostReported; from ringwall.journal.write import Journal\n"
        "from ringwall.store.engine import Store; from ringwall.store.paths import StateDir\n"
        "journal = Journal(Store(StateDir(sys.argv[1])))\n"
        "for n in itertools.count() if sys.argv[2] == 'forever' else range(int(sys.argv[2])):\n"
        "    with journal.writing() as entry:\n"
        "        entry.append(HostReported(host='h', event='e', moment='m', session='x' * 3000), 'a')\n"
        "    print(n, flush=True)"
    )
    return subprocess.Popen([sys.executable, "-c", code, state.path, count], stdout=subprocess.PIPE)


@pytest.mark.parametrize("delay", [0.0, 0.003, 0.011, 0.05, 0.2])
def test_a_writer_killed_at_any_moment_leaves_a_whole_journal(journal: Journal, delay: float) -> None:
    fill(journal, 1)
    writer = _writer(journal.store.state, "forever")
    assert writer.stdout is not None
    writer.stdout.readline()
    time.sleep(delay)
    os.kill(writer.pid, signal.SIGKILL)
    said = len(writer.stdout.read().splitlines()) + 1
    writer.wait()
    writer.stdout.close()
    report = verify(Store(journal.store.state))
    assert report.whole
    assert report.records >= said + 1  # nothing that was confirmed is lost
    fill(Journal(Store(journal.store.state)), 2)
    assert verify(Store(journal.store.state)).whole


def test_the_callers_transaction_is_the_journals(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a failing commit takes back, it takes back from both."""
    fill(journal, 1)
    moves: list[Callable[[], None]] = []
    monkeypatch.setattr("ringwall.journal.anchor.advance", lambda *_: moves.append(lambda: None))
    with pytest.raises(StateError), journal.writing() as entry:
        event = entry.append(report_event(1), "x")
        entry.flush()
        entry.connection.exec_driver_sql("INSERT INTO asks VALUES ('h', 's', 'c', 'no such event', 'a')")
        assert event
    assert not moves
    assert len(records(journal)) == 1
