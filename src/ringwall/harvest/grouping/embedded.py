"""The embedded engine: groups remarks on this machine, without an account and without a network.

Invariant: its answer depends on the corrections alone. The draft of a rule is the remark that stands nearest
to all others of its group; a person writes the rule.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ringwall.harvest.grouping.engine import Request
from ringwall.harvest.grouping.likeness import Vectors, distances
from ringwall.harvest.grouping.linkage import STRICT, WIDE, Nearness, groups
from ringwall.harvest.model import Correction
from ringwall.harvest.validate import LONGEST_ESSENCE
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg

MOST_CORRECTIONS = 3_000


@dataclass(frozen=True, slots=True)
class Embedded:
    """Groups by likeness. `near` says how sure it must be."""

    near: Nearness = STRICT

    @property
    def name(self) -> str:
        return "embedded" if self.near == STRICT else "embedded-wide"

    @property
    def version(self) -> str:
        return f"1:{self.near.group}:{self.near.pair}"

    def group(self, request: Request) -> bytes:
        corrections = request.corrections
        if len(corrections) > MOST_CORRECTIONS:
            raise RingwallError(
                "harvest.too_many",
                msg(
                    "{count} corrections wait; the embedded engine compares at most {most} at once.",
                    count=len(corrections),
                    most=MOST_CORRECTIONS,
                ),
                msg("Decide on the candidates that there are, or use another engine with --engine."),
            )
        if len(corrections) < 2:
            return _answer([])
        apart = distances([each.note for each in corrections])
        found = [group for group in groups(apart, self.near) if len(group) >= request.minimum]
        return _answer([_cluster(group, corrections, apart) for group in found])


def strict() -> Embedded:
    return Embedded(STRICT)


def wide() -> Embedded:
    return Embedded(WIDE)


def _cluster(group: Sequence[int], corrections: Sequence[Correction], apart: Vectors) -> dict[str, object]:
    central = sorted(group, key=lambda each: (float(apart[each, group].sum()), corrections[each].id))
    notes = [corrections[each].note for each in central]
    essence = next((note for note in notes if len(note) <= LONGEST_ESSENCE), "")
    return {
        "correction_ids": sorted(corrections[each].id for each in group),
        "essence": essence or f"{notes[0][: LONGEST_ESSENCE - 1]}…",
    }


def _answer(clusters: list[dict[str, object]]) -> bytes:
    return json.dumps({"clusters": clusters}, ensure_ascii=False).encode("utf-8", "surrogatepass")
