"""`ringwall off --for 10m`: a person switches judging off for a while.

Invariant: it always ends by itself, it is always in the journal, and an agent cannot do it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Switch:
    """`until` is None while judging is on."""

    until: datetime | None
    reason: str = ""


def duration(text: str) -> timedelta:
    """`90s`, `10m`, `2h`, at most a day. Raises `UsageError` for anything else."""
    raise NotImplementedError


def switch_off(length: timedelta, reason: str, env: Mapping[str, str], terminal: bool) -> Switch:
    """Switch judging off. Raises `UsageError` inside an agent's session or away from a terminal."""
    raise NotImplementedError


def switch_on(env: Mapping[str, str]) -> Switch:
    """Switch judging on again, whoever asks."""
    raise NotImplementedError


def state(env: Mapping[str, str]) -> Switch:
    """How the switch stands now."""
    raise NotImplementedError
