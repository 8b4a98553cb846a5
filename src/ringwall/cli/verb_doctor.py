"""`ringwall doctor`: every part that a judged call needs, looked at and tried."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, as_json, environment, project
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.hosts.registry import HOSTS
from ringwall.setup.doctor import Report, Status, examine

_MARKS = {Status.OK: ("✓", "green"), Status.WARN: ("!", "yellow"), Status.FAIL: ("✗", "bold red")}


@click.command(
    cls=Verb,
    help=_("Try out what stands between HOST and the world; sends real probe calls, changes nothing."),
)
@click.argument("host", type=click.Choice(sorted(HOSTS)), default="claude", metavar="[HOST]")
@project
@as_json
def command(host: str, project: str, as_json: bool) -> int:
    """Examine and tell; a failed check is a negative answer."""
    report = examine(host, absolute(project), environment())
    if as_json:
        print_json({"ok": report.ok, "checks": list(_rows(report))})
    else:
        print_lines(_shown(report))
    return 0 if report.ok else 1


def _rows(report: Report) -> Iterator[dict[str, str | None]]:
    for check in report.checks:
        repair = show(check.repair) if check.repair else None
        yield {"name": check.name, "status": check.status.value, "what": show(check.what), "repair": repair}


def _shown(report: Report) -> Iterator[Line]:
    for check in report.checks:
        mark, style = _MARKS[check.status]
        first, *rest = paragraph(check.what, 2)
        yield line(Part(mark, style), " ", *first[1:])
        yield from rest
        if check.repair and check.status is not Status.OK:
            yield from paragraph(check.repair, 4, "dim")
    yield line()
    yield from paragraph(
        _("Everything that was tried holds.") if report.ok else _("Not everything holds; see above.")
    )
