"""The words of the registry: who an agent is, where its mission stands, what happened to it.

Invariant: `MOVES` are all the moves of a mission; a name or role that has come through `checked_name` is a
safe part of a path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import msgspec

from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg

NAME = re.compile(r"[a-z][a-z0-9-]{0,30}[a-z0-9]", re.ASCII)
INCARNATION = re.compile(r"[0-9a-f]{32}", re.ASCII)

OPERATOR = "operator"
"""The actor of what a person did. It says where a note comes from and proves nothing (H-03)."""

CREATED, SESSION = "agent_created", "session"


class State(StrEnum):
    """Where the agent's present mission stands."""

    WORKING = "working"
    REPORTED = "reported"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    ARCHIVED = "archived"


class Act(StrEnum):
    """What moves a mission; the words are the types of its events."""

    REPORT = "report"
    REVISE = "revise"
    ACCEPT = "accept"
    REJECT = "reject"
    START = "start"
    ARCHIVE = "archive"


class Correcting(StrEnum):
    """What a person refuses besides a mission; the words are the types of its events."""

    PROPOSAL_REJECT = "proposal_reject"
    PLAN_REVISE = "plan_revise"
    PLAN_REJECT = "plan_reject"


CORRECTIONS = frozenset({Act.REVISE.value, Act.REJECT.value, *(each.value for each in Correcting)})
"""Types of events whose note says what a person had to say again."""

_OPEN: Mapping[Act, State] = MappingProxyType(
    {
        Act.REPORT: State.REPORTED,
        Act.REVISE: State.WORKING,
        Act.ACCEPT: State.ACCEPTED,
        Act.REJECT: State.REJECTED,
        Act.ARCHIVE: State.ARCHIVED,
    }
)
_SETTLED: Mapping[Act, State] = MappingProxyType(
    {Act.START: State.WORKING, Act.ARCHIVE: State.ARCHIVED}
)  # a new mission

MOVES: Mapping[State, Mapping[Act, State]] = MappingProxyType(
    {
        State.WORKING: _OPEN,
        State.REPORTED: _OPEN,
        State.ACCEPTED: _SETTLED,
        State.REJECTED: _SETTLED,
        State.ARCHIVED: MappingProxyType({}),
    }
)


class Spec(msgspec.Struct, frozen=True):
    """Who the agent is; it never changes. `project` is an absolute path."""

    name: str
    role: str
    project: str


class Control(msgspec.Struct, frozen=True, kw_only=True):
    """Where the agent stands. `incarnation` tells lives of one name apart; it is empty for an agent that was
    made before there were any. `sessions` are the last that ran as this agent, each (host, session)."""

    incarnation: str = ""
    state: State = State.WORKING
    mission: int = 1
    changed: str = ""
    sessions: tuple[tuple[str, str], ...] = ()


class AgentEvent(msgspec.Struct, frozen=True):
    """Something that happened to the agent. `seq` counts from 1 within one incarnation."""

    seq: int
    at: str
    type: str
    actor: str = ""
    detail: dict[str, Any] = {}


def checked_name(text: str, what: Text) -> str:
    """`text` where it may be the name of an agent or a role. Raises `UsageError` (H-14)."""
    if not NAME.fullmatch(text):
        raise UsageError(
            "agents.name",
            msg("{text} is no {what}.", text=ascii(text[:80]), what=what),
            msg("Use 2 to 32 small letters, digits and hyphens, a letter first, no hyphen last."),
        )
    return text
