"""Pairing: the browsers and terminals in which a person decides, and a code for another one."""

from __future__ import annotations

from ringwall.console.page import Go, Page, View, Visit
from ringwall.model.text import msg


def show(visit: Visit) -> View:
    return View("pairing.html", {"places": visit.console.pairing.places(), "own": visit.browser, "code": ""})


def code(visit: Visit) -> View:
    """A new code, shown once."""
    made = visit.console.pairing.code()
    return View(
        "pairing.html", {"places": visit.console.pairing.places(), "own": visit.browser, "code": made}
    )


def unpair(visit: Visit) -> Go:
    """Take it from one place, perhaps from this one."""
    visit.console.pairing.unpair(visit.path["digest"])
    return Go("/pairing", msg("Unpaired."))


page = Page(
    msg("Pairing"), "/pairing", {"/pairing": show}, {"/pairing": code, "/pairing/{digest}": unpair}, order=80
)
