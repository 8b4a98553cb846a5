"""One proposal: what it asks, what may become a rule of it, and the decision."""

from __future__ import annotations

from ringwall.approvals.grants import Scope
from ringwall.approvals.proposal import State
from ringwall.console.card import card
from ringwall.console.page import Go, Page, View, Visit
from ringwall.judge.desk import Yes
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg
from ringwall.policy.pattern_for import Offered

LENGTHS: dict[int, Text] = {
    0: msg("as usual"),
    3600: msg("1 hour"),
    12 * 3600: msg("12 hours"),
    24 * 3600: msg("1 day"),
    7 * 24 * 3600: msg("7 days"),
    30 * 24 * 3600: msg("30 days"),
}
"""How long a yes or a rule may hold, in seconds."""

SCOPES: dict[Scope, Text] = {
    Scope.SESSION: msg("this session"),
    Scope.PROJECT: msg("this project"),
}
"""How far a rule may reach. A step of a plan is done once, so there a yes is a yes once."""


def show(visit: Visit) -> View:
    """All of it, whatever became of it."""
    proposal = visit.console.desk.one(_number(visit))
    offered = visit.console.desk.offer(proposal) if proposal.state is State.PENDING else None
    return View(
        "proposal.html",
        {
            "card": card(proposal),
            "offered": offered,
            "rule": offered.rule if isinstance(offered, Offered) else "",
            "scopes": SCOPES,
            "lengths": LENGTHS,
        },
    )


def decide(visit: Visit) -> Go:
    """The person's word about exactly what was shown."""
    number, form, console = _number(visit), visit.form, visit.console
    shown, because = form.get("shown", ""), form.get("because", "")
    match form.get("do"):
        case "approve":
            console.desk.approve(Yes(number, shown, console.who, because))
            told = msg(
                "Proposal {number} is approved: it happens once, when the agent tries again.", number=number
            )
        case "always":
            scope, lasts = _scope(form.get("scope", "")), _length(form.number("for"))
            yes = Yes(number, shown, console.who, because, scope, form.get("rule", ""), lasts)
            console.desk.approve(yes)
            told = msg("Proposal {number} is approved, and its rule is recorded.", number=number)
        case "reject":
            console.desk.reject_all({number: shown}, console.who, because)
            told = msg("Proposal {number} is rejected; the agent is told why.", number=number)
        case "take-back":
            console.desk.reject(number, shown, console.who, because)
            told = msg("The approval of proposal {number} is taken back.", number=number)
        case _:
            raise UsageError(
                "console.form", msg("It was not said what to do."), msg("Choose to approve or to reject.")
            )
    return Go("/", told)


def _number(visit: Visit) -> int:
    text = visit.path["number"]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _scope(text: str) -> Scope:
    found = next((scope for scope in SCOPES if scope.value == text), None)
    if found is None:
        raise UsageError(
            "console.form",
            msg("It was not said how far the rule reaches."),
            msg("Choose session or project."),
        )
    return found


def _length(seconds: int) -> int:
    if seconds not in LENGTHS:
        raise UsageError(
            "console.form", msg("That is no length of time here."), msg("Choose one of the list.")
        )
    return seconds


page = Page(msg("Proposal"), "/proposals", {"/proposals/{number}": show}, {"/proposals/{number}": decide})
