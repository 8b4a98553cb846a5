"""One event of the journal: for a decision, why it was made so."""

from __future__ import annotations

from ringwall.approvals import read
from ringwall.console.card import fields, judged
from ringwall.console.page import Page, View, Visit
from ringwall.journal.read import find
from ringwall.journal.summary import told
from ringwall.model.text import msg

_SHOWN_APART = ("input", "trace", "files")


def show(visit: Visit) -> View:
    """The event with everything that it says."""
    console = visit.console
    with console.store.reading() as connection:
        record = find(connection, visit.path["event"])
        proposal = read.of_decision(connection, record.id, console.desk.now())
    body = record.content()
    about = {name: value for name, value in body.items() if name not in _SHOWN_APART and value not in ("", 0)}
    verdict, words = told(record)
    return View(
        "decision.html",
        {
            "record": record,
            "verdict": verdict,
            "words": words,
            "input": fields(body.get("input", {})) if isinstance(body.get("input"), dict) else (),
            "judged": judged(body["trace"]) if isinstance(body.get("trace"), dict) else None,
            "files": body.get("files", ()),
            "about": fields(about),
            "proposal": proposal,
        },
    )


page = Page(msg("Decision"), "/decisions", {"/decisions/{event}": show})
