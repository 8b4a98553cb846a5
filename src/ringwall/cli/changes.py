"""How a change to a person's file is shown, agreed to and made; the same for every verb that makes one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ringwall.cli.catalogue import _, show
from ringwall.cli.options import agreed, at_terminal
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.visible import visible_line
from ringwall.model.text import Text, msg
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


def carry_out_all(
    changes: Sequence[Change], done: str, *, sure: bool, consents: bool, only_show: bool, as_json: bool
) -> int:
    """Show several changes, make them in their order unless a person says no, and ask apart for each that
    wants a consent of its own; the exit status. Every one that is needed is shown before one is made."""
    needed = [change for change in changes if change.needed]
    if not as_json:
        print_lines(row for change in changes for row in _shown(change))
    plain = [change for change in needed if change.consent is None]
    wanted = bool(needed) and not only_show
    if wanted and plain:
        paths = ", ".join(change.path for change in plain)
        wanted = sure if as_json else agreed(msg("Write {path}?", path=paths), sure)
    made: list[Change] = []
    if wanted:
        for change in needed:
            if change.consent is None or consents or (not as_json and _consented(change.consent)):
                change.apply()
                made.append(change)
    left = [change for change in needed if change not in made]
    if as_json:
        rows = [
            {
                "path": change.path, "needed": change.needed, "applied": change in made, "diff": change.diff,
                "notices": [show(notice) for notice in change.notices],
            }
            for change in changes
        ]  # fmt: skip
        print_json({"needed": bool(needed), "applied": bool(made) and not left, "changes": rows})
    elif made:
        print_lines(paragraph(done))
        for change in left:
            print_lines(paragraph(_not_made(change), style="bold yellow"))
    elif not needed:
        print_lines(paragraph(_("Nothing to change.")))
    return 0 if only_show or not left else 1


def _consented(question: Text) -> bool:
    """Whether a person at a terminal says yes. `--yes` was said to the files, not to this."""
    return at_terminal() and agreed(question, False)


def _not_made(change: Change) -> Text:
    return msg(
        "Not written, for nobody has said yes to it: {path}. Run `ringwall init` at a terminal, or with "
        "--trust-hooks.",
        path=change.path,
    )


def _shown(change: Change) -> Iterator[Line]:
    for row in change.diff.splitlines():
        yield line(Part(visible_line(row), _STYLES.get(row[:1], "")))
    for notice in change.notices:
        yield from paragraph(notice, style="yellow")
