"""`ringwall harvest status | digest`: what waits, what was decided, and what people said."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.harvest_decide import row
from ringwall.cli.harvest_options import now, state
from ringwall.cli.options import as_json, environment
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.visible import visible, visible_line
from ringwall.harvest.digest import age, markdown, write
from ringwall.harvest.history import Week
from ringwall.harvest.key import read_key
from ringwall.harvest.model import Status
from ringwall.harvest.ranking import Overview, Ranked, overview, overviews, waiting
from ringwall.model.text import msg
from ringwall.setup.person import require_person

_SHOWN = 10
_OPEN = frozenset({Status.PROPOSED})


@click.command(cls=Verb, help=_("Say which ledgers there are, what waits, and how much was decided."))
@as_json
def status(as_json: bool) -> None:
    """Every ledger; candidates by how many agents had to be told, and how lately."""
    found = overviews(state(), now())
    if as_json:
        print_json([_row(each) for each in found])
    elif not found:
        print_lines(paragraph(_("Nothing was harvested yet. To begin: ringwall harvest collect")))
    else:
        print_lines(each for one in found for each in _ledger(one))


@click.command(
    cls=Verb,
    help=_("Show the candidates of KEY, or of all ledgers, with the full text of what people said."),
)
@click.argument("key", metavar="KEY", required=False)
@click.option("--all", "decided", is_flag=True, help=_("Decided ones too."))
@click.option(
    "--write", "written", is_flag=True, help=_("Put it into the project: toolkit-log/harvest-digest.md.")
)
@as_json
def digest(key: str | None, decided: bool, written: bool, as_json: bool) -> None:
    """Markdown."""
    wanted = frozenset(Status) if decided else _OPEN
    found = [overview(state(), read_key(key), now())] if key else overviews(state(), now())
    if written:
        require_person(environment())
        for each in found:
            if each.there:
                path = write(state(), each.project, markdown([each], wanted, show))
                print_lines(paragraph(msg("Written: {path}", path=path)))
        return
    if as_json:
        print_json(
            [_ranked(one) for each in found for one in each.candidates if one.standing.status in wanted]
        )
        return
    sys.stdout.write(visible(markdown(found, wanted, show)) + "\n")


def _row(found: Overview) -> dict[str, Any]:
    again = {each.standing.candidate.id: [one.id for one in each.again] for each in found.returns}
    return {
        "key": str(found.key), "project": os.path.basename(found.project), "there": found.there,
        "corrections": found.corrections, "free": found.free, "decided": found.decided,
        "counts": {each.value: found.counts.get(each, 0) for each in Status},
        "candidates": [_ranked(one) for one in found.candidates],
        "weeks": [
            {"begins": each.begins.isoformat(), "collected": each.collected, "covered": each.covered,
             "repeated": each.repeated}
            for each in found.weeks
        ],
        "returns": again,
    }  # fmt: skip


def _ranked(one: Ranked) -> dict[str, Any]:
    return {
        **row(one.standing), "key": str(one.key), "agents": one.agents, "incarnations": one.incarnations,
        "newest": one.newest.isoformat(), "waits_days": one.waits.days, "stale": one.stale,
        "weight": round(one.weight, 3), "whole": one.complete,
        "evidence": [
            {"id": each.id, "agent": each.agent, "incarnation": each.incarnation, "role": each.role,
             "event": each.event, "at": each.event_at, "by": each.by, "note": each.note}
            for each in one.evidence
        ],
    }  # fmt: skip


def _ledger(found: Overview) -> Iterator[Line]:
    name = os.path.basename(found.project) or "-"
    yield line(Part(visible_line(name), "bold"), "  ", Part(str(found.key), "dim"))
    counted = msg(
        "corrections: {corrections}, free: {free}; candidates: {open} waiting, {decided} decided",
        corrections=found.corrections, free=found.free, open=len(waiting(found)), decided=found.decided,
    )  # fmt: skip
    yield from paragraph(counted, 2)
    if not found.there:
        gone = msg("Its project is not there any more. If it has moved: ringwall harvest move OLD NEW")
        yield from paragraph(gone, 2, "yellow")
    for one in waiting(found)[:_SHOWN]:
        told = msg("{agents} agents, {age}", agents=one.agents, age=age(one))
        yield line(
            "  ", Part(one.standing.candidate.id[:12], "dim"), "  ",
            Part(visible_line(one.standing.candidate.essence), "bold"), "  ",
            Part(show(told), "yellow" if one.stale else "dim"),
        )  # fmt: skip
    if len(waiting(found)) > _SHOWN:
        yield from paragraph(msg("and {count} more", count=len(waiting(found)) - _SHOWN), 2, "dim")
    yield from _pictured(found)


def _pictured(found: Overview) -> Iterator[Line]:
    """The last weeks as rows of marks, and whether an applied rule has helped."""
    for applied in found.returns:
        essence = visible_line(applied.standing.candidate.essence)
        count = len(applied.again)
        if count:
            told = msg(
                "applied, and worded alike {count} times since: {essence}", count=count, essence=essence
            )
        else:
            told = msg("applied, and not said again since: {essence}", essence=essence)
        yield from paragraph(told, 2, "yellow" if count else "green")
    shown = found.weeks[-_SHOWN:]
    most = max((each.collected for each in shown), default=0)
    for each in shown if len(shown) > 1 else ():
        yield line("  ", Part(each.begins.isoformat(), "dim"), "  ", *_bar(each, most))


def _bar(week: Week, most: int) -> Iterator[Part]:
    """How many were collected, covered, and said again, on one scale."""
    scale = min(1.0, 40 / most) if most else 1.0
    width = round(week.collected * scale)
    covered = round(week.covered * scale)
    yield Part("█" * covered, "green")
    yield Part("░" * (width - covered), "")
    told = msg(
        " {collected} collected, {covered} covered, {repeated} said again",
        collected=week.collected, covered=week.covered, repeated=week.repeated,
    )  # fmt: skip
    yield Part(show(told), "dim")
