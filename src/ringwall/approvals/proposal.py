"""A proposal and the states that it goes through.

Invariant: `MOVES` are all the moves there are; a settled proposal never moves again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

DAY, HOUR = 24 * 3600, 3600

PENDING_SECONDS = DAY
"""How long a question waits for a person."""

APPROVED_SECONDS = HOUR
"""How long an approval waits for its act, unless the person says otherwise."""

REJECTED_SECONDS = HOUR
"""How long a rejection answers the same session's retries."""


class State(StrEnum):
    """Where a proposal stands."""

    PENDING = "pending"
    APPROVED = "approved"
    CONSUMED = "consumed"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    INVALIDATED = "invalidated"

    @property
    def live(self) -> bool:
        return bool(MOVES[self])


MOVES: Mapping[State, frozenset[State]] = MappingProxyType(
    {
        State.PENDING: frozenset({State.APPROVED, State.REJECTED, State.EXPIRED, State.WITHDRAWN}),
        State.APPROVED: frozenset({State.CONSUMED, State.EXPIRED, State.INVALIDATED}),
        State.CONSUMED: frozenset(),
        State.REJECTED: frozenset(),
        State.EXPIRED: frozenset(),
        State.WITHDRAWN: frozenset(),
        State.INVALIDATED: frozenset(),
    }
)


class Channel(StrEnum):
    """Where a person is asked."""

    HOST = "host"  # the host's own prompt puts the question
    WAIT = "wait"  # the call waits for a while, then stops with the proposal's number
    NONE = "none"  # nobody waits; whoever asked comes back


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question to a person. `content` is what is shown: tool, input, cwd, trace and what it is bound to;
    `event` is the decision that asked; times are Unix seconds."""

    number: int
    state: State
    binding: str
    action: str
    kind: str
    requester: str
    host: str
    session: str
    agent: str
    channel: Channel
    plan: str
    step: str
    project: str
    opened: int
    expires: int
    decided_by: str
    because: str
    decided: int
    event: str
    content: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody wants to do and may not without a person."""

    binding: str
    action: str
    requester: str
    content: Mapping[str, Any]
    channel: Channel = Channel.NONE
    kind: str = "call"
    host: str = ""
    session: str = ""
    agent: str = ""
    plan: str = ""
    step: str = ""
    project: str = ""
