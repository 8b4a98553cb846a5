"""`ringwall plan seal | resolve | abandon`: what only a person may do with a plan.

Invariant: at a paired terminal outside any agent's session, after everything was shown; a bare Enter is no.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, agreed, as_json, at_terminal, environment, project
from ringwall.cli.output import paragraph, print_json, print_lines
from ringwall.cli.paired import paired_terminal
from ringwall.cli.plan_view import advice_shown, last_sealed, review_shown
from ringwall.cli.visible import visible_line
from ringwall.console.pairing import Pairing
from ringwall.judge.person import person
from ringwall.judge.plans import Plans
from ringwall.judge.wall.advised import said_of
from ringwall.judge.wall.kept import Kept
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.plan.words import short, step_line
from ringwall.setup.person import require_terminal
from ringwall.store.paths import locate


@contextmanager
def deciding() -> Iterator[tuple[Plans, str]]:
    """The plans and who decides about them. Raises `UsageError` for an agent, away from a terminal, and at
    one that is not paired with the console."""
    require_terminal(environment(), at_terminal())
    opened = Plans(locate(os.environ), environment())
    try:
        paired_terminal(Pairing(opened.store))
        yield opened, person()
    finally:
        opened.close()


@click.command("seal", cls=Verb, help=_("Make PLAN.md the law of this worktree, after showing all of it."))
@click.argument("path", metavar="PLAN.md")
@project
def seal(path: str, project: str) -> int:
    """Show what a seal would hold, ask, and seal exactly that."""
    with deciding() as (opened, who):
        reviewed = opened.review(os.path.abspath(path), absolute(project))
        print_lines(review_shown(path, reviewed, last_sealed(opened, reviewed)))
        if reviewed.problems:
            print_lines(paragraph(_("Nothing was sealed."), 0, "bold red"))
            return 1
        print_lines(advice_shown(said_of(opened.store, reviewed)))
        if reviewed.before is not None:
            told = msg("It replaces plan {number}; {done} of its steps stay done.",
                       number=reviewed.before.number, done=reviewed.done)  # fmt: skip
            print_lines(paragraph(told, 0, "yellow"))
        if not agreed(msg("Seal exactly this?"), sure=False):
            print_lines(paragraph(_("Nothing was sealed.")))
            return 1
        kept = opened.seal(reviewed, who)
    print_lines(paragraph(_sealed(kept)))
    return 0


@click.command("resolve", cls=Verb, help=_("Say whether the step that nobody knows about has happened."))
@click.option("--done/--not-done", "done", default=None, help=_("It has happened, or it has not."))
@click.option("--because", default="", metavar="WHY", help=_("Why; it stands in the journal."))
@project
def resolve(done: bool | None, because: str, project: str) -> int:
    """Show the step, and move on or free it as the person says."""
    with deciding() as (opened, who):
        root = opened.root_of(absolute(project))
        kept = opened.active(root)
        if kept is not None and kept.expected is not None:
            print_lines(paragraph(msg(
                "step {number}: {step}", number=kept.expected.number,
                step=visible_line(show(step_line(kept.expected))),
            ), 0, "bold"))  # fmt: skip
        if done is None:
            raise UsageError(
                "plan.undecided",
                msg("It was not said whether the step has happened."),
                msg("Look at its files, then give --done or --not-done."),
            )
        kept = opened.resolve_unknown(root, done, who, because)
    if kept.expected is None:
        print_lines(paragraph(_("All steps are done.")))
    else:
        print_lines(paragraph(msg("Next is step {number}.", number=kept.expected.number)))
    return 0


@click.command("abandon", cls=Verb, help=_("End the plan that is sealed here."))
@click.option("--because", required=True, metavar="WHY", help=_("Why; it stands in the journal."))
@project
@as_json
def abandon(because: str, project: str, as_json: bool) -> int:
    """End it, however it stands."""
    with deciding() as (opened, who):
        kept = opened.abandon(opened.root_of(absolute(project)), who, because)
    if as_json:
        print_json({"number": kept.number, "plan_id": kept.plan_id, "state": kept.state})
    else:
        print_lines(paragraph(msg("Plan {number} has ended.", number=kept.number)))
    return 0


def _sealed(kept: Kept) -> str:
    if kept.expected is None:
        return show(msg("Plan {number} is sealed, and all its steps are done.", number=kept.number))
    return show(
        msg(
            "Plan {number} ({plan}) is sealed. Next is step {step}.",
            number=kept.number, plan=short(kept.plan_id), step=kept.expected.number,
        )
    )  # fmt: skip
