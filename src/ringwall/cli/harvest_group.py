"""`ringwall harvest group | doctor`: try an engine on a file of notes; see whether it keeps to its bounds.

Invariant: neither writes anything; what an engine answers goes through the same checks as in `propose`.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click
import msgspec

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, as_json, environment
from ringwall.cli.output import line, paragraph, print_json, print_lines
from ringwall.cli.visible import visible_line
from ringwall.harvest.grouping.engine import Request
from ringwall.harvest.mask import mask
from ringwall.harvest.model import Correction
from ringwall.harvest.validate import check
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg

MOST_BYTES = 32 * 1024 * 1024


class Note(msgspec.Struct, frozen=True):
    """A line of a file of notes. Without `agent` and `incarnation` each note has an author of its own."""

    id: str
    note: str
    agent: str = ""
    incarnation: str = ""
    event: str = "revise"
    event_seq: int = 0


_NOTE = msgspec.json.Decoder(Note)


@click.command(
    cls=Verb,
    help=_("Group the notes of a file with an engine, and print the groups. Nothing is proposed."),
    epilog=_("Each line of FILE is a JSON object with `id`, `note` and perhaps `agent` and `incarnation`."),
)
@click.option("--file", "notes", required=True, metavar="FILE", help=_("Notes as JSON Lines."))
@click.option("--engine", default="", metavar="E", help=_("Who groups (default: the embedded one)."))
@as_json
def group(notes: str, engine: str, as_json: bool) -> None:
    """The clusters that count, as `{"clusters": [{"correction_ids": […], "essence": …}]}`."""
    from ringwall.harvest.grouping.engines import engine_named

    corrections = _corrections(notes)
    request = Request(corrections)
    answer = engine_named(engine, environment()).group(request)
    found = check(answer, {each.id: each for each in corrections}).clusters
    if as_json:
        print_json({"clusters": [msgspec.to_builtins(each) for each in found]})
        return
    texts = {each.id: each.note for each in corrections}
    for number, cluster in enumerate(found, 1):
        print_lines(
            paragraph(msg("{number}. {essence}", number=number, essence=visible_line(cluster.essence)))
        )
        print_lines([line(f"   {each}  {visible_line(texts[each])}") for each in cluster.correction_ids])
    if not found:
        print_lines(paragraph(_("No two notes are near enough.")))


@click.command(
    cls=Verb,
    help=_("Inspect the agent programs that could group: does anything of the user reach the model?"),
    epilog=_("Each runs once in a home of its own with a scripted model. Status 1: none is good."),
)
@click.argument("names", metavar="ENGINE", nargs=-1)
@as_json
def doctor(names: tuple[str, ...], as_json: bool) -> int:
    """One row per engine: good, not here, or what is wrong with it."""
    from ringwall.harvest.grouping.agent_cli import programs
    from ringwall.harvest.grouping.engines import unknown
    from ringwall.harvest.grouping.inspection import inspect

    rows: list[dict[str, Any]] = []
    for name in names or tuple(programs()):
        if name not in programs():
            raise unknown(name)
        path = shutil.which(programs()[name].command[0], path=environment().get("PATH"))
        faults = inspect(programs()[name], absolute(path), environment()).faults if path else ()
        rows.append({"engine": name, "here": bool(path), "good": bool(path) and not faults, "faults": faults})
    if as_json:
        print_json([{**each, "faults": [str(fault) for fault in each["faults"]]} for each in rows])
    else:
        for each in rows:
            print_lines(paragraph(_finding(each)))
            print_lines([line(f"  - {show(fault)}") for fault in each["faults"]])
    return 0 if any(each["good"] for each in rows) else 1


def _finding(row: dict[str, Any]) -> Text:
    if not row["here"]:
        return msg("{engine}: not here", engine=row["engine"])
    if row["good"]:
        return msg("{engine}: good; nothing of the user reaches the model, no tools", engine=row["engine"])
    return msg("{engine}: refused", engine=row["engine"])


def _corrections(path: str) -> list[Correction]:
    """The notes of a file, masked. Raises `UsageError` with the line."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, msg("The file cannot be read: {why}.", why=error.strerror)) from error
    if len(content) > MOST_BYTES:
        raise _unreadable(path, msg("The file has more than {most} bytes.", most=MOST_BYTES))
    found: dict[str, Correction] = {}
    for number, text in enumerate(content.splitlines(), 1):
        if not text.strip():
            continue
        try:
            note = _NOTE.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
            raise _unreadable(f"{path}:{number}", msg("The line is no note: {why}.", why=fault)) from fault
        if note.id in found:
            raise _unreadable(f"{path}:{number}", msg("The id {id} stands twice.", id=ascii(note.id[:64])))
        found[note.id] = _correction(note)
    return list(found.values())


def _correction(note: Note) -> Correction:
    own = note.id if not note.agent and not note.incarnation else ""
    return Correction(
        id=note.id,
        project_key="0" * 16,
        role="notes",
        agent=note.agent or own,
        incarnation=note.incarnation or own,
        event=note.event,
        event_seq=note.event_seq,
        event_at="",
        note=mask(note.note),
    )


def _unreadable(where: str, what: Text) -> UsageError:
    repair = msg("Give JSON Lines, one object with `id` and `note` on each.")
    return UsageError("harvest.notes", what, repair, where)
