"""Questions that the host's own prompt puts, and what became of them.

Invariant: every `ask` of a call that the host can name is followed by one outcome: `approved` when the host
reports that the call ran, `unknown` when the session ends without a word.
"""

from __future__ import annotations

import sqlalchemy as sa

from ringwall.hosts.protocol import HostEvent, Moment
from ringwall.journal.events import AskAnswered
from ringwall.journal.write import Entry
from ringwall.model.action import ToolCall
from ringwall.store.schema import asks

_BY_PROMPT = "host prompt"
_RAN = (Moment.AFTER_CALL, Moment.CALL_FAILED)


def open_ask(entry: Entry, call: ToolCall, event: str, action: str) -> None:
    """Keep the question of a call until the host reports on it."""
    if not call.call_id:
        return
    key = {"host": call.host, "session": call.session, "call_id": call.call_id}
    entry.connection.execute(sa.delete(asks).filter_by(**key))
    entry.connection.execute(sa.insert(asks).values(**key, event=event, action=action))


def settle(entry: Entry, host: str, event: HostEvent, actor: str) -> None:
    """Write the outcomes that this moment shows."""
    if event.moment in _RAN and event.call is not None and event.call.call_id:
        _answer(entry, host, event.session, actor, "approved", event.call.call_id)
    elif event.moment is Moment.SESSION_END:
        _answer(entry, host, event.session, actor, "unknown")


def _answer(
    entry: Entry, host: str, session: str, actor: str, outcome: str, call_id: str | None = None
) -> None:
    concerned = sa.and_(asks.c.host == host, asks.c.session == session)
    if call_id is not None:
        concerned = sa.and_(concerned, asks.c.call_id == call_id)
    rows = entry.connection.execute(sa.select(asks.c.event, asks.c.action).where(concerned)).all()
    for row in rows:
        answered = AskAnswered(decision=row.event, action=row.action, outcome=outcome, by=_BY_PROMPT)
        entry.append(answered, actor, session)
    if rows:
        entry.connection.execute(sa.delete(asks).where(concerned))
