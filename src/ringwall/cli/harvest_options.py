"""What the verbs of the harvest share: the key, the candidate, who decides, and when it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from ringwall.cli.catalogue import _
from ringwall.cli.desk import person
from ringwall.cli.options import environment
from ringwall.harvest.decide import Desk
from ringwall.harvest.key import read_key
from ringwall.harvest.model import Key
from ringwall.harvest.shelf import keys
from ringwall.journal.write import Journal
from ringwall.setup.person import require_person
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir, locate

key = click.argument("key", metavar="KEY")
candidate = click.argument("candidate", metavar="CANDIDATE")
reason = click.option(
    "--reason", required=True, metavar="WORDS", help=_("Why; it is kept with the candidate.")
)


def state() -> StateDir:
    return locate(environment())


def chosen(text: str | None) -> list[Key]:
    """The key that was named, all of them where none was."""
    return [read_key(text)] if text else keys(state())


def now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def deciding() -> Iterator[Desk]:
    """Where a person decides about candidates. Raises `UsageError` in an agent's session."""
    require_person(environment())
    store = Store(state())
    try:
        yield Desk(state(), Journal(store), person(), time.time_ns)
    finally:
        store.close()
