"""What an engine answered, held against what it was given.

Invariant: only the submitted corrections decide whether a cluster counts, never the engine's words. A
cluster with a fault is dropped; an answer that is not what was asked for is refused whole; nothing is cut.
Whether the texts really say the same is not claimed: a person sees all of them beside the candidate (H-51).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ringwall.harvest.model import Cluster, Correction
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg

LONGEST_ANSWER = 256 * 1024
"""Bytes of an answer."""

MOST_CLUSTERS, MOST_IDS = 500, 2000
LONGEST_ESSENCE, LONGEST_TEXT = 500, 4000
"""Characters of `essence`, and of `why` and `how_to_apply`."""

MIN_CLUSTER = 2


class AnswerError(RingwallError):
    """An engine's answer that cannot be used at all; nothing is proposed from it."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A cluster that does not count. `code` is stable; `place` is its place in the answer, from 0."""

    place: int
    code: str
    why: Text


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of an answer."""

    clusters: tuple[Cluster, ...]
    dropped: tuple[Dropped, ...] = ()


class _Fault(Exception):
    """Why one cluster is dropped."""

    def __init__(self, code: str, why: Text) -> None:
        super().__init__(code)
        self.code = code
        self.why = why


def check(
    answer: bytes,
    submitted: Mapping[str, Correction],
    covered: Collection[str] = (),
    minimum: int = MIN_CLUSTER,
) -> Checked:
    """The clusters of `answer` that count. `submitted` are the corrections by id, `covered` the ids that a
    candidate covers already. Raises `AnswerError` where the whole answer is refused."""
    rows = _rows(answer)
    _refuse_overlap(rows)
    clusters: list[Cluster] = []
    dropped: list[Dropped] = []
    for place, row in enumerate(rows):
        try:
            clusters.append(_cluster(row, submitted, covered, minimum))
        except _Fault as fault:
            dropped.append(Dropped(place, fault.code, fault.why))
    return Checked(tuple(clusters), tuple(dropped))


def _rows(answer: bytes) -> list[Any]:
    if len(answer) > LONGEST_ANSWER:
        what = msg(
            "The answer has {size} bytes; at most {most} are read.", size=len(answer), most=LONGEST_ANSWER
        )
        raise _refused("too_long", what)
    try:
        value = json.loads(
            answer.decode("utf-8"), object_pairs_hook=_without_repeats, parse_constant=_no_number
        )
    except (ValueError, RecursionError) as fault:
        raise _refused("not_json", msg("The answer is not one JSON object: {why}.", why=fault)) from fault
    if not isinstance(value, dict) or not isinstance(value.get("clusters"), list):
        raise _refused("not_clusters", msg("The answer is not an object with a list `clusters`."))
    rows: list[Any] = value["clusters"]
    if len(rows) > MOST_CLUSTERS:
        what = msg(
            "The answer has {count} clusters; at most {most} are read.", count=len(rows), most=MOST_CLUSTERS
        )
        raise _refused("too_many", what)
    return rows


def _refuse_overlap(rows: list[Any]) -> None:
    """An id in two clusters: the engine has divided badly, so none of its clusters is taken (H-47)."""
    named = Counter(each for row in rows for each in set(_ids(row)))
    twice = sorted(each for each, count in named.items() if count > 1)
    if twice:
        raise _refused("overlap", msg("The correction {id} stands in two clusters.", id=twice[0]))


def _ids(row: Any) -> list[str]:
    ids = row.get("correction_ids") if isinstance(row, dict) else None
    return [each for each in ids if isinstance(each, str)] if isinstance(ids, list) else []


def _cluster(
    row: Any, submitted: Mapping[str, Correction], covered: Collection[str], minimum: int
) -> Cluster:
    if not isinstance(row, dict):
        raise _Fault("shape", msg("it is not an object"))
    ids = _ids(row)
    if not ids or len(ids) != len(row["correction_ids"]):
        raise _Fault("ids", msg("`correction_ids` is not a list of ids"))
    if len(ids) > MOST_IDS or len(set(ids)) != len(ids):
        raise _Fault("ids", msg("it names one id twice, or more than {most}", most=MOST_IDS))
    for each in ids:
        if each not in submitted:
            raise _Fault("unknown", msg("the correction {id} was not submitted", id=each[:64]))
        if each in covered:
            raise _Fault("covered", msg("a candidate covers the correction {id} already", id=each))
    members = [submitted[each] for each in ids]
    if len(ids) < max(minimum, 1) or not _independent(members):
        raise _Fault("alone", msg("it takes {minimum} corrections of two agents", minimum=minimum))
    return Cluster(
        correction_ids=tuple(sorted(ids)),
        essence=_text(row, "essence", LONGEST_ESSENCE, needed=True),
        why=_text(row, "why", LONGEST_TEXT),
        how_to_apply=_text(row, "how_to_apply", LONGEST_TEXT),
    )


def _independent(members: list[Correction]) -> bool:
    """Whether they come from two agents, or from two lives of one (H-48)."""
    return len({each.agent for each in members}) > 1 or len({each.incarnation for each in members}) > 1


def _text(row: Mapping[str, Any], name: str, longest: int, needed: bool = False) -> str:
    value = row.get(name, "")
    if not isinstance(value, str):
        raise _Fault("field", msg("{name} is not a text", name=name))
    if len(value) > longest:
        raise _Fault("field", msg("{name} is longer than {most} characters", name=name, most=longest))
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _Fault("field", msg("{name} is not Unicode text", name=name)) from None
    text = " ".join(value.split()) if needed else value.strip()
    if needed and not text:
        raise _Fault("field", msg("{name} is empty", name=name))
    return text


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no JSON number")


def _refused(code: str, what: Text) -> AnswerError:
    return AnswerError(
        f"harvest.answer.{code}", what, msg("Try it again, or with another engine; nothing was proposed.")
    )
