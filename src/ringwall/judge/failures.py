"""Failures that nobody foresaw, as errors of the family. Invariant: each names the fault and the repair."""

from __future__ import annotations

from ringwall.model.errors import RingwallError, StateError
from ringwall.model.text import msg


def unforeseen(error: Exception) -> RingwallError:
    return RingwallError(
        "judge.failed",
        msg("Ringwall failed while judging: {error}.", error=f"{type(error).__name__}: {error}"),
        msg("Run `ringwall doctor` and report what it says."),
    )


def unrecorded(error: Exception) -> StateError:
    return StateError(
        "journal.failed",
        msg("The journal could not be written: {error}.", error=f"{type(error).__name__}: {error}"),
        msg("Run `ringwall doctor` and report what it says."),
    )
