"""Which absolute paths an effect is about.

Invariant: every path that the target may be is there: as written from the working directory, and with
links followed where that is known. What cannot be told is `HOLE`.
"""

from __future__ import annotations

import posixpath
from functools import lru_cache

from ringwall.model.analysis import HOLE, Analysis
from ringwall.model.effects import Effect
from ringwall.policy.names import AT_PATHS


def paths_of(effect: Effect, analysis: Analysis) -> tuple[str, ...]:
    """The paths of an effect that happens at a path; empty for others, and where no target is named."""
    if not effect.target or effect.name not in AT_PATHS:
        return ()
    index = effect.command
    inside = 0 <= index < len(analysis.commands)
    written = _absolute(effect.target, analysis.commands[index].cwd if inside else analysis.action.cwd)
    return (written,) if effect.place in ("", written) else (written, effect.place)


@lru_cache(maxsize=2048)
def _absolute(target: str, cwd: str) -> str:
    whole = target if target.startswith("/") else f"{cwd or HOLE}/{target}"
    if HOLE in whole and ".." in whole.split("/"):
        return HOLE
    return "/" + posixpath.normpath(whole).lstrip("/") if whole.startswith("/") else whole
