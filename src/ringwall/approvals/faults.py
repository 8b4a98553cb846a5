"""Why an answer does not count. Invariant: each says how the proposal stands and what to do."""

from __future__ import annotations

from ringwall.approvals.proposal import Proposal, State
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

_LOOK = msg("See `ringwall pending` for what waits.")


def no_such(number: int) -> UsageError:
    return UsageError("approvals.no_such", msg("There is no proposal {number}.", number=number), _LOOK)


def settled(proposal: Proposal) -> UsageError:
    """Somebody, or time, was quicker."""
    what = msg("Proposal {number} is {state} already.", number=proposal.number, state=proposal.state.value)
    if proposal.decided_by:
        what = msg(
            "Proposal {number} is {state} already, by {who}.",
            number=proposal.number,
            state=proposal.state.value,
            who=proposal.decided_by,
        )
    again = msg("Let the agent try again, if it should still happen; that is a new proposal.")
    return UsageError("approvals.settled", what, _LOOK if proposal.state is State.APPROVED else again)


def stale(proposal: Proposal) -> UsageError:
    return UsageError(
        "approvals.stale",
        msg("Proposal {number} is not the one that was shown.", number=proposal.number),
        msg("Look at it again and decide then."),
    )


def own(who: str) -> UsageError:
    return UsageError(
        "approvals.own",
        msg("{who} cannot answer its own question.", who=who),
        msg("Let a person decide it, in a terminal outside the agent."),
    )


def no_reason() -> UsageError:
    return UsageError(
        "approvals.no_reason",
        msg("A rejection says why; the agent is told."),
        msg('Add --because "…".'),
        "--because",
    )
