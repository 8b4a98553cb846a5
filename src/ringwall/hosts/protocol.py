"""What a host adapter is: payload in, reply out, nothing else.

Invariant: an adapter is pure, and each of its replies is exact in the dialect of its host: one JSON object
on stdout and nothing beside it, or no stdout and exit status 2, which stops the call on every host whose
hooks are commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.step import Step
from ringwall.model.text import Text

if TYPE_CHECKING:
    from ringwall.hosts.installation import Installation

BLOCK = 2
"""The exit status that stops a call on every command-hook host."""


class Moment(StrEnum):
    """When an event happens, in one vocabulary for all hosts."""

    BEFORE_CALL = "before_call"  # deciding: the call waits for a verdict
    PERMISSION = "permission"  # deciding: the host would ask a person now
    AFTER_CALL = "after_call"
    CALL_FAILED = "call_failed"
    PROMPT = "prompt"
    STEP = "step"  # before a step, on hosts that have no other moment to tell an agent something
    SESSION_START = "session_start"
    SESSION_END = "session_end"
    AGENT_START = "agent_start"
    AGENT_STOP = "agent_stop"
    STOP = "stop"
    COMPACT = "compact"
    OTHER = "other"

    @property
    def decides(self) -> bool:
        return self in (Moment.BEFORE_CALL, Moment.PERMISSION)


@dataclass(frozen=True, slots=True)
class HostEvent:
    """One hook payload, read. `event` is the host's own word for the moment; `call` is there for every
    moment that is about a tool call; `step` for every moment whose reply may carry hints; `raw` is the
    payload as it came, newer fields included.
    """

    event: str
    moment: Moment
    call: ToolCall | None
    session: str
    cwd: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class HookReply:
    """What the hook process prints and how it exits."""

    stdout: bytes
    stderr: bytes = b""
    exit: int = 0


@dataclass(frozen=True, slots=True)
class Registration:
    """One hook that setup registers. `decides`: the call waits for the reply, and a failed hook must stop it;
    else the reply may add context, and a failed hook holds nothing up."""

    event: str
    moment: Moment
    decides: bool = False


class Dialect(Protocol):
    """How one host, or a gateway of ours, speaks to the judge."""

    @property
    def name(self) -> str: ...

    @property
    def can_ask(self) -> bool:
        """Whether `ask` may be said to this host at all; to some it means that the call runs, or hangs."""

    @property
    def registrations(self) -> tuple[Registration, ...]: ...

    def parse(self, payload: bytes) -> HostEvent:
        """The event in `payload`. Raises `PayloadError` for anything that is not certain."""

    def reply(self, event: HostEvent, decision: Decision | None, notice: Text | None = None) -> HookReply:
        """The host's form of `decision`; for an event that decides, None stops the call. `notice` is told
        to the agent where the event can carry it."""

    def asks(self, event: HostEvent, environ: Mapping[str, str]) -> bool:
        """Whether the host itself sees to a question at this event: it asks a person, or stops the call in
        the mode that it is in. Otherwise Ringwall waits for the person."""

    def failure(self, event: HostEvent | None, error: RingwallError) -> HookReply:
        """The reply when there is no verdict: it stops the call, and harms nothing where no call waits."""


class Host(Dialect, Protocol):
    """A program that runs an agent. A module with these names is a host."""

    @property
    def installation(self) -> Installation:
        """What setup writes for this host, and what doctor tries."""
