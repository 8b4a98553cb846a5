"""What reviewers said of plan files, as the journal keeps it.

Invariant: advice belongs to the exact bytes of a file; of an edited plan nothing has been said yet.
"""

from __future__ import annotations

from shlex import join

from ringwall.journal.events import PlanAdvised
from ringwall.journal.read import Filter, read
from ringwall.journal.write import Entry, Journal
from ringwall.judge.plans import Reviewed
from ringwall.judge.wall import reviewers
from ringwall.plan.advice import Advice, Word
from ringwall.plan.review import review_json
from ringwall.store.engine import Store

ACTOR = "ringwall"


def asked(store: Store, reviewed: Reviewed) -> tuple[Advice, ...]:
    """Ask the reviewers of the policy about what was read, and write down what each says."""
    plan, wall = reviewed.plan, reviewed.policy.wall
    commands = {"mentor": wall.mentor, "judge": wall.judge}
    if plan is None or not any(commands.values()):
        return ()
    plan_id = reviewed.sealed.plan_id if reviewed.sealed is not None else ""
    found = tuple(reviewers.asked(wall, review_json(plan, plan_id), reviewed.places.root))
    with Journal(store).writing() as entry:
        for advice in found:
            _keep(entry, reviewed, advice, commands[advice.role])
    return found


def said_of(store: Store, reviewed: Reviewed) -> tuple[Advice, ...]:
    """The last word of each reviewer about exactly this file."""
    last: dict[str, Advice] = {}
    with store.reading() as connection:
        for record in read(connection, Filter(type=PlanAdvised.TYPE, subject=reviewed.file)):
            body = record.content()
            last[str(body["role"])] = Advice(str(body["role"]), Word(body["verdict"]), str(body["words"]))
    return tuple(last.values())


def _keep(entry: Entry, reviewed: Reviewed, advice: Advice, argv: tuple[str, ...]) -> None:
    told = PlanAdvised(
        path=reviewed.path, file=reviewed.file, role=advice.role, command=join(argv),
        verdict=advice.word.value, words=advice.words,
    )  # fmt: skip
    entry.append(told, ACTOR, reviewed.file)
