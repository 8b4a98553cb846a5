"""History: what was decided and done, newest first, with filters and search."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime
from urllib.parse import urlencode

from ringwall.console.index import behind, catch_up
from ringwall.console.page import Page, View, Visit
from ringwall.console.search import Found, Wanted, search
from ringwall.journal.summary import told
from ringwall.model.effects import EFFECTS
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg

AT_ONCE = 50
_READ_AT_ONCE = 1000

TYPES: dict[str, Text] = {
    "decision": msg("decisions on calls"),
    "proposal.opened": msg("questions to a person"),
    "proposal.decided": msg("a person’s answers"),
    "proposal.consumed": msg("approved acts that happened"),
    "proposal.ended": msg("questions that ended otherwise"),
    "proposal.ran": msg("acts that Ringwall ran"),
    "grant.given": msg("rules that were granted"),
    "grant.revoked": msg("rules that were revoked"),
    "harvest.decided": msg("candidates that were decided"),
    "failure": msg("calls without a verdict"),
    "unjudged": msg("calls let through unjudged"),
    "host.event": msg("moments that a host reported"),
}
VERDICTS = ("allow", "ask", "deny")
OUTCOMES = ("approved", "rejected", "expired", "withdrawn", "invalidated")


def show(visit: Visit) -> View:
    """One page of it."""
    store, query = visit.console.store, visit.query
    catch_up(store, _READ_AT_ONCE)
    wanted = Wanted(**{one.name: query.get(one.name, "").strip() for one in fields(Wanted)})
    asked = replace(wanted, since=_moment(wanted.since), until=_moment(wanted.until))
    with store.reading() as connection:
        found = search(connection, asked, query.number("before"), AT_ONCE)
        missing = behind(connection)
    return View(
        "history.html",
        {
            "wanted": wanted,
            "rows": [(one.record, *told(one.record)) for one in found],
            "older": _address(wanted, found) if len(found) == AT_ONCE else "",
            "missing": missing,
            "types": TYPES,
            "verdicts": VERDICTS,
            "outcomes": OUTCOMES,
            "effects": tuple(EFFECTS),
        },
    )


def _address(wanted: Wanted, found: list[Found]) -> str:
    given = {one.name: value for one in fields(Wanted) if (value := getattr(wanted, one.name))}
    return "/history?" + urlencode({**given, "before": found[-1].number})


def _moment(written: str) -> str:
    """A moment as a form writes it, in UTC. Without a zone it is local time."""
    if not written:
        return ""
    try:
        moment = datetime.fromisoformat(written).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            "console.form",
            msg("{value} is no moment.", value=ascii(written)),
            msg("Write it like 2026-11-30 or 2026-11-30T08:00."),
        ) from error
    return moment.isoformat(timespec="microseconds")


page = Page(msg("History"), "/history", {"/history": show}, order=20)
