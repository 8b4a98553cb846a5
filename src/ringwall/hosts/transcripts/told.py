"""What the transcript of any host tells of a tool call.

Invariant: nothing is guessed. What a transcript does not say is `UNKNOWN`, no verdict, not asked; a line
that cannot be read is handed on as `Unread` with its number, never dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from ringwall.model.action import ToolCall
from ringwall.model.text import Text
from ringwall.model.verdict import Verdict

MOST_OPEN = 4096
"""Calls that may wait for their result at one time; beyond, the oldest is told without one."""


class End(StrEnum):
    """What became of a call."""

    RAN = "ran"
    FAILED = "failed"
    REFUSED = "refused"  # a person said no
    DENIED = "denied"  # a hook, a rule or a mode of the host stopped it
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Told:
    """A call in a transcript. `asked`: a question to a person was due, whether one sat there or not;
    `verdict`: what Ringwall itself answered, where the transcript holds that."""

    call: ToolCall
    line: int
    end: End = End.UNKNOWN
    asked: bool = False
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that could not be used, and why."""

    line: int
    why: Text


class Reader(Protocol):
    """Reads one transcript line by line."""

    def line(self, number: int, content: bytes) -> Iterator[Told | Unread]:
        """What this line adds."""

    def rest(self) -> Iterator[Told]:
        """The calls whose results never came."""


class Open:
    """The calls that wait for their results, oldest first."""

    def __init__(self) -> None:
        self._calls: dict[str, Told] = {}
        self._told: dict[str, None] = {}  # the last that were finished

    def begin(self, told: Told) -> Iterator[Told]:
        """Keep a call; one that has to make room comes out."""
        known = self._calls.pop(told.call.call_id, None)
        if known is not None:
            yield known
        self._calls[told.call.call_id] = told
        if len(self._calls) > MOST_OPEN:
            yield self._calls.pop(next(iter(self._calls)))

    def note(
        self,
        call_id: str,
        *,
        end: End | None = None,
        asked: bool | None = None,
        verdict: Verdict | None = None,
    ) -> bool:
        """Add to what is known of a waiting call; whether there is one."""
        told = self._calls.get(call_id)
        if told is None:
            return False
        self._calls[call_id] = replace(
            told,
            end=told.end if end is None else end,
            asked=told.asked if asked is None else asked,
            verdict=told.verdict if verdict is None else verdict,
        )
        return True

    def finish(self, call_id: str) -> Told | None:
        """The call whose result has come."""
        told = self._calls.pop(call_id, None)
        if told is not None:
            self._told[call_id] = None
            if len(self._told) > MOST_OPEN:
                self._told.pop(next(iter(self._told)))
        return told

    def was_told(self, call_id: str) -> bool:
        """Whether the call with this id was finished, not too long ago."""
        return call_id in self._told

    def rest(self) -> Iterator[Told]:
        yield from self._calls.values()
        self._calls = {}
