"""How checks are shown, whichever verb made them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ringwall.cli.catalogue import _, show
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.model.text import msg
from ringwall.setup.check import Check, Report, Status

_MARKS = {Status.OK: ("✓", "green"), Status.WARN: ("!", "yellow"), Status.FAIL: ("✗", "bold red")}


def rows(checks: Iterable[Check]) -> Iterator[dict[str, str | None]]:
    """One row of JSON for each check."""
    for check in checks:
        repair = show(check.repair) if check.repair else None
        row = {"name": check.name, "status": check.status.value, "what": show(check.what), "repair": repair}
        yield {**row, "host": check.host or None}


def shown(checks: Iterable[Check], *, by_host: bool = False) -> Iterator[Line]:
    """Each check with its mark, and how to mend what is not well."""
    for check in checks:
        mark, style = _MARKS[check.status]
        named = by_host and bool(check.host)
        told = msg("{host}: {what}", host=check.host, what=check.what) if named else check.what
        first, *rest = paragraph(told, 2)
        yield line(Part(mark, style), " ", *first[1:])
        yield from rest
        if check.repair and check.status is not Status.OK:
            yield from paragraph(check.repair, 4, "dim")


def print_report(report: Report, as_json: bool, whole: str) -> int:
    """Print a report, with `whole` at the end of one that is; the exit status."""
    if as_json:
        print_json({"ok": report.ok, "checks": list(rows(report.checks))})
    else:
        print_lines(shown(report.checks))
        print_lines([line(), *paragraph(whole if report.ok else _("Something that is needed is missing."))])
    return 0 if report.ok else 1
