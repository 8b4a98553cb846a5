"""`ringwall harvest collect | propose | init | move`: what fills the ledgers and what makes candidates."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.desk import person
from ringwall.cli.errors import sentence
from ringwall.cli.group import Verb
from ringwall.cli.harvest_decide import row
from ringwall.cli.harvest_options import chosen, state
from ringwall.cli.options import absolute, as_json, environment, project
from ringwall.cli.output import line, paragraph, print_json, print_lines
from ringwall.cli.visible import visible_line
from ringwall.harvest.lifecycle import Standing
from ringwall.harvest.model import Key
from ringwall.harvest.validate import MIN_CLUSTER, AnswerError
from ringwall.journal.write import Journal
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.person import require_person
from ringwall.store.engine import Store

MINIMUM = "RINGWALL_HARVEST_MIN_CLUSTER"
"""Names the variable with the smallest number of corrections that make a candidate."""


@click.command(cls=Verb, help=_("Read what people corrected since the last time into the ledgers."))
@as_json
def collect(as_json: bool) -> None:
    """Deterministic, without any model; fit for cron."""
    from ringwall.harvest.collect import collect as run

    require_person(environment())
    state().prepare()
    found = run(state())
    if as_json:
        skipped = [{"agent": each.agent, "why": each.why} for each in found.skipped]
        print_json({"new": {str(key): count for key, count in found.new.items()}, "skipped": skipped})
        return
    for key, count in found.new.items():
        print_lines(paragraph(msg("{key}: {count} new corrections", key=key, count=count)))
    if not found.new:
        print_lines(paragraph(_("Nothing new.")))
    for each in found.skipped:
        words = msg("passed over: {agent}: {why}", agent=visible_line(each.agent), why=each.why)
        click.echo(show(words), err=True)


@click.command(
    cls=Verb,
    help=_("Ask an engine which corrections of KEY say the same. Without KEY: of every ledger."),
    epilog=_("RINGWALL_HARVEST_MIN_CLUSTER: the least number of corrections of a candidate (default 2)."),
)
@click.argument("key", metavar="KEY", required=False)
@click.option("--engine", default="", metavar="E", help=_("Who groups (default: the embedded one)."))
@click.option("--again", is_flag=True, help=_("Ask also where the same question was answered before."))
@as_json
def propose(key: str | None, engine: str, again: bool, as_json: bool) -> int:
    """New candidates, for a person to look at. A refused answer is a negative answer."""
    from ringwall.harvest.grouping.engines import engine_named
    from ringwall.harvest.propose import forget
    from ringwall.harvest.propose import propose as run

    require_person(environment())
    minimum = _minimum(environment().get(MINIMUM, ""))
    made = engine_named(engine, environment())
    rows: list[dict[str, Any]] = []
    status = 0
    for each in chosen(key):
        if again:
            forget(state(), each, made, minimum)
        try:
            found = run(state(), each, made, time.time_ns, minimum)
        except AnswerError as error:
            click.echo(f"{each}: {sentence(error)}", err=True)
            status = 1
            continue
        dropped = [{"place": one.place, "code": one.code, "why": one.why} for one in found.dropped]
        new = [row(Standing(one)) for one in found.new]
        rows.append({"key": str(each), "new": new, "dropped": dropped, "free": found.free})
        if not as_json:
            _tell(each, new, dropped)
    if as_json:
        print_json(rows)
    return status


@click.command(cls=Verb, help=_("Make the first canon of a project, for what people approve."))
@project
@as_json
def init(project: str, as_json: bool) -> None:
    """`.claude/canon.yaml`."""
    from ringwall.harvest.canon import begin

    require_person(environment())
    folder = os.path.realpath(absolute(project))
    state().prepare()
    made = begin(state(), folder)
    if as_json:
        print_json({"project": folder, "made": made})
    else:
        words = msg("The canon is made: {path}", path=f"{folder}/.claude/canon.yaml")
        print_lines(paragraph(words if made else msg("There is a canon already; it is in order.")))


@click.command(
    cls=Verb, help=_("Take the ledgers of the project that was at OLD along to where it is now, NEW.")
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@as_json
def move(old: str, new: str, as_json: bool) -> None:
    """Journalled; agents that name the old path are collected into the new ledgers."""
    from ringwall.harvest.move import move as run

    require_person(environment())
    store = Store(state())
    try:
        roles = run(state(), Journal(store), absolute(old), absolute(new), person())
    finally:
        store.close()
    if as_json:
        print_json({"roles": roles})
    else:
        print_lines(paragraph(msg("Moved. Ledgers there: {roles}", roles=", ".join(roles) or "-")))


def _minimum(text: str) -> int:
    if not text:
        return MIN_CLUSTER
    if not text.isascii() or not text.isdigit() or not MIN_CLUSTER <= int(text) <= 100:
        raise UsageError(
            "harvest.minimum",
            msg("{text} is no number from {least} to 100.", text=ascii(text[:20]), least=MIN_CLUSTER),
            msg("Set it to one, or unset it."),
            MINIMUM,
        )
    return int(text)


def _tell(key: Key, new: list[dict[str, Any]], dropped: list[dict[str, Any]]) -> None:
    if not new and not dropped:
        print_lines(paragraph(msg("{key}: nothing new.", key=key)))
    for each in new:
        print_lines([line(f"{key}  {each['candidate'][:12]}  {visible_line(each['essence'])}")])
    for each in dropped:
        words = msg(
            "{key}: cluster {place} does not count: {why}", key=key, place=each["place"], why=each["why"]
        )
        print_lines(paragraph(words, 2, "dim"))
