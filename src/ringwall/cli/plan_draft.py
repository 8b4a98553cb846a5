"""`ringwall plan import`: a host's own plan as the draft of a plan file.

Invariant: nothing is sealed and no file is overwritten.
"""

from __future__ import annotations

import json
import os
import sys

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb
from ringwall.cli.options import as_json
from ringwall.cli.output import paragraph, print_json, print_lines
from ringwall.journal.events import Decided
from ringwall.journal.read import Filter, read
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.plan.draft import draft_of, plan_text
from ringwall.store.engine import Store
from ringwall.store.paths import locate

PLANNING = ("ExitPlanMode", "update_plan")
_NEWEST = 5_000


@click.command(
    "import",
    cls=Verb,
    help=_(
        "Turn a host’s own plan into a draft: FILE (or - for stdin) holds Markdown, or the input of Claude "
        "Code’s ExitPlanMode or Codex’s update_plan. Without FILE: the last plan that an agent proposed."
    ),
)
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--to", "path", metavar="PLAN.md", help=_("Write the draft there (default: print it)."))
@as_json
def import_(file: str | None, path: str | None, as_json: bool) -> int:
    """Print or write the draft."""
    text = plan_text(_given(file))
    if text is None:
        raise UsageError(
            "plan.no_plan",
            msg("There is no plan in it."),
            msg("Give the Markdown of a plan, or what the host calls its plan tool with."),
            file or "",
        )
    draft = draft_of(text)
    if path is not None:
        _write(path, draft)
    if as_json:
        print_json({"draft": draft, "path": path})
    elif path is None:
        sys.stdout.write(draft)
    else:
        told = msg("The draft is in {path}. Complete it, then run `ringwall plan lint`.", path=path)
        print_lines(paragraph(told))
    return 0


def _write(path: str, draft: str) -> None:
    """Put the draft into a new file. Raises `UsageError`."""
    try:
        with open(path, "x", encoding="utf-8") as made:
            made.write(draft)
    except OSError as error:
        raise UsageError(
            "plan.not_written",
            msg("The draft cannot be written: {why}.", why=error.strerror or error),
            msg("Name a file that is not there yet, in a folder that is."),
            path,
        ) from error


def _given(file: str | None) -> str:
    if file == "-":
        return sys.stdin.read()
    if file is None:
        return _proposed()
    try:
        with open(file, encoding="utf-8") as found:
            return found.read()
    except (OSError, UnicodeError) as error:
        raise UsageError(
            "plan.no_file", msg("{file} cannot be read.", file=file), msg("Name a text file in UTF-8."), file
        ) from error


def _proposed() -> str:
    """The input of the last planning call that the journal has."""
    state = locate(os.environ)
    last = ""
    if os.path.exists(state.database):
        store = Store(state)
        try:
            with store.reading() as connection:
                for record in read(connection, Filter(type=Decided.TYPE, newest=_NEWEST)):
                    body = record.content()
                    if body.get("tool") in PLANNING:
                        last = json.dumps(body.get("input"))
        finally:
            store.close()
    if not last:
        raise UsageError(
            "plan.none_proposed",
            msg("No agent has proposed a plan in the calls that the journal has."),
            msg("Name a file, or - and give the plan on standard input."),
        )
    return last
