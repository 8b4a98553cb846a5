"""What reviewers said of plan files, as the journal keeps it.

Invariant: advice belongs to the exact bytes of a file; of an edited plan nothing has been said yet.
"""

from __future__ import annotations

from shlex import join

import sqlalchemy as sa

from ringwall.journal.events import PlanAdvised
from ringwall.journal.read import Filter, read
from ringwall.journal.write import Entry
from ringwall.plan.advice import Advice, Word

ACTOR = "ringwall"


def keep(entry: Entry, path: str, file: str, advice: Advice, argv: tuple[str, ...]) -> str:
    """Write down what a reviewer said of the file with this digest; the event's id."""
    told = PlanAdvised(
        path=path, file=file, role=advice.role, command=join(argv), verdict=advice.word.value,
        words=advice.words,
    )  # fmt: skip
    return entry.append(told, ACTOR, file)


def said(connection: sa.Connection, file: str) -> tuple[Advice, ...]:
    """The last word of each reviewer about the file with this digest."""
    last: dict[str, Advice] = {}
    for record in read(connection, Filter(type=PlanAdvised.TYPE, subject=file)):
        body = record.content()
        last[str(body["role"])] = Advice(str(body["role"]), Word(body["verdict"]), str(body["words"]))
    return tuple(last.values())
