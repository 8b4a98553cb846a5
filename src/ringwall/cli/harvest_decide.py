"""`ringwall harvest approve | dismiss | reject | mark-applied KEY CANDIDATE`: a person's word."""

from __future__ import annotations

from typing import Any

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb
from ringwall.cli.harvest_options import candidate, deciding, key, reason
from ringwall.cli.options import as_json
from ringwall.cli.output import paragraph, print_json, print_lines
from ringwall.harvest import brief
from ringwall.harvest.decide import Words
from ringwall.harvest.key import read_key
from ringwall.harvest.lifecycle import Standing
from ringwall.model.text import Text, msg


@click.command(
    cls=Verb,
    help=_(
        "Accept exactly this candidate: write its brief into the project and enter it in the canon's list. "
        "Said again after a crash, it does what is missing."
    ),
)
@key
@candidate
@as_json
def approve(key: str, candidate: str, as_json: bool) -> None:
    """Brief, canon, status."""
    with deciding() as desk:
        found = desk.approve(read_key(key), candidate)
    _tell(
        found,
        as_json,
        msg("Approved. It waits for the canon: {brief}", brief=brief.entry_of(found.candidate)),
    )


@click.command(
    cls=Verb,
    help=_(
        "Say a candidate in words of your own. It becomes another candidate with the same corrections, which "
        "is printed; what you leave out stays as it was."
    ),
)
@key
@candidate
@click.option("--essence", default="", metavar="WORDS", help=_("The rule in one sentence."))
@click.option("--why", default="", metavar="WORDS", help=_("Why it is one."))
@click.option("--how", default="", metavar="WORDS", help=_("How to apply it."))
@as_json
def reword(key: str, candidate: str, essence: str, why: str, how: str, as_json: bool) -> None:
    """A draft in a person's words."""
    with deciding() as desk:
        found = desk.reword(read_key(key), candidate, Words(essence, why, how))
    _tell(found, as_json, msg("It is candidate {id} now.", id=found.candidate.id[:12]))


@click.command(cls=Verb, help=_("Say that a candidate is no rule. Its corrections never come up again."))
@key
@candidate
@reason
@as_json
def dismiss(key: str, candidate: str, reason: str, as_json: bool) -> None:
    """No, for ever."""
    with deciding() as desk:
        found = desk.dismiss(read_key(key), candidate, reason)
    _tell(found, as_json, msg("Dismissed. Its corrections do not come up again."))


@click.command(
    cls=Verb,
    help=_(
        "Say that the canon did not want it. Brief and entry are taken away, then its corrections are free; "
        "the reason is told to whoever groups them next."
    ),
)
@key
@candidate
@reason
@as_json
def reject(key: str, candidate: str, reason: str, as_json: bool) -> None:
    """Not like this."""
    with deciding() as desk:
        found = desk.reject(read_key(key), candidate, reason)
    _tell(found, as_json, msg("Rejected. Its corrections are free for another candidate."))


@click.command("mark-applied", cls=Verb, help=_("Say that the canon has taken the candidate up."))
@key
@candidate
@as_json
def mark_applied(key: str, candidate: str, as_json: bool) -> None:
    """It is a rule."""
    with deciding() as desk:
        found = desk.mark_applied(read_key(key), candidate)
    _tell(found, as_json, msg("Applied. `ringwall harvest status` shows whether it comes back."))


def row(found: Standing) -> dict[str, Any]:
    """A candidate for programs."""
    one = found.candidate
    return {
        "key": f"{one.project_key}/{one.role}", "candidate": one.id, "status": found.status.value,
        "essence": one.essence, "why": one.why, "how_to_apply": one.how_to_apply,
        "correction_ids": list(one.correction_ids), "engine": one.engine, "at": one.at,
        "by": found.last.by if found.last else "", "reason": found.last.reason if found.last else "",
    }  # fmt: skip


def _tell(found: Standing, as_json: bool, words: Text) -> None:
    if as_json:
        print_json(row(found))
    else:
        print_lines(paragraph(words))
