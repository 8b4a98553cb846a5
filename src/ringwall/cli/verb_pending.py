"""`ringwall pending [NUMBER]`: what waits for a person, in full."""

from __future__ import annotations

import click

from ringwall.approvals.faults import no_such
from ringwall.cli.catalogue import _
from ringwall.cli.desk import desk
from ringwall.cli.group import Verb
from ringwall.cli.options import as_json
from ringwall.cli.output import line, paragraph, print_json, print_lines
from ringwall.cli.proposal_view import proposal_row, proposal_shown


@click.command(
    cls=Verb,
    help=_(
        "Show what waits for a person’s decision, in full; with NUMBER one proposal, whatever became of it."
    ),
)
@click.argument("number", metavar="[NUMBER]", type=int, required=False)
@click.option("--last", type=click.IntRange(1, 1000), metavar="N", help=_("The last N, decided ones too."))
@as_json
def command(number: int | None, last: int | None, as_json: bool) -> None:
    """List them."""
    with desk() as opened:
        if opened is None and number is not None:
            raise no_such(number)
        if opened is None:
            found = []
        elif number is not None:
            found = [opened.one(number)]
        else:
            found = opened.newest(last)[::-1] if last else opened.pending()
    if as_json:
        print_json([proposal_row(proposal) for proposal in found])
        return
    if not found:
        print_lines(paragraph(_("Nothing waits for you.")))
    for proposal in found:
        print_lines([*proposal_shown(proposal), line()])
