"""A person's word on a candidate: approve, dismiss, reject, mark applied.

Invariant: exactly what was shown is decided, for a record that is not what its id says is refused. A status
changes last, after all that it promises is durable, so that the same word said again after a crash does what
is missing and nothing twice (H-59 to H-72).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from ringwall.harvest import brief, canon, record
from ringwall.harvest.key import project_key
from ringwall.harvest.lifecycle import MOVES, Standing
from ringwall.harvest.mask import mask
from ringwall.harvest.model import Candidate, Key, Mark, Status, candidate_id
from ringwall.harvest.moments import moment
from ringwall.harvest.second_pass import look_again
from ringwall.harvest.shelf import Shelf, shelf
from ringwall.harvest.validate import LONGEST_ESSENCE, LONGEST_TEXT
from ringwall.journal.write import Journal
from ringwall.model.errors import StateError, UsageError
from ringwall.model.text import msg
from ringwall.store.paths import StateDir

SHORTEST_ID = 12
"""Digits of an id that a person may name a candidate by."""

LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Words:
    """How a person says it; what is empty stays as it was."""

    essence: str = ""
    why: str = ""
    how_to_apply: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """Who decides, about which ledger. `now` gives Unix nanoseconds."""

    state: StateDir
    journal: Journal
    by: str
    now: Callable[[], int]

    def approve(self, key: Key, candidate: str) -> Standing:
        """Brief, canon, status (H-65 to H-71). Raises `UsageError` or `StateError`, and then the status is
        what it was."""
        with self._opened(key, candidate) as (opened, found):
            _refuse_unless(found, (Status.PROPOSED, Status.PENDING), Status.PENDING)
            project = _project(opened)
            rows = {row.id: row for row in opened.corrections()}
            words = brief.evidence(found.candidate, rows)
            canon.pending(self.state, project)
            look_again(brief.words(found.candidate, words), brief.entry_of(found.candidate))
            content = brief.text(found.candidate, words, os.path.basename(project))
            brief.write(self.state, project, found.candidate, content)
            canon.add(self.state, project, brief.entry_of(found.candidate))
            return self._settled(opened, found, Status.PENDING, "")

    def reword(self, key: Key, candidate: str, words: Words) -> Standing:
        """The same corrections in a person's words, as a candidate of its own; it is returned. What an
        interrupted approval of the old one has left in the project goes first."""
        with self._opened(key, candidate) as (opened, found):
            _refuse_unless(found, (Status.PROPOSED, Status.REWORDED), Status.REWORDED)
            made = _reworded(found.candidate, words, mask(self.by), moment(self.now()))
            if self._left_behind(opened, found.candidate):
                self._withdraw(_project(opened), found.candidate)
            there = opened.standings().get(made.id)
            if there is None and found.status is Status.REWORDED:
                _refuse_unless(found, (), Status.REWORDED)  # it became other words before
            if there is None:
                opened.emit([made])
            self._settled(opened, found, Status.REWORDED, "")
            return there or Standing(made)

    def dismiss(self, key: Key, candidate: str, reason: str) -> Standing:
        """No rule, for ever. What an interrupted approval has left in the project goes first."""
        said = _reason(reason)
        with self._opened(key, candidate) as (opened, found):
            _refuse_unless(found, (Status.PROPOSED, Status.DISMISSED), Status.DISMISSED)
            if self._left_behind(opened, found.candidate):
                self._withdraw(_project(opened), found.candidate)
            return self._settled(opened, found, Status.DISMISSED, said)

    def reject(self, key: Key, candidate: str, reason: str) -> Standing:
        """The canon did not want it: brief and entry go, then the corrections are free again (H-59 to
        H-62)."""
        said = _reason(reason)
        with self._opened(key, candidate) as (opened, found):
            allowed = (Status.PROPOSED, Status.PENDING, Status.REJECTED)
            _refuse_unless(found, allowed, Status.REJECTED)
            self._withdraw(_project(opened), found.candidate)
            return self._settled(opened, found, Status.REJECTED, said)

    def mark_applied(self, key: Key, candidate: str) -> Standing:
        """The canon has it; what it covers never comes up again."""
        with self._opened(key, candidate) as (opened, found):
            _refuse_unless(found, (Status.PENDING, Status.APPLIED), Status.APPLIED)
            return self._settled(opened, found, Status.APPLIED, "")

    @contextmanager
    def _opened(self, key: Key, candidate: str) -> Iterator[tuple[Shelf, Standing]]:
        with shelf(self.state, key) as opened, opened.place.locked():
            opened.settle()
            found = named(opened, candidate)
            if not found.candidate.whole:
                raise StateError(
                    "harvest.not_whole",
                    msg("The record of this candidate is not what was proposed."),
                    msg("Put back what stood there; nothing is decided before."),
                    found.candidate.id,
                )
            yield opened, found

    def _withdraw(self, project: str, candidate: Candidate) -> None:
        canon.pending(self.state, project)
        brief.remove(self.state, project, candidate)
        canon.take_out(self.state, project, brief.entry_of(candidate))

    def _left_behind(self, opened: Shelf, candidate: Candidate) -> bool:
        project = opened.project
        if not os.path.isdir(project):
            return False
        listed = canon.pending(self.state, project) if canon.is_there(project) else []
        return brief.is_there(project, candidate) or brief.entry_of(candidate) in listed

    def _settled(self, opened: Shelf, found: Standing, status: Status, reason: str) -> Standing:
        """Write the status unless it stands there, and tell the journal."""
        if found.status is not status:
            mark = Mark(found.candidate.id, status, moment(self.now()), mask(self.by), reason)
            opened.emit([mark])
            found = Standing(found.candidate, status, mark)
        last = found.last or Mark(found.candidate.id, status, "")
        record.decided(self.journal, opened.key, found.candidate.id, status, last.by, last.reason)
        return found


def named(opened: Shelf, text: str) -> Standing:
    """The candidate with this id, or with the only id that begins so. Raises `UsageError` (H-65)."""
    found = opened.standings()
    if text in found:
        return found[text]
    begin = [each for each in found if len(text) >= SHORTEST_ID and each.startswith(text)]
    if len(begin) != 1:
        raise UsageError(
            "harvest.no_candidate",
            msg("There is no candidate {id} in {key}.", id=ascii(text[:80]), key=opened.key),
            msg(
                "`ringwall harvest digest` shows them; at least {digits} digits are needed.",
                digits=SHORTEST_ID,
            ),
        )
    return found[begin[0]]


def _refuse_unless(found: Standing, allowed: tuple[Status, ...], wanted: Status) -> None:
    if found.status in allowed:
        return
    may = ", ".join(sorted(MOVES[found.status])) or "-"
    raise UsageError(
        "harvest.status",
        msg("The candidate is {status}; it cannot become {wanted}.", status=found.status, wanted=wanted),
        msg("What it can still become: {may}.", may=may),
        found.candidate.id,
    )


def _reworded(old: Candidate, words: Words, by: str, at: str) -> Candidate:
    essence = " ".join(mask(words.essence).split()) or old.essence
    why, how = mask(words.why.strip()) or old.why, mask(words.how_to_apply.strip()) or old.how_to_apply
    made = candidate_id(old.correction_ids, essence, why, how)
    fits = len(essence) <= LONGEST_ESSENCE and max(len(why), len(how)) <= LONGEST_TEXT
    if made == old.id or not fits:
        raise UsageError(
            "harvest.words",
            msg("These words are the old ones, or too long."),
            msg(
                "Say it in at most {most} characters, the rest in {rest}.",
                most=LONGEST_ESSENCE,
                rest=LONGEST_TEXT,
            ),
            old.id,
        )
    return msgspec.structs.replace(old, id=made, essence=essence, why=why, how_to_apply=how, engine=by, at=at)


def _project(opened: Shelf) -> str:
    project = opened.project
    there = bool(project) and os.path.isdir(project)
    if not there or project_key(project) != opened.key.project:
        raise UsageError(
            "harvest.no_project",
            msg("The project of {key} is not where it was.", key=opened.key),
            msg("If it has moved, say so: ringwall harvest move OLD NEW"),
            project,
        )
    return project


def _reason(text: str) -> str:
    if not text.strip() or len(text) > LONGEST_REASON:
        raise UsageError(
            "harvest.reason",
            msg("A reason has at least one word and at most {most} characters.", most=LONGEST_REASON),
            msg("Say why; it is kept, and a rejection's reason is told to whoever groups corrections."),
            "--reason",
        )
    return mask(text.strip())
