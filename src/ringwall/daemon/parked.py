"""Calls that wait for a person, beside the judging.

Invariant: every parked call is handed back exactly once: to be judged again when its proposal is decided, or
to be stopped when its time is over or the daemon ends. One whose client has gone is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from ringwall.daemon.connection import Connection
from ringwall.daemon.protocol import Request
from ringwall.judge.waiting import LOOK_SECONDS, Waiting

Undecided = Callable[[Sequence[int]], Collection[int]]
"""Which of these proposals still wait for a person."""


@dataclass(frozen=True, slots=True)
class Parked:
    """A call, what it waits for, and until when."""

    connection: Connection
    request: Request
    waiting: Waiting
    until: float


class Parking:
    """The parked calls, by their connections."""

    def __init__(self, undecided: Undecided) -> None:
        self._undecided = undecided
        self._parked: dict[Connection, Parked] = {}
        self._looked = 0.0

    def __len__(self) -> int:
        return len(self._parked)

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._parked

    def park(self, connection: Connection, request: Request, waiting: Waiting) -> None:
        """Keep a call; its time began when its client came."""
        self._parked[connection] = Parked(connection, request, waiting, connection.begun + waiting.seconds)

    def forget(self, connection: Connection) -> None:
        self._parked.pop(connection, None)

    def decided(self, now: float) -> Iterator[Parked]:
        """Take out what a person has decided since the last look."""
        if not self._parked or now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        numbers = sorted({parked.waiting.proposal for parked in self._parked.values()})
        waiting = self._undecided(numbers)
        for parked in list(self._parked.values()):
            if parked.waiting.proposal not in waiting:
                self.forget(parked.connection)
                yield parked

    def late(self, now: float) -> Iterator[Parked]:
        """Take out what has waited long enough."""
        for parked in list(self._parked.values()):
            if now >= parked.until:
                self.forget(parked.connection)
                yield parked
