"""`ringwall grants list | revoke NUMBER`: the rules that a person has granted."""

from __future__ import annotations

from typing import Any

import click

from ringwall.approvals.grants import Grant
from ringwall.cli.catalogue import _
from ringwall.cli.desk import desk
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import as_json, environment
from ringwall.cli.output import Part, line, paragraph, print_json, print_lines
from ringwall.cli.proposal_view import clock
from ringwall.cli.visible import visible_line
from ringwall.judge.person import person
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.person import require_person


@click.group(cls=VerbGroup, help=_("List or revoke the rules that a person has granted."))
def command() -> None:
    """The group itself does nothing."""


@command.command("list", cls=Verb, help=_("List the grants that hold now."))
@as_json
def list_(as_json: bool) -> None:
    """One line each."""
    with desk() as opened:
        held = opened.grants() if opened is not None else ()
    if as_json:
        print_json([_row(grant) for grant in held])
    elif not held:
        print_lines(paragraph(_("Nothing is granted.")))
    for grant in () if as_json else held:
        where = visible_line(grant.session or grant.project)
        words = msg(
            "for the {scope} {where} until {until}, by {who}",
            scope=grant.scope.value, where=where, until=clock(grant.expires), who=grant.granted_by,
        )  # fmt: skip
        print_lines([line(Part(f"{grant.number}  {visible_line(grant.rule)}", "bold"))])
        print_lines(paragraph(words, 3))


@command.command("revoke", cls=Verb, help=_("Take grant NUMBER back, from the next call on."))
@click.argument("number", metavar="NUMBER", type=int)
@as_json
def revoke(number: int, as_json: bool) -> None:
    """Revoke it."""
    require_person(environment())
    with desk() as opened:
        if opened is None:
            raise UsageError(
                "approvals.no_grant",
                msg("There is no grant {number}.", number=number),
                msg("See `ringwall grants list`."),
            )
        revoked = opened.revoke(number, person())
    if as_json:
        print_json(_row(revoked))
    else:
        print_lines(paragraph(_("Revoked.")))


def _row(grant: Grant) -> dict[str, Any]:
    values = {name: getattr(grant, name) for name in Grant.__dataclass_fields__}
    return {**values, "scope": grant.scope.value}
