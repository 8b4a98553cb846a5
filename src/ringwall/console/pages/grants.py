"""Grants: the rules that a person has recorded out of a question, and an end to each."""

from __future__ import annotations

from ringwall.console.page import Go, Page, View, Visit
from ringwall.model.text import msg


def show(visit: Visit) -> View:
    return View("grants.html", {"grants": visit.console.desk.grants()})


def revoke(visit: Visit) -> Go:
    """Take one back, from the next call on."""
    text = visit.path["number"]
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    grant = visit.console.desk.revoke(number, visit.console.who)
    return Go("/grants", msg("Revoked: {rule}", rule=grant.rule))


page = Page(msg("Grants"), "/grants", {"/grants": show}, {"/grants/{number}": revoke}, order=40)
