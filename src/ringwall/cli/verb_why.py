"""`ringwall why [ID]`: the decision on a call that was made, as the journal keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb
from ringwall.cli.journal import opened
from ringwall.cli.options import as_json
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.summary import summary
from ringwall.cli.trace_view import trace_shown
from ringwall.cli.visible import visible
from ringwall.journal.read import Filter, find, read
from ringwall.journal.record import Record
from ringwall.model.errors import UsageError
from ringwall.model.text import msg


@click.command(
    cls=Verb,
    help=_(
        "Show why a call was judged as it was. ID is the id of an event, or its beginning or end; "
        "without it, the last decision is shown."
    ),
)
@click.argument("event_id", metavar="[ID]", required=False)
@as_json
def command(event_id: str | None, as_json: bool) -> None:
    """Find the event and show its trace."""
    record = _found(event_id)
    if as_json:
        fields = {name: getattr(record, name) for name in ("id", "at", "type", "stream", "seq")}
        print_json({**fields, "body": record.content()})
    else:
        print_lines(_shown(record))


def _found(event_id: str | None) -> Record:
    with opened() as store:
        if store is not None:
            with store.reading() as connection:
                if event_id is not None:
                    return find(connection, event_id)
                for record in read(connection, Filter(type="decision", newest=1)):
                    return record
    raise UsageError(
        "journal.no_such_event",
        msg("There is no event {name}.", name=event_id)
        if event_id
        else msg("The journal holds no decision."),
        msg("See `ringwall log show` for what there is."),
    )


def _shown(record: Record) -> Iterator[Line]:
    body = record.content()
    at = datetime.fromisoformat(record.at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    yield line(Part(record.id, "bold"), "  ", at)
    yield from _about(body)
    yield line()
    if record.type == "decision":
        values = body.get("input", {})
        yield line(Part(str(body.get("tool", "")), "bold"))
        for name, value in values.items():
            yield from paragraph(f"{name}: {visible(str(value))}", 2)
        yield line()
        yield from trace_shown(body["trace"])
    else:
        verdict, words = summary(record)
        yield from paragraph(f"{verdict} {words}".strip())


def _about(body: dict[str, object]) -> Iterator[Line]:
    told = [f"{name} {body[name]}" for name in ("host", "session", "agent", "cwd") if body.get(name)]
    if told:
        yield from paragraph(visible(", ".join(told)), 0, "dim")
