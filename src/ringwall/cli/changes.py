"""How a change to a person's file is shown, agreed to and made; the same for every verb that makes one."""

from __future__ import annotations

from collections.abc import Iterator

from ringwall.cli.catalogue import _, show
from ringwall.cli.options import agreed
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.visible import visible_line
from ringwall.model.text import msg
from ringwall.setup.change import Change

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def carry_out(change: Change, done: str, *, sure: bool, only_show: bool, as_json: bool) -> int:
    """Show `change`, and make it unless a person says no; the exit status."""
    if not as_json:
        print_lines(_shown(change))
    wanted = change.needed and not only_show and (
        sure if as_json else agreed(msg("Write {path}?", path=change.path), sure)
    )  # fmt: skip
    if wanted:
        change.apply()
    if as_json:
        notices = [show(notice) for notice in change.notices]
        answer = {"path": change.path, "needed": change.needed, "applied": wanted}
        print_json({**answer, "diff": change.diff, "notices": notices})
    elif wanted:
        print_lines(paragraph(done))
    elif not change.needed:
        print_lines(paragraph(_("Nothing to change.")))
    return 0 if wanted or only_show or not change.needed else 1


def _shown(change: Change) -> Iterator[Line]:
    for row in change.diff.splitlines():
        yield line(Part(visible_line(row), _STYLES.get(row[:1], "")))
    for notice in change.notices:
        yield from paragraph(notice, style="yellow")
