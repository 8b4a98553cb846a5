"""Readings: the permit that holds, what was read by contract, and how a route changed.

The question for a permit is a proposal, and decided in the queue like every other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ringwall.console.console import Console
from ringwall.console.page import Go, Page, View, Visit
from ringwall.judge.reading_rows import isolation_row, observation_row
from ringwall.judge.reading_settings import Configured, configured
from ringwall.model.errors import RingwallError, UsageError
from ringwall.model.text import Text, msg
from ringwall.reading import client, protocol
from ringwall.reading.archive import FILE, Archive
from ringwall.reading.contract import Contract
from ringwall.reading.differences import differences

AT_ONCE = 50


def show(visit: Visit) -> View:
    """What holds now, and the newest readings; with words, those that have them all."""
    wanted = visit.query.get("words", "").strip()
    with _archive(visit.console) as archive:
        found = (
            (archive.search(wanted, AT_ONCE) if wanted else archive.newest(count=AT_ONCE)) if archive else []
        )
    contract, fault, off = _contract()
    return View(
        "readings.html",
        {
            "found": found, "wanted": wanted, "contract": contract, "fault": fault, "off": off,
            "window": _window(visit.console), "wall": {} if off else isolation_row(),
        },
    )  # fmt: skip


def one(visit: Visit) -> View:
    """One reading: where it is from, what it shows, what changed, what else names the same."""
    text = visit.path["number"]
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
    with _archive(visit.console) as archive:
        if archive is None:
            raise _nothing()
        observation = archive.one(number)
        before = archive.before(observation) if observation.route else None
        links = archive.linked(number)
    return View(
        "reading.html",
        {
            "one": observation,
            "row": observation_row(observation),
            "before": before,
            "changes": differences(before.lines, observation.lines) if before else [],
            "links": links,
        },
    )


def end(visit: Visit) -> Go:
    """Take the login window over: what was permitted ends."""
    client.ask(visit.console.state, protocol.Takeover(asker=visit.console.who), visit.console.environ, 20)
    return Go("/readings", msg("What was permitted has ended."))


@contextmanager
def _archive(console: Console) -> Iterator[Archive | None]:
    """The file of readings, None where there is none: looking makes nothing."""
    if not os.path.exists(f"{console.state.path}/{FILE}"):
        yield None
        return
    archive = Archive(console.state)
    try:
        yield archive
    finally:
        archive.close()


def _contract() -> tuple[Contract | None, RingwallError | None, bool]:
    """The contract in force, what is wrong with it, and whether reading is off."""
    try:
        settings: Configured = configured()
        return (None, None, True) if settings.off else (settings.contract(), None, False)
    except RingwallError as error:
        return None, error, False


def _window(console: Console) -> dict[str, Any] | None:
    try:
        return client.status(console.state, console.environ)
    except RingwallError:
        return None


def _nothing() -> UsageError:
    what: Text = msg("Nothing has been read yet.")
    return UsageError("reading.nothing", what, msg("See docs/reading.md for how to begin."))


page = Page(
    msg("Readings"),
    "/readings",
    {"/readings": show, "/readings/{number}": one},
    {"/readings/end": end},
    order=70,
)
