"""Does the journal still say what was written to it?

Any change of a record, and any record removed, inserted, moved or cut off the end is found, as long as the
hashes were not made anew. What cannot be found at tier 0: a program of the same user that rewrites records,
their hashes, the heads in the database and the anchor file together leaves a journal that verifies, for
nothing on this machine is out of its reach. Whoever needs more sends the export, or the heads alone, to
another machine or another user (tier 1).

Invariant: reads only; every finding names its stream and number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sqlalchemy as sa

from ringwall.journal import anchor
from ringwall.journal.anchor import Head
from ringwall.journal.events import TailLost
from ringwall.journal.read import COLUMNS
from ringwall.journal.record import START, Record
from ringwall.model.errors import StateError
from ringwall.model.text import Text, msg
from ringwall.store.engine import Store
from ringwall.store.schema import events, heads

_NUMBERS = frozenset(("v", "seq"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault. `code` is stable: `changed`, `missing`, `broken_link`, `tail`, `head`, `anchor`, `cut`."""

    code: str
    stream: str
    seq: int
    what: Text


@dataclass(slots=True)
class Report:
    """What was read, and every fault in it."""

    records: int = 0
    heads: dict[str, Head] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return not self.findings

    def add(self, code: str, stream: str, seq: int, what: Text) -> None:
        self.findings.append(Finding(code, stream, seq, what))


def verify(store: Store) -> Report:
    """Read all records of all streams in one view, and compare the ends with heads and anchor."""
    report = Report()
    try:
        anchored = anchor.read(store.state.anchor)  # first: it may only fall behind what is read later
    except StateError as fault:
        anchored = {}
        report.add("anchor", "", 0, fault.what)
    with store.reading() as connection:
        _chains(connection, report)
        _compare_heads(connection, report)
        _compare_anchor(connection, report, anchored)
    return report


def _chains(connection: sa.Connection, report: Report) -> None:
    rows = connection.execution_options(yield_per=1000).execute(
        sa.select(*COLUMNS).order_by(events.c.stream, events.c.seq)
    )
    for row in rows:
        record = Record(*row)
        if not _is_formed(record):
            _tell_malformed(record, report)
            continue
        last, prev = report.heads.get(record.stream, (0, START))
        if record.seq != last + 1:
            report.add(
                "missing",
                record.stream,
                last + 1,
                msg("records {first} to {last} are missing", first=last + 1, last=record.seq - 1),
            )
        elif record.prev != prev:
            report.add("broken_link", record.stream, record.seq, msg("does not follow the record before it"))
        if record.hash != record.expected_hash():
            report.add("changed", record.stream, record.seq, msg("is not what was written"))
        if record.type == TailLost.TYPE:
            _tell_cut(record, report)
        report.heads[record.stream] = (record.seq, record.hash)
        report.records += 1


def _is_formed(record: Record) -> bool:
    """Whether each column holds what its type says; SQLite itself keeps anything."""
    return all(
        type(getattr(record, name)) is (int if name in _NUMBERS else str) for name in Record.__struct_fields__
    )


def _tell_malformed(record: Record, report: Report) -> None:
    seq = record.seq if isinstance(record.seq, int) else 0
    report.add("changed", str(record.stream), seq, msg("is not what was written"))
    report.records += 1


def _tell_cut(record: Record, report: Report) -> None:
    try:
        body = record.content()
        stream, first, last = str(body["stream"]), int(body["found_seq"]) + 1, int(body["seen_seq"])
    except (ValueError, KeyError, TypeError):
        return  # the record was changed, which is reported
    report.add(
        "cut",
        stream,
        first,
        msg(
            "records up to {last} had gone by {at}: removed, or taken back by a power cut",
            last=last,
            at=record.at,
        ),
    )


def _compare_heads(connection: sa.Connection, report: Report) -> None:
    stored = {row.stream: (row.seq, row.hash) for row in connection.execute(sa.select(heads))}
    for stream in sorted(stored.keys() | report.heads.keys()):
        seen, kept = report.heads.get(stream, (0, START)), stored.get(stream, (0, START))
        if seen[0] < kept[0]:
            what = msg("records {first} to {last} are cut off", first=seen[0] + 1, last=kept[0])
            report.add("tail", stream, seen[0] + 1, what)
        elif seen != kept:
            report.add("head", stream, seen[0], msg("is not the last record that the head table names"))


def _compare_anchor(connection: sa.Connection, report: Report, anchored: dict[str, Head] | None) -> None:
    if not anchored:
        if report.records and not any(finding.code == "anchor" for finding in report.findings):
            report.add("anchor", "", 0, msg("the anchor file is missing or empty"))
        return
    for stream, (seq, seal) in sorted(anchored.items()):
        if seq > report.heads.get(stream, (0, START))[0]:
            first = report.heads.get(stream, (0, START))[0] + 1
            what = msg("records {first} to {last} are cut off", first=first, last=seq)
            report.add("tail", stream, first, what)
            continue
        found = connection.execute(
            sa.select(events.c.hash).where(events.c.stream == stream, events.c.seq == seq)
        ).scalar()
        if found != seal:
            report.add("anchor", stream, seq, msg("is not the record that the anchor file names"))
