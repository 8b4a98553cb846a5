"""The words of the harvest: correction, cluster, candidate, mark.

Invariant: every text in here has been through `mask`; an id is made from masked text only, so that nobody
can guess a short secret by its digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum

import msgspec


class Key(msgspec.Struct, frozen=True, order=True):
    """What a ledger is kept for: a project, by the digest of its real path, and a role in it."""

    project: str  # 16 hex digits
    role: str

    def __str__(self) -> str:
        return f"{self.project}/{self.role}"


class Correction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the ledger: what a person had to say again. Source: H-25 to H-28.

    `event` is what they did (`revise`, `reject`, …), `event_seq` its number among the agent's events and
    `event_at` its moment, as text; `by` is who, where the event tells it; `call` is the journal's id of the
    tool call that it is about, where there is one.
    """

    id: str  # 16 hex digits
    project_key: str
    role: str
    agent: str
    incarnation: str
    event: str
    event_seq: int
    event_at: str
    note: str
    by: str = ""
    call: str = ""

    @property
    def whole(self) -> bool:
        """Whether the row still is what its id was made from."""
        key = Key(self.project_key, self.role)
        return self.id == correction_id(key, self.incarnation, self.event_seq, self.note)

    @property
    def source(self) -> tuple[str, str, int]:
        """The one event that this was read from, whatever its text became by masking."""
        return (self.agent, self.incarnation, self.event_seq)


class Cluster(msgspec.Struct, frozen=True):
    """Corrections that say the same thing, and the rule that would spare them. What an engine answers."""

    correction_ids: tuple[str, ...]
    essence: str = ""
    why: str = ""
    how_to_apply: str = ""


class Candidate(msgspec.Struct, frozen=True, tag_field="kind", tag="candidate"):
    """A rule that a person may accept. Immutable: `id` is the digest of all that they are shown (H-53).

    `project_key` and `role` say where it was proposed, and name its brief even after the ledger has moved.
    """

    id: str  # 64 hex digits
    project_key: str
    role: str
    correction_ids: tuple[str, ...]
    essence: str
    why: str
    how_to_apply: str
    engine: str
    at: str

    @property
    def whole(self) -> bool:
        """Whether the record still is what its id was made from."""
        return self.id == candidate_id(self.correction_ids, self.essence, self.why, self.how_to_apply)


class Status(StrEnum):
    """Where a candidate stands. `upstream-rejected` gives its corrections back, `reworded` hands them on to
    the candidate that says the same in a person's words; all others cover them."""

    PROPOSED = "proposed"
    PENDING = "pending-upstream"
    APPLIED = "applied"
    DISMISSED = "dismissed"
    REJECTED = "upstream-rejected"
    REWORDED = "reworded"


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="mark"):
    """A candidate's later status: who set it, when, and why."""

    candidate: str
    status: Status
    at: str
    by: str = ""
    reason: str = ""


class Remembered(msgspec.Struct, frozen=True):
    """What the canon did not want, and why: an engine is told, so that it is not proposed again (H-45)."""

    essence: str
    reason: str


def correction_id(key: Key, incarnation: str, event_seq: int, masked_note: str) -> str:
    """The id of a correction (H-25)."""
    parts = [key.project, key.role, incarnation, event_seq, masked_note]
    text = json.dumps(parts, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def candidate_id(correction_ids: Sequence[str], essence: str, why: str, how_to_apply: str) -> str:
    """The id of a candidate: its corrections and its content (H-53)."""
    text = json.dumps([sorted(correction_ids), essence, why, how_to_apply])
    return hashlib.sha256(text.encode()).hexdigest()
