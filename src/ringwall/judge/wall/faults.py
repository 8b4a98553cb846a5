"""Why a person's act on a plan does not count. Invariant: each says how the plan stands and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from ringwall.judge.wall.kept import Kept
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.plan.model import Problem

_LOOK = msg("See `ringwall plan status`.")


def no_file(path: str) -> UsageError:
    return UsageError(
        "plan.no_file",
        msg("The plan file cannot be read: {path}", path=path),
        msg("Name a Markdown file of at most 4 MiB that is there."),
    )


def not_utf8(path: str, at: int) -> UsageError:
    return UsageError(
        "plan.not_utf8",
        msg("The plan file is not UTF-8 at byte {at}.", at=at),
        msg("Save it as UTF-8."),
        path,
    )


def invalid(path: str, problems: Sequence[Problem]) -> UsageError:
    return UsageError(
        "plan.invalid",
        msg("The plan has {count} problems and cannot be sealed.", count=len(problems)),
        msg("See them with `ringwall plan lint` and mend them."),
        f"{path}:{problems[0].line}" if problems else path,
    )


def changed(path: str) -> UsageError:
    return UsageError(
        "plan.changed",
        msg("The plan file is not what was shown."),
        msg("Look at it again and seal it then."),
        path,
    )


def stale(root: str) -> UsageError:
    return UsageError(
        "plan.stale",
        msg("The active plan of {root} is not where it was when this was shown.", root=root),
        msg("Look at it again and seal it then."),
    )


def elsewhere(root: str) -> UsageError:
    return UsageError(
        "plan.stale",
        msg("The active plan of {root} is not where it was when this was shown.", root=root),
        msg("Look at it again and decide then."),
    )


def held(plan: Kept) -> UsageError:
    return UsageError(
        "plan.held",
        msg("A call holds the next step of plan {number}.", number=plan.number),
        msg("Wait until it has ended, or say with `ringwall plan resolve` whether it happened."),
    )


def no_such(number: int) -> UsageError:
    return UsageError("plan.no_such", msg("There is no plan {number}.", number=number), _LOOK)


def none_active(root: str) -> UsageError:
    return UsageError(
        "plan.none_active",
        msg("No plan is sealed for {root}.", root=root),
        msg("Seal one with `ringwall plan seal FILE`."),
    )


def nothing_held(plan: Kept) -> UsageError:
    return UsageError(
        "plan.nothing_held", msg("No call holds a step of plan {number}.", number=plan.number), _LOOK
    )


def does_not_hold(plan: Kept) -> UsageError:
    return UsageError(
        "plan.does_not_hold",
        msg("Plan {number} does not hold: {fault}.", number=plan.number, fault=plan.fault or ""),
        msg("Seal it again, or abandon it."),
    )


def no_reason() -> UsageError:
    return UsageError(
        "plan.no_reason",
        msg("Abandoning a plan says why; it stands in the journal."),
        msg('Add --because "…".'),
        "--because",
    )


def agent(who: str) -> UsageError:
    return UsageError(
        "plan.agent",
        msg("{who} cannot decide about a plan.", who=who),
        msg("Let a person do it, in a terminal outside the agent."),
    )
