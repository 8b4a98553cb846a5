"""A hook call on its way, and the wall: what it means to a plan is put into its case, and written from there.

Invariant: a case has turns only where a plan is active; what a case means is written in the transaction that
holds its decision, after it.
"""

from __future__ import annotations

from ringwall.approvals.proposal import Channel
from ringwall.journal.write import Entry
from ringwall.judge.case import Case
from ringwall.judge.wall.calls import Wall
from ringwall.model.surroundings import Places
from ringwall.model.verdict import Verdict


def attempt(wall: Wall, case: Case, places: Places) -> None:
    """A call was judged: the decision may become stricter, and the step under the pointer be taken."""
    event, decision = case.event, case.decision
    if event is None or event.call is None or decision is None:
        return
    case.decision, case.turns = wall.attempt(event.call, event.moment, decision, places)
    case.line = wall.line_of_denial(case.decision, places)


def passed(wall: Wall, case: Case, places: Places) -> None:
    """A call passes unjudged, for a person has switched that off."""
    if case.event is not None and case.event.call is not None and case.decision is None:
        case.turns = wall.passed(case.event.call, places)


def hear(wall: Wall, case: Case, places: Places) -> None:
    """A moment that waits for no verdict."""
    event = case.event
    if event is None:
        return
    case.turns = wall.hear(case.asked.host, event, places)
    policy = case.in_force.loaded.policy.digest if case.in_force is not None else ""
    case.line = wall.line_of_moment(event.moment, case.turns, places, policy)


def keep(wall: Wall, entry: Entry, case: Case) -> None:
    """Write what the case means. Raises `StateError` where the plan is not as it was judged."""
    if case.error is not None:
        return
    decision = case.answer.decision if case.answer is not None else case.decision
    by_host = case.asking is not None and case.asking.channel is Channel.HOST
    passes = (Verdict.ALLOW, Verdict.ASK) if by_host else (Verdict.ALLOW,)
    for turn in case.turns:
        runs = decision is not None and decision.verdict in passes
        wall.keep(entry, turn, decision, runs, case.record)
