"""What people have settled and the store keeps: trusted files, grants, pauses, last good policy files.

Invariant: read in one view; changed only together with the event that tells of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from ringwall.approvals import escapes, grants
from ringwall.approvals.escapes import Escape
from ringwall.approvals.grants import Grant
from ringwall.journal.events import FileDistrusted, FileTrusted, JudgingPaused, JudgingResumed
from ringwall.journal.write import Entry
from ringwall.judge.identity import Bound, bound
from ringwall.policy.source import PolicyFile
from ringwall.store.schema import pauses, sources, trusted

PERSON = "person"


@dataclass(frozen=True, slots=True)
class Pause:
    """A time (Unix seconds) in which calls are let through unjudged. `event` is where it was journalled."""

    event: str
    begins: int
    ends: int


@dataclass(frozen=True, slots=True)
class Standing:
    """All of it at one moment. `trusted` holds (path, digest)."""

    trusted: frozenset[tuple[str, str]] = frozenset()
    pauses: tuple[Pause, ...] = ()
    sources: Mapping[str, bytes] = field(default_factory=dict)
    grants: tuple[Grant, ...] = ()
    escapes: tuple[Escape, ...] = ()
    sessions: tuple[Bound, ...] = ()

    def trusted_below(self, folder: str) -> frozenset[str]:
        """The digests that are trusted for files in `folder`."""
        return frozenset(digest for path, digest in self.trusted if path.rpartition("/")[0] == folder)

    def grants_for(self, project: str, session: str, now: float) -> tuple[Grant, ...]:
        """What was granted for a call of this session in this project."""
        return tuple(grant for grant in self.grants if grant.holds(project, session, now))

    def escaped(self, now: float) -> frozenset[str]:
        """The digests of the actions for which a person has lifted the floor."""
        return frozenset(escape.action for escape in self.escapes if escape.expires > now)

    def pause(self, now: float) -> Pause | None:
        """The pause that `now` lies in."""
        return next((pause for pause in self.pauses if pause.begins <= now < pause.ends), None)


def read_standing(connection: sa.Connection) -> Standing:
    return Standing(
        frozenset((row.path, row.digest) for row in connection.execute(sa.select(trusted))),
        tuple(Pause(row.event, row.begins, row.ends) for row in connection.execute(sa.select(pauses))),
        {row.path: row.content for row in connection.execute(sa.select(sources))},
        grants.live(connection, 0),
        escapes.live(connection, 0),
        bound(connection),
    )


def trust(entry: Entry, path: str, digest: str) -> str:
    """A person trusts this content of this file, and no earlier one any more; the event's id."""
    event = entry.append(FileTrusted(path=path, digest=digest), PERSON, path)
    entry.connection.execute(sa.delete(trusted).where(trusted.c.path == path))
    entry.connection.execute(sa.insert(trusted).values(path=path, digest=digest, event=event))
    return event


def distrust(entry: Entry, path: str, digest: str) -> str:
    """A person takes the trust back; the event's id."""
    event = entry.append(FileDistrusted(path=path, digest=digest), PERSON, path)
    _forget(entry, path, digest)
    return event


def pause(entry: Entry, begins: int, ends: int, reason: str) -> str:
    """A person switches judging off for a while; the event's id."""
    event = entry.append(JudgingPaused(begins=begins, ends=ends, reason=reason), PERSON)
    entry.connection.execute(sa.insert(pauses).values(event=event, begins=begins, ends=ends))
    return event


def resume(entry: Entry, now: int) -> tuple[str, ...]:
    """Someone ends every pause that runs or is to come; the events' ids."""
    running = entry.connection.execute(sa.select(pauses.c.event).where(pauses.c.ends > now)).scalars().all()
    ended = tuple(entry.append(JudgingResumed(pause=event), PERSON) for event in running)
    entry.connection.execute(sa.delete(pauses).where(pauses.c.ends > now))
    return ended


def remember(entry: Entry, files: tuple[PolicyFile, ...]) -> None:
    """Keep the content of policy files that are good."""
    for file in files:
        entry.connection.execute(sa.delete(sources).where(sources.c.path == file.name))
        entry.connection.execute(
            sa.insert(sources).values(path=file.name, digest=file.digest, content=file.content)
        )


def forget(entry: Entry, paths: tuple[str, ...]) -> None:
    """Keep no content of policy files that are not there any more."""
    entry.connection.execute(sa.delete(sources).where(sources.c.path.in_(paths)))


def _forget(entry: Entry, path: str, digest: str) -> None:
    entry.connection.execute(sa.delete(trusted).where(trusted.c.path == path, trusted.c.digest == digest))
