"""The desk as verbs use it. Invariant: looking never makes a state directory where there is none; deciding
is for a person at a paired terminal outside any agent's session."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from ringwall.cli.options import at_terminal, environment
from ringwall.cli.paired import paired_terminal
from ringwall.console.pairing import Pairing
from ringwall.judge.desk import Desk
from ringwall.judge.person import person as person
from ringwall.setup.person import require_terminal
from ringwall.store.paths import locate


@contextmanager
def desk() -> Iterator[Desk | None]:
    """The desk of this user, or None where nothing was ever asked."""
    state = locate(os.environ)
    if not os.path.exists(state.database):
        yield None
        return
    opened = Desk(state)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def deciding() -> Iterator[tuple[Desk, str]]:
    """The desk and who decides at it. Raises `UsageError` for an agent, away from a terminal, and at one that
    is not paired with the console."""
    require_terminal(environment(), at_terminal())
    opened = Desk(locate(os.environ))
    try:
        paired_terminal(Pairing(opened.store))
        yield opened, person()
    finally:
        opened.close()
