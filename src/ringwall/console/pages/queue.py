"""The queue: what waits for a person, in full, oldest first, so that what comes moves nothing."""

from __future__ import annotations

from ringwall.console.card import card
from ringwall.console.console import Console
from ringwall.console.page import Go, Page, View, Visit
from ringwall.judge.desk import Yes
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

AT_ONCE = 20


def show(visit: Visit) -> View:
    """The next of them."""
    after = visit.query.number("after")
    found = visit.console.desk.next(after, AT_ONCE)
    waiting, _newest, _sum = visit.console.desk.tally()
    more = found[-1].number if len(found) == AT_ONCE else 0
    return View(
        "queue.html", {"cards": list(map(card, found)), "waiting": waiting, "after": after, "more": more}
    )


def decide(visit: Visit) -> Go:
    """Approve or reject all that were chosen, or none of them."""
    chosen = _chosen(visit)
    desk, who = visit.console.desk, visit.console.who
    match visit.form.get("do"):
        case "approve":
            desk.approve_all([Yes(number, shown, who) for number, shown in chosen.items()])
            return Go("/", msg("Approved, once each: {count}", count=len(chosen)))
        case "reject":
            desk.reject_all(chosen, who, visit.form.get("because", ""))
            return Go("/", msg("Rejected: {count}", count=len(chosen)))
    raise UsageError(
        "console.form", msg("It was not said what to do."), msg("Choose to approve or to reject.")
    )


def _chosen(visit: Visit) -> dict[int, str]:
    """The numbers that were chosen with the bindings that were shown; the nonce of each is used up."""
    chosen: dict[int, str] = {}
    for text in visit.form.all("chosen"):
        number, _, rest = text.partition(" ")
        shown, _, nonce = rest.partition(" ")
        visit.redeem(f"/proposals/{number}", nonce)
        chosen[int(number)] = shown
    if not chosen:
        raise UsageError(
            "console.form", msg("Nothing was chosen."), msg("Mark what you mean, and try again.")
        )
    return chosen


def _waiting(console: Console) -> int:
    return console.desk.tally()[0]


page = Page(msg("Queue"), "/", {"/": show}, {"/": decide}, order=10, count=_waiting)
