"""Calls that wait for a person, beside the thread that judges.

Invariant: every parked call is handed back exactly once: to be judged again when its proposal is decided, or
to be stopped when its time is over or the daemon ends. One whose client has gone is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from ringwall.daemon.connection import Connection
from ringwall.daemon.protocol import Request
from ringwall.judge.waiting import Waiting

Undecided = Callable[[Sequence[int]], Collection[int]]


@dataclass(frozen=True, slots=True)
class Parked:
    """A call, what it waits for, and until when."""

    connection: Connection
    request: Request
    waiting: Waiting
    until: float


class Parking:
    """The parked calls. Used by the event loop alone."""

    def __init__(self, judge_again: Callable[[Connection, Request], None]) -> None:
        self._judge_again = judge_again
        self._parked: dict[Connection, Parked] = {}

    def __len__(self) -> int:
        return len(self._parked)

    @property
    def proposals(self) -> list[int]:
        return sorted({parked.waiting.proposal for parked in self._parked.values()})

    def park(self, connection: Connection, request: Request, waiting: Waiting, since: float) -> None:
        self._parked[connection] = Parked(connection, request, waiting, since + waiting.seconds)

    def forget(self, connection: Connection) -> None:
        self._parked.pop(connection, None)

    def look(self, decided: Collection[int], now: float) -> None:
        """Hand back what is decided, and what has waited long enough."""
        for parked in list(self._parked.values()):
            if parked.waiting.proposal in decided:
                self.forget(parked.connection)
                self._judge_again(parked.connection, replace(parked.request, waited=True))
            elif now >= parked.until:
                self._stop(parked)

    def stop_all(self) -> None:
        for parked in list(self._parked.values()):
            self._stop(parked)

    def _stop(self, parked: Parked) -> None:
        self.forget(parked.connection)
        parked.connection.answer(parked.waiting.otherwise)
