"""What an engine is given and what it answers.

Invariant: an engine is not believed. Its answer is bytes, and `harvest/validate.py` reads them with the
corrections that were submitted beside it, whoever made them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from ringwall.harvest.model import Correction, Remembered


@dataclass(frozen=True, slots=True)
class Request:
    """Corrections that no candidate covers yet, all of one key, and what was rejected before. `minimum` is
    the smallest number of corrections that the validator lets pass as a cluster."""

    corrections: Sequence[Correction]
    rejected: Sequence[Remembered] = ()
    minimum: int = 2


class Engine(Protocol):
    """Groups corrections.

    `name` and `version` (of the prompt, the model, the thresholds) go into the fence of an answer: another
    version is another answer.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def group(self, request: Request) -> bytes:
        """One JSON object and nothing else: `{"clusters": [{"correction_ids": [...], "essence": "...",
        "why": "...", "how_to_apply": "..."}]}`. Raises `RingwallError` where there is no answer; what is too
        long is refused, never cut."""
        ...


def fence(key: str, engine: Engine, request: Request) -> str:
    """What an answer holds for: key, engine and all that it was given, as 64 hex digits (H-42)."""
    given = msgspec.json.encode(
        [key, engine.name, engine.version, request.minimum, list(request.corrections), list(request.rejected)]
    )
    return hashlib.sha256(given).hexdigest()
