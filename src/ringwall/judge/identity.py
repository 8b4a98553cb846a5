"""As whom a session runs: what a person said when they started it.

Invariant: a session has a name or a role only by a token that a person's `ringwall run` made, and the store
keeps only the token's digest. A token that nobody knows gives the least there is, never the usual
(docs/adr/0058).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from ringwall.journal.events import SessionBound
from ringwall.journal.write import Entry
from ringwall.model.action import Principal, ToolCall
from ringwall.model.canonical import digest_bytes
from ringwall.store.schema import bound_sessions

IDENTITY = "RINGWALL_IDENTITY"
"""Holds the token, set for the host by `ringwall run`; the hook client hands it on."""

LASTS_SECONDS = 7 * 24 * 3600

NOBODY = "nobody"
"""The role of a token that nobody knows: below every role that there is."""


@dataclass(frozen=True, slots=True)
class Bound:
    """`agent` is the name of a registered agent, or empty; `role` a role of the policy. Unix seconds."""

    token: str
    agent: str
    role: str
    opened: int
    expires: int
    event: str


def bind(entry: Entry, token: str, agent: str, role: str, by: str, now: int) -> Bound:
    """A person starts a session as `agent` with `role`."""
    kept = digest_bytes(token.encode())
    expires = now + LASTS_SECONDS
    event = entry.append(SessionBound(token=kept, agent=agent, role=role, expires=expires), by, agent)
    made = Bound(kept, agent, role, now, expires, event)
    values = {name: getattr(made, name) for name in Bound.__dataclass_fields__}
    entry.connection.execute(sa.insert(bound_sessions).values(**values))
    return made


def release(entry: Entry, token: str, now: int) -> None:
    """The session has ended; so have those whose time is over."""
    ended = bound_sessions.c.token == digest_bytes(token.encode())
    entry.connection.execute(sa.delete(bound_sessions).where(ended | (bound_sessions.c.expires <= now)))


def bound(connection: sa.Connection) -> tuple[Bound, ...]:
    """All that are kept."""
    return tuple(Bound(**row._mapping) for row in connection.execute(sa.select(bound_sessions)))


def known(environ: Mapping[str, str], sessions: Sequence[Bound], now: float) -> Bound | None:
    """What a person said when they started the session with this environment, None where nobody did."""
    kept = digest_bytes(environ.get(IDENTITY, "").encode("utf-8", "surrogateescape"))
    return next((one for one in sessions if one.token == kept and one.expires > now), None)


def principal(call: ToolCall, environ: Mapping[str, str], sessions: Sequence[Bound], now: float) -> Principal:
    """Who makes this call. `environ` is what the host gave its hook."""
    if not environ.get(IDENTITY):
        return Principal(agent=call.agent, depth=call.depth)
    found = known(environ, sessions, now)
    if found is None:
        return Principal(role=NOBODY, agent=call.agent, depth=call.depth)
    return Principal(role=found.role, agent=found.agent or call.agent, depth=call.depth)
