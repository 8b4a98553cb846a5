"""Verifying the journal, apart from the pages.

Invariant: at most one runs at a time; it reads in a connection of its own and changes nothing.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from ringwall.journal.verify import Report, verify
from ringwall.model.errors import RingwallError
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir


@dataclass(frozen=True, slots=True)
class Verified:
    """How a verification ended: its report, or why there is none. `at` is in Unix seconds."""

    at: int
    seconds: float
    report: Report | None = None
    fault: RingwallError | None = None


class Verifying:
    """The last verification, and the one that runs."""

    def __init__(self, state: StateDir) -> None:
        self._state = state
        self._thread: threading.Thread | None = None
        self.last: Verified | None = None

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin, unless one runs."""
        if not self.running:
            self._thread = threading.Thread(target=self._verify, daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> None:
        """Give it so long to end."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _verify(self) -> None:
        begun = time.monotonic()
        store = Store(self._state)
        report, fault = None, None
        try:
            report = verify(store)
        except RingwallError as error:
            fault = error
        finally:
            store.close()
        self.last = Verified(int(time.time()), time.monotonic() - begun, report, fault)
