"""`ringwall reject NUMBER --because WHY`: a person says no, and the agent is told why."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _
from ringwall.cli.desk import deciding
from ringwall.cli.group import Verb
from ringwall.cli.output import paragraph, print_lines


@click.command(
    cls=Verb,
    help=_(
        "Refuse proposal NUMBER, or take back an approval that has not been used. "
        "At a terminal outside the agent."
    ),
)
@click.argument("number", metavar="NUMBER", type=int)
@click.option("--because", required=True, metavar="WHY", help=_("Why; the agent is told these words."))
def command(number: int, because: str) -> None:
    """Reject it."""
    with deciding() as (desk, who):
        desk.reject(number, desk.one(number).binding, who, because)
    print_lines(paragraph(_("Rejected. The agent is told why when it tries again.")))
