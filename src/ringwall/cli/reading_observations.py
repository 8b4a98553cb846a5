"""`ringwall reading list | show | diff | query | explain | forget`: what has been read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.options import agreed, as_json, yes
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.proposal_view import clock
from ringwall.cli.reading_view import observation_shown
from ringwall.cli.visible import visible_line
from ringwall.judge.reading_rows import observation_row
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.reading.archive import FILE, Archive
from ringwall.reading.differences import differences
from ringwall.reading.observation import Observation
from ringwall.store.paths import locate

_number = click.argument("number", metavar="NUMBER", type=int)


@contextmanager
def _archive() -> Iterator[Archive]:
    """What was read. Looking never makes a file where there is none."""
    state = locate(os.environ)
    if not os.path.exists(f"{state.path}/{FILE}"):
        raise UsageError(
            "reading.nothing", msg("Nothing has been read yet."), msg("See docs/reading.md for how to begin.")
        )
    archive = Archive(state)
    try:
        yield archive
    finally:
        archive.close()


@click.command("list", cls=Verb, help=_("List what has been read, newest first."))
@click.option("--route", default="", metavar="ID", help=_("Of this route only."))
@click.option("--count", type=click.IntRange(1, 1000), default=50, help=_("At most so many (default: 50)."))
@as_json
def list_(route: str, count: int, as_json: bool) -> None:
    """One line each."""
    with _archive() as archive:
        found = archive.newest(route, count)
    _print_list(found, as_json)


@click.command("show", cls=Verb, help=_("Show observation NUMBER as an outline, with its evidence."))
@_number
@as_json
def show_(number: int, as_json: bool) -> None:
    """One observation."""
    with _archive() as archive:
        row = observation_row(archive.one(number))
    if as_json:
        print_json(row)
    else:
        print_lines(observation_shown(row))


@click.command(
    "diff",
    cls=Verb,
    help=_("Show how NUMBER differs from OTHER, or from the reading of its route before it."),
)
@_number
@click.argument("other", metavar="[OTHER]", type=int, required=False)
@as_json
def diff(number: int, other: int | None, as_json: bool) -> int:
    """1 where they differ."""
    with _archive() as archive:
        after = archive.one(number)
        before = archive.one(other) if other is not None else archive.before(after)
    if before is None:
        raise UsageError(
            "reading.no_other",
            msg("There is no earlier reading of this route."),
            msg("Name another observation: ringwall reading diff {number} OTHER", number=number),
        )
    changes = differences(before.lines, after.lines)
    if as_json:
        rows = [{"sign": sign, "line": text} for sign, text in changes]
        print_json({"before": before.number, "after": after.number, "changes": rows})
    else:
        print_lines(_changes(changes))
    return 1 if changes else 0


@click.command("query", cls=Verb, help=_("Find observations in which all WORDS stand."))
@click.argument("words", metavar="WORDS", nargs=-1, required=True)
@as_json
def query(words: tuple[str, ...], as_json: bool) -> int:
    """1 where there is none."""
    with _archive() as archive:
        found = archive.search(" ".join(words))
    _print_list(found, as_json)
    return 0 if found else 1


@click.command(
    "explain", cls=Verb, help=_("Say where observation NUMBER is from, and what else names the same.")
)
@_number
@as_json
def explain(number: int, as_json: bool) -> None:
    """Evidence and links."""
    with _archive() as archive:
        one = archive.one(number)
        links = archive.linked(number)
        others = {other: archive.one(other) for other in {link[0] for link in links}}
    row = observation_row(one)
    linked = [{"observation": other, "kind": kind, "name": name} for other, kind, name in links]
    if as_json:
        print_json({"evidence": row["evidence"], "limitations": row["limitations"], "links": linked})
        return
    print_lines(_evidence(row))
    for other, kind, name in links:
        words = f"{kind} {name} → {other} {others[other].label}"
        print_lines([line("  ", visible_line(words))])


@click.command("forget", cls=Verb, help=_("Take observation NUMBER out for good."))
@_number
@yes
@as_json
def forget(number: int, yes: bool, as_json: bool) -> int:
    """Delete it, after a yes."""
    with _archive() as archive:
        archive.one(number)
        if not agreed(msg("Take observation {number} out for good?", number=number), yes):
            return 1
        archive.forget(number)
    if as_json:
        print_json({"forgotten": number})
    else:
        print_lines(paragraph(_("It is gone.")))
    return 0


VERBS = (list_, show_, diff, query, explain, forget)


def _print_list(found: list[Observation], as_json: bool) -> None:
    if as_json:
        print_json(
            [{key: row[key] for key in ("observation", "evidence")} for row in map(observation_row, found)]
        )
        return
    if not found:
        print_lines(paragraph(_("There is none.")))
    for one in found:
        what = visible_line(one.label or one.title)
        print_lines(
            [
                line(
                    Part(f"{one.number:>5}", "bold"),
                    "  ",
                    Part(clock(one.at), "dim"),
                    f"  {one.route}  {what}",
                )
            ]
        )


def _changes(changes: list[Any]) -> Iterator[Line]:
    if not changes:
        yield from paragraph(_("They show the same."))
    for sign, text in changes:
        yield line(Part(f"{sign} {visible_line(text)}", "green" if sign == "+" else "red"))


def _evidence(row: dict[str, Any]) -> Iterator[Line]:
    told = row["evidence"]
    yield line(Part(show(msg("Observation {number}", number=row["observation"])), "bold"))
    for name in ("contract", "digest", "routeId", "url", "isolation", "sessionId", "revision"):
        if told[name]:
            yield line("  ", Part(f"{name}: ", "dim"), visible_line(str(told[name])))
    for sent in told["requests"]:
        words = f"{sent['request']}: {sent['status']}, {sent['size']} bytes, {sent['milliseconds']} ms"
        yield line("    ", words)
    for text in row["limitations"]:
        yield from paragraph(f"- {text}", 2, "dim")
