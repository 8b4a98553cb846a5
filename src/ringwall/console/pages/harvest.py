"""The harvest: candidates beside everything that was said, a person's word on each, and how it goes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from ringwall.console.console import Console
from ringwall.console.page import Go, Page, View, Visit
from ringwall.harvest.decide import Desk, Words
from ringwall.harvest.digest import age, who
from ringwall.harvest.history import Week
from ringwall.harvest.key import read_key
from ringwall.harvest.lifecycle import Standing
from ringwall.harvest.model import Key, Status
from ringwall.harvest.ranking import Overview, Ranked, overview, overviews, waiting
from ringwall.harvest.shelf import keys, shelf
from ringwall.journal.write import Journal
from ringwall.judge.bench import Bench
from ringwall.judge.standing import read_standing
from ringwall.judge.suggest import Suggestion, suggestions
from ringwall.model.errors import RingwallError, UsageError
from ringwall.model.text import Text, msg

WEEKS = 26
_HEIGHT, _WIDTH, _GAP = 120, 22, 6


@dataclass(frozen=True, slots=True)
class Bar:
    """A week as a bar of the picture: heights in its units, from the ground up."""

    x: int
    collected: int
    covered: int
    repeated: int
    week: Week


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest weeks as bars, on one scale."""

    bars: tuple[Bar, ...]
    width: int
    height: int = _HEIGHT
    bar: int = _WIDTH


def show(visit: Visit) -> View:
    """Every ledger: what waits first."""
    found = overviews(visit.console.state, _now(visit.console))
    return View("harvest.html", {"ledgers": [_ledger(each) for each in found], **_words()})


def one(visit: Visit) -> View:
    """A candidate by itself, with the rule of the gate that it speaks for."""
    key = _key(visit)
    ledger = overview(visit.console.state, key, _now(visit.console))
    wanted = visit.path["id"]
    found = next((each for each in ledger.candidates if each.standing.candidate.id == wanted), None)
    if found is None:
        raise UsageError(
            "harvest.no_candidate",
            msg("There is no such candidate in {key}.", key=key),
            msg("Load the page of the harvest again."),
        )
    made = _suggested(visit.console, found, ledger.project)
    return View("candidate.html", {"one": found, "project": _name(ledger), "suggestions": made, **_words()})


def approve(visit: Visit) -> Go:
    found = _desk(visit.console).approve(_key(visit), visit.path["id"])
    return Go("/harvest", msg("Approved: {essence}", essence=found.candidate.essence))


def dismiss(visit: Visit) -> Go:
    found = _desk(visit.console).dismiss(_key(visit), visit.path["id"], visit.form.get("reason", ""))
    return Go("/harvest", msg("Dismissed: {essence}", essence=found.candidate.essence))


def reword(visit: Visit) -> Go:
    """The same corrections in the person's words; the page of what it became."""
    words = Words(*(visit.form.get(name, "") for name in ("essence", "why", "how")))
    found = _desk(visit.console).reword(_key(visit), visit.path["id"], words)
    return Go(f"/harvest/{_key(visit)}/{found.candidate.id}", msg("Reworded. This is what can be approved."))


def reject(visit: Visit) -> Go:
    found = _desk(visit.console).reject(_key(visit), visit.path["id"], visit.form.get("reason", ""))
    return Go("/harvest", msg("Rejected: {essence}", essence=found.candidate.essence))


def apply(visit: Visit) -> Go:
    found = _desk(visit.console).mark_applied(_key(visit), visit.path["id"])
    return Go("/harvest", msg("Applied: {essence}", essence=found.candidate.essence))


def count(console: Console) -> int:
    """Candidates that wait; a ledger that cannot be read is told on the page and not in the menu."""
    return sum(_waiting(console, key) for key in keys(console.state))


def _waiting(console: Console, key: Key) -> int:
    try:
        with shelf(console.state, key) as opened:
            found: list[Standing] = list(opened.standings().values())
    except RingwallError:
        return 0
    return sum(one.status is Status.PROPOSED for one in found)


def _ledger(found: Overview) -> dict[str, object]:
    return {
        "ledger": found,
        "name": _name(found),
        "waiting": waiting(found),
        "pending": _with(found, Status.PENDING),
        "decided": _with(found, Status.APPLIED, Status.DISMISSED, Status.REJECTED, Status.REWORDED),
        "picture": _picture(found.weeks[-WEEKS:]),
    }


def _with(found: Overview, *statuses: Status) -> list[Ranked]:
    return [each for each in found.candidates if each.standing.status in statuses]


def _picture(weeks: tuple[Week, ...]) -> Picture | None:
    most = max((week.collected for week in weeks), default=0)
    if len(weeks) < 2 or not most:
        return None

    def height(count: int) -> int:
        return max(round(_HEIGHT * count / most), 1) if count else 0

    bars = tuple(
        Bar(
            number * (_WIDTH + _GAP),
            height(week.collected),
            height(week.covered),
            height(week.repeated),
            week,
        )
        for number, week in enumerate(weeks)
    )
    return Picture(bars, len(bars) * (_WIDTH + _GAP))


def _suggested(console: Console, found: Ranked, project: str) -> list[Suggestion]:
    with console.store.reading() as connection:
        bench = Bench(console.state, read_standing(connection), console.environ)
        return suggestions(connection, bench, found.evidence, project)


def _desk(console: Console) -> Desk:
    return Desk(console.state, Journal(console.store, console.clock), console.who, console.clock)


def _key(visit: Visit) -> Key:
    return read_key(f"{visit.path['project']}/{visit.path['role']}")


def _name(found: Overview) -> str:
    return os.path.basename(found.project) or str(found.key)


def _now(console: Console) -> datetime:
    return datetime.fromtimestamp(console.clock() / 1e9, UTC)


def _words() -> dict[str, Callable[..., Text]]:
    """How the texts of a candidate are made."""
    return {"age": age, "said_by": who}


_ONE = "/harvest/{project}/{role}/{id}"

page = Page(
    msg("Harvest"),
    "/harvest",
    {"/harvest": show, _ONE: one},
    {
        f"{_ONE}/approve": approve,
        f"{_ONE}/reword": reword,
        f"{_ONE}/dismiss": dismiss,
        f"{_ONE}/reject": reject,
        f"{_ONE}/apply": apply,
    },
    order=60,
    count=count,
)
