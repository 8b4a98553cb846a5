"""Does a rule that was applied stop the correction from coming back? Week by week.

Invariant: computed anew from ledger and candidates each time, so that it never says other than they do. What
counts as coming back is a guess by likeness of the words (`ALIKE`), and is shown as one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from ringwall.harvest.lifecycle import COVERING, Standing
from ringwall.harvest.model import Correction, Status
from ringwall.harvest.moments import read_moment

ALIKE = 0.5
"""From this cosine of their letter triples on two notes count as worded alike."""

WEEK = timedelta(days=7)
_MOST_COMPARED = 400  # notes of one applied rule
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Week:
    """One week from a Monday on: corrections collected, those of them that a candidate covers, and those that
    say again what a rule was applied for before."""

    begins: date
    collected: int
    covered: int
    repeated: int


@dataclass(frozen=True, slots=True)
class Return:
    """An applied rule and the later corrections that are worded like those it was made from."""

    standing: Standing
    again: tuple[Correction, ...]


def weeks(rows: Sequence[Correction], found: Mapping[str, Standing]) -> list[Week]:
    """Every week from the first correction to the last, empty ones too."""
    dated = [(row, begin) for row in rows if (begin := _monday(row.event_at)) is not None]
    if not dated:
        return []
    taken = {id for one in found.values() if one.status in COVERING for id in one.candidate.correction_ids}
    repeated = {row.id for each in returns(rows, found) for row in each.again}
    collected = Counter(begin for _row, begin in dated)
    covered = Counter(begin for row, begin in dated if row.id in taken)
    again = Counter(begin for row, begin in dated if row.id in repeated)
    first, last = min(collected), max(collected)
    every = (first + WEEK * number for number in range((last - first).days // 7 + 1))
    return [Week(begin, collected[begin], covered[begin], again[begin]) for begin in every]


def returns(rows: Sequence[Correction], found: Mapping[str, Standing]) -> list[Return]:
    """Each applied rule, and what came back after it."""
    by_id = {row.id: row for row in rows}
    shapes: dict[str, Counter[str]] = {}

    def shape(row: Correction) -> Counter[str]:
        return shapes.setdefault(row.id, _shape(row.note))

    told: list[Return] = []
    for one in found.values():
        if one.status is not Status.APPLIED or one.last is None:
            continue
        since = read_moment(one.last.at)
        if since is None:
            continue
        own = set(one.candidate.correction_ids)
        examples = [shape(by_id[id]) for id in one.candidate.correction_ids[:_MOST_COMPARED] if id in by_id]
        again = (
            row for row in rows if row.id not in own and _later(row, since) and _alike(shape(row), examples)
        )
        told.append(Return(one, tuple(again)))
    return told


def _monday(at: str) -> date | None:
    moment = read_moment(at)
    if moment is None:
        return None
    day = moment.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def _later(row: Correction, since: datetime) -> bool:
    moment = read_moment(row.event_at)
    return moment is not None and moment > since


def _alike(shape: Counter[str], examples: Iterable[Counter[str]]) -> bool:
    return any(_cosine(shape, each) >= ALIKE for each in examples)


def _shape(note: str) -> Counter[str]:
    """The letter triples of a note, with the borders of its words."""
    words = " ".join(_WORDS.findall(note.casefold()))
    text = f" {words} "
    return Counter(text[at : at + 3] for at in range(len(text) - 2))


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(count * other[part] for part, count in one.items() if part in other)
    if not shared:
        return 0.0
    return shared / (math.hypot(*one.values()) * math.hypot(*other.values()))
