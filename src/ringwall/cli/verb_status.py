"""`ringwall status`: what is judged here and by which policy, without changing or making anything."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click

from ringwall.approvals.read import tally
from ringwall.cli.catalogue import _, show
from ringwall.cli.errors import sentence
from ringwall.cli.group import Verb
from ringwall.cli.journal import opened
from ringwall.cli.options import absolute, as_json, project
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.verb_daemon import told
from ringwall.cli.visible import cells, visible_line
from ringwall.daemon.lock import holder
from ringwall.journal.read import Filter, read
from ringwall.journal.record import Record
from ringwall.judge.endpoint import Endpoint, endpoint
from ringwall.judge.places import places_of
from ringwall.judge.policies import InForce, Policies
from ringwall.judge.standing import Standing, read_standing
from ringwall.model.text import Text, msg
from ringwall.policy.model import Layer, LayerName
from ringwall.store.paths import StateDir, locate


@dataclass(frozen=True, slots=True)
class _Status:
    project: str
    state: StateDir
    in_force: InForce
    last: Record | None
    off_until: datetime | None
    waiting: int
    console: Endpoint | None


@click.command(cls=Verb, help=_("Say what is judged here, by which policy, and whether the daemon runs."))
@project
@as_json
def command(project: str, as_json: bool) -> None:
    """Look, and tell."""
    status = _looked(absolute(project))
    if as_json:
        print_json(_row(status))
    else:
        print_lines(_shown(status))


def _looked(directory: str) -> _Status:
    state = locate(os.environ)
    standing, last, waiting = Standing(), None, 0
    with opened() as store:
        if store is not None:
            with store.reading() as connection:
                standing = read_standing(connection)
                last = next(read(connection, Filter(newest=1)), None)
                waiting, _newest, _sum = tally(connection, int(time.time()))
    places = places_of(directory, os.environ, state)
    trusted = standing.trusted_below(f"{places.root}/.ringwall")
    in_force = Policies().in_force(places, trusted, standing.sources)
    pause = standing.pause(time.time())
    until = datetime.fromtimestamp(pause.ends, UTC) if pause else None
    return _Status(places.root, state, in_force, last, until, waiting, endpoint(state))


def _row(status: _Status) -> dict[str, Any]:
    policy = status.in_force.loaded.policy
    return {
        "project": status.project,
        "preset": policy.preset,
        "policy_digest": policy.digest,
        "layers": [
            {
                "name": layer.name.value, "rules": len(layer.rules), "trusted": layer.trusted,
                "dropped": len(layer.dropped),
            }
            for layer in policy.layers
        ],
        "problems": [sentence(problem) for problem in status.in_force.problems],
        "judging": status.off_until is None,
        "off_until": status.off_until.isoformat() if status.off_until else None,
        "pending": status.waiting,
        "console": f"http://{status.console.name}/" if status.console else None,
        "daemon": holder(status.state),
        "state": status.state.path,
        "last_event": {"id": status.last.id, "at": status.last.at} if status.last else None,
    }  # fmt: skip


def _shown(status: _Status) -> Iterator[Line]:
    policy = status.in_force.loaded.policy
    rows = [
        (_("project"), visible_line(status.project)),
        (_("preset"), policy.preset),
        *((_("policy"), show(text)) for text in map(_layer, policy.layers) if text),
        (_("judging"), show(_judging(status.off_until))),
        (_("waiting"), show(_waiting(status.waiting))),
        (_("console"), show(_console(status.console))),
        (_("daemon"), show(told(status.state))),
        (_("journal"), show(_journal(status.last))),
        (_("state"), visible_line(status.state.path)),
    ]
    width = max(cells(name) for name, _text in rows)
    for name, text in rows:
        first, *rest = paragraph(text, width + 2)
        yield line(Part(name + " " * (width - cells(name)), "bold"), "  ", *first[1:])
        yield from rest
    for problem in status.in_force.problems:
        yield from paragraph(sentence(problem), 2, "red")


def _layer(layer: Layer) -> Text | None:
    if layer.name is LayerName.PRESET:
        return None
    if layer.dropped:
        return msg(
            "{layer}: {rules} rules; {dropped} lines do not count before `ringwall trust`",
            layer=layer.name.value, rules=len(layer.rules), dropped=len(layer.dropped),
        )  # fmt: skip
    return msg("{layer}: {rules} rules", layer=layer.name.value, rules=len(layer.rules))


def _judging(until: datetime | None) -> Text:
    if until is None:
        return msg("Calls are judged.")
    at = until.astimezone().strftime("%H:%M:%S")
    return msg(
        "Calls are let through until {until}, except what would change Ringwall itself. "
        "To judge again: ringwall off --on",
        until=at,
    )


def _waiting(count: int) -> Text:
    if not count:
        return msg("Nothing waits for you.")
    return msg("For a person’s decision: {count}. See `ringwall pending` or the console.", count=count)


def _console(console: Endpoint | None) -> Text:
    if console is None:
        return msg("No console runs; to start it: ringwall open")
    return msg("The console is at {address}", address=f"http://{console.name}/")


def _journal(last: Record | None) -> Text:
    if last is None:
        return msg("The journal is empty.")
    at = datetime.fromisoformat(last.at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return msg("last event {id} at {at}", id=last.id[-8:], at=at)
