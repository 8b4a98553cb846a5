"""`ringwall log show | verify | export`: what was recorded, and whether it still is what was recorded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import VerbGroup
from ringwall.cli.journal import opened
from ringwall.cli.options import as_json, since, until
from ringwall.cli.output import (
    Line,
    Part,
    json_text,
    line,
    page_width,
    paragraph,
    print_json,
    print_lines,
    styled_verdict,
)
from ringwall.cli.summary import summary
from ringwall.cli.visible import cells, visible_line
from ringwall.journal.read import Filter, export, read
from ringwall.journal.record import Record
from ringwall.journal.verify import verify
from ringwall.model.text import msg

_ID_DIGITS = 8


@click.group(cls=VerbGroup, help=_("Read, verify or export the journal."))
def command() -> None:
    """The group itself does nothing."""


def _filtered(function: Any) -> Any:
    for option in (
        click.option("--stream", default="", metavar="NAME", help=_("Only this stream (calls, people).")),
        click.option(
            "--type",
            "kind",
            default="",
            metavar="TYPE",
            help=_("Only this type of event (decision, failure, …)."),
        ),
        click.option("--session", default="", metavar="ID", help=_("Only what is about this session.")),
        since,
        until,
    ):
        function = option(function)
    return function


@command.command("show", help=_("Show the newest events, oldest first."))
@click.option(
    "-n",
    "--newest",
    default=20,
    show_default=True,
    type=click.IntRange(min=0),
    help=_("How many; 0 for all."),
)
@_filtered
@as_json
def show_(newest: int, stream: str, kind: str, session: str, since: str, until: str, as_json: bool) -> None:
    """Print events: a line each, or JSON Lines."""
    wanted = Filter(stream, kind, session, since, until, newest)
    with opened() as store:
        if store is None:
            if not as_json:
                print_lines(paragraph(_("The journal is empty.")))
            return
        with store.reading() as connection:
            records = read(connection, wanted)
            if as_json:
                for record in records:
                    _json_line(record)
            else:
                print_lines(_shown(record) for record in records)


@command.command("verify", help=_("Say whether every record is what was written, and none is missing."))
@as_json
def verify_(as_json: bool) -> int:
    """Verify; a fault is a negative answer."""
    with opened() as store:
        if store is None:
            print_json({"ok": True, "records": 0, "findings": []}) if as_json else print_lines(
                paragraph(_("The journal is empty."))
            )
            return 0
        report = verify(store)
    if as_json:
        findings = [
            {"code": each.code, "stream": each.stream, "seq": each.seq, "what": show(each.what)}
            for each in report.findings
        ]
        heads = {stream: {"seq": seq, "hash": seal} for stream, (seq, seal) in report.heads.items()}
        print_json({"ok": report.whole, "records": report.records, "heads": heads, "findings": findings})
    else:
        for each in report.findings:
            print_lines(
                [line(Part(f"{each.stream or '-'} {each.seq} ", "red"), f"{show(each.what)} [{each.code}]")]
            )
        verdict = (
            msg("Records: {count}. Every one is as it was written.", count=report.records)
            if report.whole
            else msg("Records: {count}. What stands above does not hold.", count=report.records)
        )
        print_lines(paragraph(verdict))
    return 0 if report.whole else 1


@command.command("export", help=_("Print the records as JSON Lines, each with its hash."))
@_filtered
@click.option("--json", "as_json", is_flag=True, hidden=True)
def export_(stream: str, kind: str, session: str, since: str, until: str, as_json: bool) -> None:
    """Print canonical records, so that others can verify them."""
    wanted = Filter(stream, kind, session, since, until)
    with opened() as store:
        if store is not None:
            with store.reading() as connection:
                for exported in export(connection, wanted):
                    sys.stdout.buffer.write(exported)


def _json_line(record: Record) -> None:
    values = {name: getattr(record, name) for name in record.__struct_fields__ if name != "body"}
    sys.stdout.buffer.write((json_text({**values, "body": record.content()}) + "\n").encode())


def _shown(record: Record) -> Line:
    at = datetime.fromisoformat(record.at).astimezone().strftime("%m-%d %H:%M:%S")
    verdict, words = summary(record)
    parts: Iterator[Part] = iter(
        (
            Part(record.id[-_ID_DIGITS:], "dim"),
            Part(at, "dim"),
            styled_verdict(verdict),
            Part(visible_line(words)),
        )
    )
    return line(*_fitted(parts))


def _fitted(parts: Iterator[Part]) -> Iterator[Part]:
    """The columns of a row; the last one is cut at the edge of the page, and says so."""
    *columns, words = parts
    room = page_width() - sum(cells(each.text) + 2 for each in columns)
    for each in columns:
        yield Part(each.text, each.style)
        yield Part("  ")
    shown = ""
    for character in words.text:
        if cells(shown) + cells(character) > room - 1:
            shown += "…"
            break
        shown += character
    yield Part(shown, words.style)
