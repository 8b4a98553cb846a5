"""The digest for people: each candidate beside the full text of everything that it rests on (H-52).

Invariant: nothing is cut; every text is masked once more, and stands as a quotation, so that none can pass
for a heading or for the digest's own words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from ringwall.harvest.border import Outlet, outlet
from ringwall.harvest.mask import mask
from ringwall.harvest.model import Correction, Status
from ringwall.harvest.moments import read_moment
from ringwall.harvest.ranking import Overview, Ranked
from ringwall.model.text import Text, msg
from ringwall.store.paths import StateDir

NAME = "harvest-digest.md"

Say = Callable[[Text], str]


def markdown(overviews: Iterable[Overview], wanted: frozenset[Status], say: Say) -> str:
    """The candidates with these statuses, weightiest first. `say` puts texts into the reader's language."""
    parts = [f"# {say(msg('What people had to say again'))}", ""]
    empty = True
    for found in overviews:
        shown = [one for one in found.candidates if one.standing.status in wanted]
        if not shown:
            continue
        empty = False
        parts += [f"## {_line(os.path.basename(found.project)) or '-'} ({found.key})", ""]
        for number, one in enumerate(shown, 1):
            parts += [*_candidate(number, one, say), ""]
    if empty:
        parts += [say(msg("Nothing waits for a decision.")), ""]
    return "\n".join(parts)


def write(state: StateDir, project: str, text: str) -> str:
    """Put a digest into a project, where a link leads nowhere else; its path (H-76, H-77)."""
    with outlet(state, project, Outlet.DIGEST, NAME, make=True) as place:
        place.write(NAME, text.encode(), 0o644)
    return f"{project}/{Outlet.DIGEST.path(NAME)}"


def age(one: Ranked) -> Text:
    """How long a candidate has waited."""
    if not one.waits.days:
        return msg("today")
    if one.stale:
        return msg("{days} days ago, stale", days=one.waits.days)
    return msg("{days} days ago", days=one.waits.days)


def _candidate(number: int, one: Ranked, say: Say) -> Iterator[str]:
    candidate = one.standing.candidate
    yield f"### {number}. {_line(candidate.essence)}"
    yield ""
    told = msg(
        "Candidate {id}, {status}. Proposed {age} by {engine}. Agents: {agents}, lives: {lives}, "
        "corrections: {count}; the newest of {newest}.",
        id=candidate.id[:12], status=one.standing.status.value, age=age(one), engine=_line(candidate.engine),
        agents=one.agents, lives=one.incarnations, count=len(candidate.correction_ids),
        newest=one.newest.date().isoformat(),
    )  # fmt: skip
    yield say(told)
    if not one.complete:
        yield ""
        yield (
            "**" + say(msg("It is not whole: something that it names is lost. It cannot be decided.")) + "**"
        )
    for title, text in ((msg("Why"), candidate.why), (msg("How to apply"), candidate.how_to_apply)):
        if text:
            yield ""
            yield f"**{say(title)}**"
            yield ""
            yield from _quoted(text)
    yield ""
    yield f"**{say(msg('What people said'))}**"
    for row in one.evidence:
        yield ""
        yield f"- {say(who(row))}"
        yield ""
        yield from (f"  {each}" for each in _quoted(row.note))
    if one.standing.status is Status.PROPOSED:
        yield ""
        yield f"    ringwall harvest approve {one.key} {candidate.id[:12]}"
        yield f"    ringwall harvest dismiss {one.key} {candidate.id[:12]} --reason …"
        if any(row.call for row in one.evidence):
            yield f"    ringwall harvest suggest {one.key} {candidate.id[:12]}"


def who(row: Correction) -> Text:
    """Who said it to whom, when, in which role."""
    moment = read_moment(row.event_at)
    at = moment.strftime("%Y-%m-%d %H:%M") if moment else _line(row.event_at)
    values = {"at": at, "event": row.event, "agent": row.agent, "role": row.role}
    if row.by:
        return msg("{at}: {event} of {agent} ({role}) by {by}", **values, by=_line(row.by))
    return msg("{at}: {event} of {agent} ({role})", **values)


def _line(text: str) -> str:
    return " ".join(mask(text).split())


def _quoted(text: str) -> list[str]:
    return [f"> {each}".rstrip() for each in mask(text).splitlines()]
