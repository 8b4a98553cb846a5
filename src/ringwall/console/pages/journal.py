"""The journal: how long it is, and whether it still says what was written."""

from __future__ import annotations

import os

import sqlalchemy as sa

from ringwall.console.index import behind
from ringwall.console.page import Go, Page, View, Visit
from ringwall.model.text import msg
from ringwall.store.schema import events, heads

_PATIENCE = 2.0


def show(visit: Visit) -> View:
    """Its streams and what the last verification found."""
    console = visit.console
    last = sa.and_(events.c.stream == heads.c.stream, events.c.seq == heads.c.seq)
    with console.store.reading() as connection:
        query = sa.select(heads.c.stream, heads.c.seq, heads.c.hash, events.c.at).outerjoin(events, last)
        streams = connection.execute(query.order_by(heads.c.stream)).all()
        missing = behind(connection)
    return View(
        "journal.html",
        {
            "streams": streams,
            "missing": missing,
            "state": console.state.path,
            "size": _size(console.state.database),
            "running": console.verifying.running,
            "last": console.verifying.last,
        },
    )


def verify(visit: Visit) -> Go:
    """Begin to read all of it again; a short journal is done at once."""
    visit.console.verifying.start()
    visit.console.verifying.wait(_PATIENCE)
    return Go("/journal")


def _size(path: str) -> int:
    """The bytes of the database, what is not yet folded into it included."""
    return sum(os.stat(part).st_size for part in (path, f"{path}-wal") if os.path.exists(part))


page = Page(msg("Journal"), "/journal", {"/journal": show}, {"/journal/verify": verify}, order=70)
