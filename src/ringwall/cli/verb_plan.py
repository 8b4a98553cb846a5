"""`ringwall plan`: write, look at, seal, follow and end a plan.

Invariant: looking makes no state where there is none; what decides is for a person (`plan_decide.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from ringwall.cli import plan_decide, plan_draft
from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.main import NEGATIVE
from ringwall.cli.options import absolute, as_json, environment, project
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.plan_report import markdown, report_row
from ringwall.cli.plan_view import (
    advice_row,
    advice_shown,
    caution_row,
    cautions_shown,
    last_sealed,
    plan_shown,
    problem_row,
    problems_shown,
    review_shown,
)
from ringwall.cli.proposal_view import clock
from ringwall.cli.visible import visible_line
from ringwall.judge.plans import Plans, Reviewed, Status
from ringwall.judge.wall import faults, timeline
from ringwall.judge.wall.advised import asked
from ringwall.judge.wall.kept import Kept
from ringwall.judge.wall.report import Report
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.plan.review import review_json
from ringwall.plan.words import short, step_line
from ringwall.setup.person import require_person
from ringwall.store.paths import locate

plan_file = click.argument("path", metavar="PLAN.md")


@contextmanager
def plans() -> Iterator[Plans]:
    """The plans of this user; looking at them makes no state."""
    opened = Plans(locate(os.environ), environment())
    try:
        yield opened
    finally:
        opened.close()


@click.group(cls=VerbGroup, help=_("Write, review, seal, follow and end a plan (docs/wall.md)."))
def command() -> None:
    """The group itself does nothing."""


@command.command("lint", cls=Verb, help=_("Say what is wrong or odd in PLAN.md, with the line of each."))
@plan_file
@project
@as_json
def lint(path: str, project: str, as_json: bool) -> int:
    """Read it and ask the gate about each step; nothing is run."""
    with plans() as opened:
        reviewed = opened.review(_from_here(path), absolute(project))
    cautions = reviewed.plan.cautions if reviewed.plan is not None else ()
    if as_json:
        print_json(_lint_row(reviewed))
    else:
        print_lines(problems_shown(path, reviewed.problems))
        print_lines(cautions_shown(path, cautions))
        print_lines(paragraph(_verdict(reviewed)))
    return NEGATIVE if reviewed.problems else 0


@command.command(
    "review", cls=Verb, help=_("Show all that a seal of PLAN.md would hold, and ask the reviewers.")
)
@plan_file
@project
@as_json
def review(path: str, project: str, as_json: bool) -> int:
    """Print it readably, with what differs from the last seal, and the advice of mentor and judge."""
    require_person(environment())
    with plans() as opened:
        reviewed = opened.review(_from_here(path), absolute(project))
        advice = asked(opened.store, reviewed)
        before = last_sealed(opened, reviewed)
    if as_json:
        row = _lint_row(reviewed)
        row["advice"] = [advice_row(one) for one in advice]
        if reviewed.plan is not None:
            plan_id = reviewed.sealed.plan_id if reviewed.sealed is not None else ""
            row["review"] = review_json(reviewed.plan, plan_id)
        print_json(row)
    else:
        print_lines(review_shown(path, reviewed, before))
        print_lines(advice_shown(advice))
    return NEGATIVE if reviewed.problems else 0


@command.command(
    "status", cls=Verb, help=_("Say which plan is sealed here, where it stands and what has moved.")
)
@project
@as_json
def status(project: str, as_json: bool) -> int:
    """The active plan of this worktree."""
    with plans() as opened:
        found = opened.status(absolute(project))
    if as_json:
        print_json(_status_row(found) if found is not None else None)
    elif found is None:
        print_lines(paragraph(_("No plan is sealed here.")))
    else:
        print_lines(_status(found))
    return NEGATIVE if found is None or found.fault is not None else 0


@command.command("show", cls=Verb, help=_("Show a sealed plan in full: the active one here, or NUMBER."))
@click.argument("number", type=int, required=False)
@project
@as_json
def show_(number: int | None, project: str, as_json: bool) -> int:
    """The sealed copy, not the file."""
    with plans() as opened:
        kept = _chosen(opened, number, project)
    if as_json:
        print_json({**_kept_row(kept), "sealed": kept.plan.document})
    else:
        print_lines([_head(kept), line(), *plan_shown(kept.plan.plan, kept.pointer.at)])
    return 0


@command.command(
    "report", cls=Verb, help=_("Look back at a plan: what was read, clicked, tried and refused.")
)
@click.argument("number", type=int, required=False)
@click.option("--picture", metavar="FILE.svg", help=_("Draw it as a timeline into FILE.svg as well."))
@project
@as_json
def report(number: int | None, picture: str | None, project: str, as_json: bool) -> int:
    """Markdown from the quiet log."""
    with plans() as opened:
        found = opened.report(_chosen(opened, number, project).number)
    if picture is not None:
        _draw(found, picture)
    if as_json:
        print_json(report_row(found))
    else:
        print_lines(line(row) for row in markdown(found))
    return 0


for _decides in (plan_decide.seal, plan_decide.resolve, plan_decide.abandon, plan_draft.import_):
    command.add_command(_decides)


# ---- what is shown


def _draw(found: Report, path: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(timeline.picture(found, show))
    except OSError as error:
        raise UsageError(
            "plan.picture",
            msg("The picture cannot be written: {why}.", why=error.strerror or str(error)),
            msg("Name a file that you can write."),
            path,
        ) from error


def _from_here(path: str) -> str:
    return os.path.abspath(path)


def _verdict(reviewed: Reviewed) -> str:
    if reviewed.problems:
        return show(msg("The plan cannot be sealed; problems: {count}.", count=len(reviewed.problems)))
    steps = len(reviewed.plan.steps) if reviewed.plan is not None else 0
    return show(msg("The plan can be sealed; steps: {count}.", count=steps))


def _lint_row(reviewed: Reviewed) -> dict[str, Any]:
    plan = reviewed.plan
    return {
        "path": reviewed.path,
        "file": reviewed.file,
        "plan_id": reviewed.sealed.plan_id if reviewed.sealed is not None else None,
        "steps": len(plan.steps) if plan is not None else None,
        "done": reviewed.done,
        "problems": [problem_row(problem) for problem in reviewed.problems],
        "warnings": [caution_row(caution) for caution in (plan.cautions if plan is not None else ())],
    }


def _chosen(opened: Plans, number: int | None, project: str) -> Kept:
    if number is not None:
        if not os.path.exists(locate(os.environ).database):
            raise faults.no_such(number)
        return opened.one(number)
    root = opened.root_of(absolute(project))
    found = opened.active(root) or next(iter(opened.all(root)), None)
    if found is None:
        raise UsageError(
            "plan.none", msg("No plan was ever sealed here."), msg("Seal one with `ringwall plan seal`.")
        )
    return found


def _head(kept: Kept) -> Line:
    words = msg("Plan {number}", number=kept.number)
    return line(Part(show(words), "bold"), "  ", short(kept.plan_id), "  ", Part(kept.state, "dim"))


def _status(found: Status) -> Iterator[Line]:
    kept = found.kept
    yield _head(kept)
    yield from paragraph(msg("sealed {at} by {who} from {path}", at=clock(kept.sealed), who=kept.sealed_by,
                             path=visible_line(kept.path)), 2)  # fmt: skip
    yield from paragraph(
        msg("{done} of {count} steps are done", done=kept.pointer.at, count=len(kept.steps)), 2
    )
    if found.expected is not None:
        step = msg(
            "next is step {number}: {step}", number=found.expected.number, step=step_line(found.expected)
        )
        yield from paragraph(visible_line(show(step)), 2, "bold")
    if kept.pointer.produced:
        yield from paragraph(msg("written so far: {paths}", paths=", ".join(kept.pointer.produced)), 2)
    if kept.pointer.held is not None:
        told = (
            msg("it is not known whether it happened; say it with `ringwall plan resolve`")
            if kept.pointer.unknown
            else msg("a call is doing it")
        )
        yield from paragraph(told, 2, "yellow")
    if found.fault is not None:
        yield from paragraph(msg("The plan does not hold: {fault}.", fault=found.fault), 2, "bold red")
    for moved in found.moved.told:
        yield from paragraph(moved, 2, "yellow")


def _kept_row(kept: Kept) -> dict[str, Any]:
    return {
        "number": kept.number, "plan_id": kept.plan_id, "state": kept.state, "root": kept.root,
        "path": kept.path, "sealed_by": kept.sealed_by, "sealed": kept.sealed, "ended": kept.ended,
        "because": kept.because, "done": kept.pointer.at, "steps": len(kept.steps),
    }  # fmt: skip


def _status_row(found: Status) -> dict[str, Any]:
    kept, step = found.kept, found.expected
    return {
        **_kept_row(kept),
        "next": None if step is None else {"number": step.number, "step": show(step_line(step))},
        "produced": list(kept.pointer.produced),
        "held": kept.pointer.held is not None,
        "unknown": kept.pointer.unknown,
        "fault": show(found.fault) if found.fault is not None else None,
        "moved": [show(moved) for moved in found.moved.told],
    }
