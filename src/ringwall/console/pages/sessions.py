"""Agents and sessions: who made calls here, and what became of them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import sqlalchemy as sa

from ringwall.console.index import catch_up
from ringwall.console.page import Page, View, Visit
from ringwall.model.text import msg
from ringwall.store.schema import proposals, seen

MOST = 50
_READ_AT_ONCE = 1000


def show(visit: Visit) -> View:
    """The sessions that were heard of last, each with its agents."""
    store = visit.console.store
    catch_up(store, _READ_AT_ONCE)
    with store.reading() as connection:
        last = sa.func.max(seen.c.last).label("heard")
        newest = (
            sa.select(seen.c.host, seen.c.session, last)
            .group_by(seen.c.host, seen.c.session)
            .order_by(last.desc())
            .limit(MOST)
            .subquery()
        )
        same = sa.and_(seen.c.host == newest.c.host, seen.c.session == newest.c.session)
        query = sa.select(seen).join(newest, same)
        ordered = query.order_by(newest.c.heard.desc(), seen.c.host, seen.c.session, seen.c.agent)
        rows = [dict(row._mapping) for row in connection.execute(ordered)]
        waiting = _waiting(connection, visit.console.desk.now())
    sessions = [list(group) for _, group in groupby(rows, key=lambda row: (row["host"], row["session"]))]
    return View("sessions.html", {"sessions": sessions, "waiting": waiting, "most": MOST})


def _waiting(connection: sa.Connection, now: int) -> dict[Any, int]:
    """How many proposals of each session wait."""
    count = sa.select(proposals.c.session, sa.func.count()).group_by(proposals.c.session)
    live = sa.and_(proposals.c.state == "pending", proposals.c.expires > now)
    return {row[0]: row[1] for row in connection.execute(count.where(live))}


page = Page(msg("Sessions"), "/sessions", {"/sessions": show}, order=60)
