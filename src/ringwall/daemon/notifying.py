"""Tells a person that something waits, beside the judging.

Invariant: a thread of its own with a connection of its own; no verdict waits for it or fails with it, and
what it cannot tell is dropped. A question that the host's own prompt puts is not told again.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Mapping

import sqlalchemy as sa

from ringwall.approvals.proposal import Channel, Proposal, State
from ringwall.approvals.read import proposal_of
from ringwall.daemon.notice import notice_of
from ringwall.daemon.outlet import send
from ringwall.judge.endpoint import endpoint
from ringwall.judge.here import here
from ringwall.judge.places import PROJECT_DIRECTORY
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir
from ringwall.store.schema import proposals

LOOK_SECONDS = 1.0
FRESH_SECONDS = 60
"""What is older than this when it is seen is not told: the person has passed it, or nobody listens."""
MOST = 20
"""Told at one look; of more, the newest."""


class Notifier(threading.Thread):
    """Looks for new proposals until the process ends."""

    def __init__(self, state: StateDir, environ: Mapping[str, str]) -> None:
        super().__init__(name="notifier", daemon=True)
        self._state, self._environ = state, dict(environ)
        self._store: Store | None = None
        self._seen: object = None
        self._last = 0

    def run(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            try:
                self.look(int(time.time()))
            except Exception as error:  # whatever it is, judging goes on, and the next look may do better
                _note(type(error).__name__)

    def look(self, now: int) -> None:
        """Tell what is new, where anything has changed."""
        if self._store is None:
            self._store = Store(self._state)
        changes = self._store.changes()
        if changes == self._seen:
            return
        self._seen = changes
        for proposal in self._new(self._store, now):
            self._tell(proposal)

    def _new(self, store: Store, now: int) -> Iterator[Proposal]:
        fresh = sa.and_(
            proposals.c.number > self._last, proposals.c.state == State.PENDING.value,
            proposals.c.opened > now - FRESH_SECONDS,
        )  # fmt: skip
        query = sa.select(proposals).where(fresh).order_by(proposals.c.number.desc()).limit(MOST)
        with store.reading() as connection:
            found = [proposal_of(row) for row in connection.execute(query)]
        self._last = max([self._last, *(proposal.number for proposal in found)])
        yield from (one for one in reversed(found) if one.channel is not Channel.HOST)

    def _tell(self, proposal: Proposal) -> None:
        environ = {**self._environ, PROJECT_DIRECTORY: proposal.project}
        outlets = here(proposal.project, environ, self._state).policy.outlets
        console = endpoint(self._state)
        for fault in send(notice_of(proposal, console.name if console else ""), outlets, self._environ):
            _note(fault)


def _note(fault: str) -> None:
    """One line in the daemon's log."""
    sys.stderr.write(f"A notice was not delivered: {fault}\n")
    sys.stderr.flush()
