"""`ringwall escape DIGEST --because WHY`: a person lifts the floor for exactly one act, once.

Invariant: only at a terminal outside any agent's session, for a call that was refused and is shown first.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from ringwall.approvals import escapes
from ringwall.approvals.escapes import LASTS_SECONDS, Escape
from ringwall.cli.catalogue import _
from ringwall.cli.desk import deciding, desk
from ringwall.cli.group import Verb
from ringwall.cli.options import agreed, as_json
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.proposal_view import clock
from ringwall.cli.visible import visible_line
from ringwall.journal.record import Record
from ringwall.journal.write import Journal
from ringwall.judge.escaping import refused
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.off import duration


@click.command(
    cls=Verb,
    help=_(
        "Let what the floor refused happen after all: exactly the call with this DIGEST (from the denial), "
        "once. Without DIGEST: list the escapes that nobody has used."
    ),
)
@click.argument("digest", metavar="[DIGEST]", required=False)
@click.option("--because", default="", metavar="WHY", help=_("Why; it stands in the journal."))
@click.option("--for", "length", metavar="TIME", help=_("How long it waits for the act (default: 10m)."))
@click.option("--revoke", type=int, metavar="NUMBER", help=_("Take escape NUMBER back."))
@as_json
def command(digest: str | None, because: str, length: str | None, revoke: int | None, as_json: bool) -> int:
    """Issue, take back, or list."""
    if digest is not None and revoke is not None:
        raise UsageError(
            "escape.both",
            msg("An escape is either issued or taken back."),
            msg("Give DIGEST or --revoke, not both."),
        )
    if revoke is not None:
        return _revoke(revoke)
    if digest is not None:
        lasts = int(duration(length).total_seconds()) if length else LASTS_SECONDS
        return _issue(digest, because, lasts)
    _list(as_json)
    return 0


def _issue(digest: str, because: str, lasts: int) -> int:
    with deciding() as (opened, who):
        if not because.strip():
            raise UsageError(
                "escape.no_reason",
                msg("An escape says why; it stands in the journal."),
                msg('Add --because "…".'),
                "--because",
            )
        with opened.store.reading() as connection:
            record = refused(connection, digest)
        print_lines(_shown(record))
        if not agreed(msg("Lift the floor for exactly this, once?"), sure=False):
            print_lines(paragraph(_("Nothing was decided.")))
            return 1
        with Journal(opened.store).writing() as entry:
            action = str(record.content()["action"])
            escape = escapes.issue(entry, action, because, who, opened.now(), lasts)
    print_lines(paragraph(msg(
        "Escape {number} holds until {until}. It happens when the agent tries exactly this again.",
        number=escape.number, until=clock(escape.expires),
    )))  # fmt: skip
    return 0


def _revoke(number: int) -> int:
    with deciding() as (opened, who), Journal(opened.store).writing() as entry:
        escapes.revoke(entry, number, who)
    print_lines(paragraph(msg("Escape {number} was taken back.", number=number)))
    return 0


def _list(as_json: bool) -> None:
    held: tuple[Escape, ...] = ()
    with desk() as opened:
        if opened is not None:
            with opened.store.reading() as connection:
                held = escapes.live(connection, opened.now())
    if as_json:
        names = Escape.__dataclass_fields__
        print_json([{name: getattr(escape, name) for name in names} for escape in held])
    elif not held:
        print_lines(paragraph(_("There is no escape that could be used.")))
    for escape in () if as_json else held:
        print_lines([line(Part(f"{escape.number}  {escape.action}", "bold"))])
        print_lines(paragraph(msg(
            "until {until}, by {who}: {because}",
            until=clock(escape.expires), who=escape.issued_by, because=escape.because,
        ), 3))  # fmt: skip


def _shown(record: Record) -> Iterator[Line]:
    """The call as the journal has it, what it would do, and its whole digest."""
    body = record.content()
    yield line(Part(visible_line(str(body["tool"])), "bold"))
    for name, value in body["input"].items():
        yield line(f"  {visible_line(str(name))}:")
        yield from paragraph(str(value), 4)
    yield from paragraph(msg("in {cwd}", cwd=visible_line(str(body["cwd"]))), 2)
    for effect in body["trace"]["effects"]:
        yield from paragraph(f"- {effect['name']} {visible_line(str(effect['target']))}", 2)
    yield from paragraph(str(body["trace"]["reason"]), 2)
    yield from paragraph(str(body["action"]), 2, "dim")
    yield line()
