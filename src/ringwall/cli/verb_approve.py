"""`ringwall approve NUMBER`: a person lets exactly one waiting call happen."""

from __future__ import annotations

import click

from ringwall.approvals.faults import settled
from ringwall.approvals.grants import Scope
from ringwall.approvals.proposal import State
from ringwall.cli.catalogue import _
from ringwall.cli.desk import deciding
from ringwall.cli.group import Verb
from ringwall.cli.options import agreed
from ringwall.cli.output import line, paragraph, print_lines
from ringwall.cli.proposal_view import offer_shown, proposal_shown
from ringwall.judge.desk import Yes, refusal
from ringwall.model.text import msg
from ringwall.policy.pattern_for import Refused
from ringwall.setup.off import duration


@click.command(
    cls=Verb,
    help=_(
        "Show proposal NUMBER in full and, after a yes, let exactly that happen once. "
        "At a terminal outside the agent."
    ),
)
@click.argument("number", metavar="NUMBER", type=int)
@click.option(
    "--scope", type=click.Choice([scope.value for scope in Scope]), default=Scope.ONCE.value, metavar="S",
    help=_("once, or as a rule for the step, the session or the project."),
)  # fmt: skip
@click.option("--for", "length", metavar="TIME", help=_("How long the yes holds: 90s, 10m, 2h."))
@click.option("--because", default="", metavar="WHY", help=_("Why; it stands in the journal."))
def command(number: int, scope: str, length: str | None, because: str) -> int:
    """Show, ask, approve."""
    wanted = Scope(scope)
    lasts = int(duration(length).total_seconds()) if length else 0
    with deciding() as (desk, who):
        proposal = desk.one(number)
        if proposal.state is not State.PENDING:
            raise settled(proposal)
        print_lines(proposal_shown(proposal))
        rule = ""
        question = msg("Let exactly this happen, once?")
        if wanted is not Scope.ONCE:
            offered = desk.offer(proposal)
            if isinstance(offered, Refused):
                raise refusal(offered)
            print_lines([line(), *offer_shown(offered), line()])
            rule = offered.rule
            question = msg("Let this happen, and from now on all that the rule covers?")
        if not agreed(question, sure=False):
            print_lines(paragraph(_("Nothing was decided.")))
            return 1
        desk.approve(Yes(number, proposal.binding, who, because, wanted, rule, lasts))
    print_lines(paragraph(_("Approved. It happens when the agent tries it again.")))
    return 0
