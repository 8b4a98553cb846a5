"""What goes to the canon: an accepted candidate with the words that it was made from.

Invariant: the same candidate always gives the same bytes, so that writing it again heals and changes nothing;
every text in it is masked, and none can pass for a heading or a row of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ringwall.harvest.border import Outlet, outlet
from ringwall.harvest.mask import mask
from ringwall.harvest.model import Candidate, Correction
from ringwall.model.errors import StateError
from ringwall.model.text import msg
from ringwall.store.paths import StateDir


def name_of(candidate: Candidate) -> str:
    """The file of a brief: the key under which it was proposed, and its id."""
    return f"{candidate.project_key}-{candidate.role}-{candidate.id}.md"


def entry_of(candidate: Candidate) -> str:
    """What stands for it in the canon's list: the path of the brief, from the project's root (H-73)."""
    return Outlet.BRIEFS.path(name_of(candidate))


def evidence(candidate: Candidate, rows: Mapping[str, Correction]) -> list[Correction]:
    """The corrections that a candidate rests on, oldest first. Raises `StateError` where one is lost: nobody
    can accept what they cannot see."""
    lost = [each for each in candidate.correction_ids if each not in rows]
    if lost:
        raise StateError(
            "harvest.evidence",
            msg("The correction {id} of this candidate is not in the ledger any more.", id=lost[0]),
            msg("Put the ledger back, or run `ringwall harvest collect`."),
        )
    return sorted((rows[each] for each in candidate.correction_ids), key=lambda row: (row.event_at, row.id))


def text(candidate: Candidate, rows: Sequence[Correction], project_name: str) -> str:
    """The brief as Markdown. In English: it is read by people and agents of any language (ADR 0016)."""
    agents = len({row.agent for row in rows})
    lines = [
        f"# {_line(candidate.essence)}",
        "",
        f"- candidate: {candidate.id}",
        f"- project: {_line(project_name)} ({candidate.project_key})",
        f"- role: {candidate.role}",
        f"- proposed: {_line(candidate.at)} by {_line(candidate.engine)}",
        f"- corrections: {len(rows)} of {agents} agents",
        "",
        "## Why",
        "",
        *_quoted(candidate.why or "-"),
        "",
        "## How to apply",
        "",
        *_quoted(candidate.how_to_apply or "-"),
        "",
        "## What people said",
        "",
    ]
    for row in rows:
        who = f" by {_line(row.by)}" if row.by else ""
        lines += [f"- {row.id}: {row.event} of {row.agent}, {_line(row.event_at)}{who}", ""]
        lines += [f"  {each}" for each in _quoted(row.note)] + [""]
    return "\n".join(lines)


def words(candidate: Candidate, rows: Sequence[Correction]) -> str:
    """All of a brief that people or an engine have written."""
    said = [candidate.essence, candidate.why, candidate.how_to_apply, *(row.note for row in rows)]
    return "\n\n".join(map(mask, said))


def write(state: StateDir, project: str, candidate: Candidate, content: str) -> None:
    """Put the brief into the project, durably."""
    name = name_of(candidate)
    with outlet(state, project, Outlet.BRIEFS, name, make=True) as place:
        place.write(name, content.encode(), 0o644)


def remove(state: StateDir, project: str, candidate: Candidate) -> None:
    """Take the brief away; its folder is synced also where it has gone already (H-62)."""
    name = name_of(candidate)
    if not os.path.lexists(f"{project}/{'/'.join(Outlet.BRIEFS.value)}"):
        return
    with outlet(state, project, Outlet.BRIEFS, name) as place:
        place.remove(name)


def is_there(project: str, candidate: Candidate) -> bool:
    return os.path.lexists(f"{project}/{entry_of(candidate)}")


def _line(text: str) -> str:
    return " ".join(mask(text).split())


def _quoted(text: str) -> list[str]:
    return [f"> {line}".rstrip() for line in mask(text).splitlines()]
