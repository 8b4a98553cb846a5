"""`ringwall doctor`: every part that a judged call needs, looked at and tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.check_view import rows, shown
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, as_json, environment, project
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.visible import cells
from ringwall.hosts.registry import HOSTS
from ringwall.setup.doctor import HostRow, Report, examine


@click.command(
    cls=Verb,
    help=_(
        "Try out what stands between HOST (default: every host that is here) and the world; sends real probe "
        "calls, changes nothing."
    ),
)
@click.argument("host", type=click.Choice(sorted(HOSTS)), required=False, metavar="[HOST]")
@project
@as_json
def command(host: str | None, project: str, as_json: bool) -> int:
    """Examine and tell; a failed check is a negative answer."""
    report = examine(host, absolute(project), environment())
    if as_json:
        hosts = list(map(_host_row, report.hosts))
        print_json({"ok": report.ok, "hosts": hosts, "checks": list(rows(report.checks))})
    else:
        print_lines(_shown(report))
    return 0 if report.ok else 1


def _host_row(row: HostRow) -> dict[str, Any]:
    told = {"asks": row.asks, "subagents": row.subagents, "crash": row.crash, "timeout": row.timeout}
    said = {name: show(text) for name, text in {**told, "unloaded": row.unloaded}.items()}
    seen = {"host": row.host, "title": row.title, "version": row.version or None}
    return {**seen, "hooks": list(row.hooks), "probed": row.probed, **said}


def _shown(report: Report) -> Iterator[Line]:
    yield from shown(report.checks, by_host=len(report.hosts) > 1)
    yield line()
    yield from _table(report.hosts)
    yield from paragraph(
        _("Everything that was tried holds.") if report.ok else _("Not everything holds; see above.")
    )


def _table(hosts: Sequence[HostRow]) -> Iterator[Line]:
    """One line for each host: whether the probes held, and what this host does in each case."""
    if not hosts:
        return
    head = (
        _("host"),
        _("version"),
        _("probes"),
        _("asks"),
        _("subagents"),
        _("crash"),
        _("hang"),
        _("unloaded"),
    )
    rows = [head, *map(_cells, hosts)]
    widths = [max(cells(row[at]) for row in rows) for at in range(len(rows[0]))]
    for number, row in enumerate(rows):
        style = "bold" if number == 0 else "" if hosts[number - 1].probed else "yellow"
        padded = [text + " " * (width - cells(text)) for text, width in zip(row, widths, strict=True)]
        yield line(Part("  ".join(padded), style))
    yield line()
    yield from paragraph(
        _("crash, hang, unloaded: what the host does with a call where the hook fails so."), style="dim"
    )
    yield line()


def _cells(row: HostRow) -> tuple[str, ...]:
    probes = {True: _("hold"), False: _("FAIL"), None: "-"}[row.probed] if row.hooks else _("no hook")
    holds = (row.asks, row.subagents, row.crash, row.timeout, row.unloaded)
    return (row.title, row.version or "-", probes, *map(show, holds))
