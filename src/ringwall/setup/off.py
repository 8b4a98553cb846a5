"""`ringwall off --for 10m`: a person switches judging off for a while.

Invariant: it always ends by itself, it is always in the journal, and an agent cannot do it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ringwall.journal.read import find
from ringwall.journal.write import Journal
from ringwall.judge import standing
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.person import require_terminal
from ringwall.store.engine import Store
from ringwall.store.paths import locate

LONGEST = timedelta(days=1)
_LENGTH = re.compile(r"([1-9][0-9]{0,5})(s|m|h)")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}


@dataclass(frozen=True, slots=True)
class Switch:
    """`until` is None while judging is on."""

    until: datetime | None
    reason: str = ""


def duration(text: str) -> timedelta:
    """`90s`, `10m`, `2h`, at most a day. Raises `UsageError` for anything else."""
    found = _LENGTH.fullmatch(text)
    length = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta()
    if not timedelta() < length <= LONGEST:
        raise UsageError(
            "off.duration",
            msg("{text} is not a length of time of at most a day.", text=ascii(text)),
            msg("Write it like 90s, 10m or 2h."),
            "--for",
        )
    return length


def switch_off(length: timedelta, reason: str, env: Mapping[str, str], terminal: bool) -> Switch:
    """Switch judging off. Raises `UsageError` inside an agent's session or away from a terminal."""
    require_terminal(env, terminal)
    begins = int(time.time())
    ends = begins + int(length.total_seconds())
    with _store(env) as store, Journal(store).writing() as entry:
        standing.pause(entry, begins, ends, reason)
    return Switch(datetime.fromtimestamp(ends, UTC), reason)


def switch_on(env: Mapping[str, str]) -> Switch:
    """Switch judging on again, whoever asks."""
    if os.path.exists(locate(env).database):
        with _store(env) as store, Journal(store).writing() as entry:
            standing.resume(entry, int(time.time()))
    return Switch(None)


def state(env: Mapping[str, str]) -> Switch:
    """How the switch stands now."""
    if not os.path.exists(locate(env).database):
        return Switch(None)
    with _store(env) as store, store.reading() as connection:
        pauses = standing.read_standing(connection).pauses
        now = time.time()
        running = max((one for one in pauses if one.begins <= now < one.ends), key=_end, default=None)
        if running is None:
            return Switch(None)
        reason = str(find(connection, running.event).content().get("reason", ""))
        return Switch(datetime.fromtimestamp(running.ends, UTC), reason)


def _end(pause: standing.Pause) -> int:
    return pause.ends


@contextmanager
def _store(env: Mapping[str, str]) -> Iterator[Store]:
    store = Store(locate(env))
    try:
        yield store
    finally:
        store.close()
