"""Plans: what is sealed and how far it is, a plan looked back at, and a plan file reviewed and sealed.

Invariant: what is sealed here is the file that the page showed, by its digest, in place of the plan that the
page named; everything that a seal would hold is on the page.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from markupsafe import Markup

from ringwall.console.console import Console
from ringwall.console.page import Go, Page, View, Visit
from ringwall.judge.plans import Plans, Reviewed
from ringwall.judge.wall import faults
from ringwall.judge.wall.advised import said_of
from ringwall.judge.wall.files import drafts_below
from ringwall.judge.wall.kept import Kept, active
from ringwall.judge.wall.quiet import Kind
from ringwall.judge.wall.timeline import picture
from ringwall.model.text import Text, msg
from ringwall.plan.again import difference
from ringwall.plan.model import Plan
from ringwall.plan.words import step_line

MOST = 50
MOST_ROWS = 500


@contextmanager
def _plans(console: Console) -> Iterator[Plans]:
    """Plans with a store of their own, for a review asks the gate about every step."""
    opened = Plans(console.state, console.environ, console.clock)
    try:
        yield opened
    finally:
        opened.close()


@dataclass(frozen=True, slots=True)
class Standing:
    """An active plan with what stands against it."""

    kept: Kept
    fault: Text | None
    moved: list[Text]


def show(visit: Visit) -> View:
    """The active plans, the drafts beside them, and what was sealed before."""
    with _plans(visit.console) as plans:
        every = plans.newest(MOST)
        standing = [
            Standing(status.kept, status.fault, status.moved.told)
            for kept in every
            if kept.active and (status := plans.status(kept.root)) is not None
        ]
        roots = plans.worktrees()
        drafts = [(root, path) for root in roots for path in drafts_below(root, plans.folders(root))]
    ended = [kept for kept in every if not kept.active]
    return View("plans.html", {"active": standing, "ended": ended, "drafts": drafts, "words": step_line})


def one(visit: Visit) -> View:
    """A plan looked back at: its steps, its picture, what was read, clicked and refused."""
    with _plans(visit.console) as plans:
        report = plans.report(_number(visit.path["number"]))
    image = Markup(picture(report, visit.console.show))  # noqa: S704 - every text in it is escaped
    looked = report.of_kind(Kind.LOOK, Kind.QUERY)
    used = report.of_kind(Kind.SESSION, Kind.OUTPUT, Kind.SKILL)
    return View(
        "plan.html",
        {"report": report, "plan": report.plan, "picture": image, "looked": looked[:MOST_ROWS],
         "used": used[:MOST_ROWS], "denied": report.denied[:MOST_ROWS], "words": step_line},
    )  # fmt: skip


def review(visit: Visit) -> View:
    """Everything that a seal of this file would hold; without a file a form that asks for one."""
    path, folder = visit.query.get("path", ""), visit.query.get("folder", "")
    if not path or not os.path.isabs(folder):
        return View("plan_review.html", {"read": None, "folder": folder})
    with _plans(visit.console) as plans:
        read = plans.review(path, folder)
        advice = said_of(plans.store, read)
        before = read.before or next(iter(plans.all(read.places.root)), None)
    return View(
        "plan_review.html",
        {"read": read, "advice": advice, "before": before, "difference": _difference(before, read.plan),
         "folder": folder, "replaced": _before(read), "words": step_line},
    )  # fmt: skip


def seal(visit: Visit) -> Go:
    """Seal what the page showed."""
    with _plans(visit.console) as plans:
        read = plans.review(visit.form.get("path", ""), visit.form.get("folder", ""))
        if read.file != visit.form.get("file", "") or _before(read) != visit.form.get("before", ""):
            raise faults.changed(read.path)
        kept = plans.seal(read, visit.console.who)
    return Go(f"/plans/{kept.number}", msg("Plan {number} is sealed.", number=kept.number))


def abandon(visit: Visit) -> Go:
    with _plans(visit.console) as plans:
        number = _number(visit.path["number"])
        because = visit.form.get("because", "")
        kept = plans.abandon(plans.one(number).root, visit.console.who, because, number)
    return Go(f"/plans/{kept.number}", msg("Plan {number} has ended.", number=kept.number))


def resolve(visit: Visit) -> Go:
    """Say whether the step that a call holds has happened."""
    with _plans(visit.console) as plans:
        number = _number(visit.path["number"])
        kept = plans.one(number)
        done = visit.form.get("happened", "") == "yes"
        because, shown = visit.form.get("because", ""), (number, visit.form.get("held", ""))
        plans.resolve_unknown(kept.root, done, visit.console.who, because, shown)
    return Go("/plans", msg("It is written down that it has happened.") if done
              else msg("It is written down that it has not happened."))  # fmt: skip


def _difference(before: Kept | None, plan: Plan | None) -> list[tuple[str, Text]]:
    if before is None or plan is None or not before.steps:
        return []
    return [*difference(before.plan.plan, plan)]


def _before(read: Reviewed) -> str:
    """The plan that a seal would replace, and where it stands."""
    return f"{read.before.number}:{read.before.pointer.at}" if read.before is not None else ""


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise faults.no_such(0)
    return int(text)


def _count(console: Console) -> int:
    """How many active plans wait for a person's word about a step."""
    with console.store.reading() as connection:
        return sum(kept.pointer.unknown for kept in active(connection).values())


page = Page(
    msg("Plans"), "/plans",
    {"/plans": show, "/plans/review": review, "/plans/{number}": one},
    {"/plans/seal": seal, "/plans/{number}/abandon": abandon, "/plans/{number}/resolve": resolve},
    order=50, count=_count,
)  # fmt: skip
