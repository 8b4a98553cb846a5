"""The files of one key: what was corrected, what was proposed, and what became of it.

Invariant: `ledger.jsonl` and `emitted.jsonl` only grow, under the lock of the key, and a row that is there
never changes. A row of the ledger that is not what its id says does not count; a row of `emitted.jsonl` that
cannot be read stops the work, for what it covered is not known.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from ringwall.agents.model import NAME
from ringwall.harvest.key import PROJECT_KEY
from ringwall.harvest.lifecycle import Standing, standings
from ringwall.harvest.model import Candidate, Correction, Key, Mark
from ringwall.model.errors import StateError, UsageError
from ringwall.model.text import msg
from ringwall.store.durable import Folder, folder
from ringwall.store.paths import StateDir

HARVEST = "harvest"
LEDGER, EMITTED = "ledger.jsonl", "emitted.jsonl"
PROJECT, MOVED = "project.json", "moved.json"

_CORRECTION = msgspec.json.Decoder(Correction)
_RECORD: msgspec.json.Decoder[Candidate | Mark] = msgspec.json.Decoder(Candidate | Mark)


class ProjectPath(msgspec.Struct, frozen=True):
    """Where a project is, beside its ledgers; it is never exported."""

    path: str


class Moved(msgspec.Struct, frozen=True):
    """The key under which the ledgers of a project are now."""

    key: str


class Shelf:
    """The open folder of one key."""

    def __init__(self, key: Key, place: Folder, project: str) -> None:
        self.key = key
        self.place = place
        self.project = project

    def corrections(self) -> list[Correction]:
        """The rows of the ledger that are what they say, oldest first."""
        return list(_corrections(self.place.read(LEDGER)))

    def standings(self) -> dict[str, Standing]:
        """Every candidate with its status. Raises `StateError` for a row that cannot be read."""
        return standings(_records(self.place.read(EMITTED), f"{self.place.path}/{EMITTED}"))

    def settle(self) -> None:
        """What an interrupted run has written stays from now on."""
        self.place.settle(LEDGER)
        self.place.settle(EMITTED)

    def collect(self, rows: Sequence[Correction]) -> None:
        self.place.append(LEDGER, _lines(rows))

    def emit(self, records: Sequence[Candidate | Mark]) -> None:
        self.place.append(EMITTED, _lines(records))


@contextmanager
def shelf(state: StateDir, key: Key) -> Iterator[Shelf]:
    """The shelf of a key that is there. Raises `UsageError` where there is none."""
    if not os.path.isdir(f"{state.path}/{HARVEST}/{key.project}/{key.role}"):
        raise UsageError(
            "harvest.no_ledger",
            msg("There is no ledger {key}.", key=key),
            msg("Run `ringwall harvest collect`, and see `ringwall harvest status`."),
        )
    with folder(state.path) as top, top.below(HARVEST, key.project) as above, above.below(key.role) as place:
        yield Shelf(key, place, project_path(above))


@contextmanager
def made_shelf(state: StateDir, key: Key, project: str) -> Iterator[Shelf]:
    """The shelf of a key, made where it is missing; `project` is where the project really is."""
    with (
        folder(state.path) as top,
        top.below(HARVEST, key.project, make=True) as above,
        above.below(key.role, make=True) as place,
    ):
        if not project_path(above):
            with above.locked():
                above.write(PROJECT, msgspec.json.encode(ProjectPath(project)) + b"\n")
        yield Shelf(key, place, project_path(above))


def keys(state: StateDir) -> list[Key]:
    """Every key that has a ledger."""
    if not os.path.isdir(f"{state.path}/{HARVEST}"):
        return []
    found: list[Key] = []
    with folder(state.path) as top, top.below(HARVEST) as all_:
        for project in filter(PROJECT_KEY.fullmatch, all_.names()):
            with all_.below(project) as above:
                found += [Key(project, name) for name in above.names() if NAME.fullmatch(name)]
    return found


def project_path(above: Folder) -> str:
    """Where the project of a folder of ledgers is, empty where that is not known."""
    try:
        return msgspec.json.decode(above.read(PROJECT) or b"", type=ProjectPath).path
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def moved_to(top: Folder, key: Key) -> Key:
    """Where the ledger of a key is now, after all moves. Raises `StateError` where a move was interrupted:
    what is read before it has ended would be collected twice."""
    seen: set[str] = set()
    while key.project not in seen and os.path.isfile(f"{top.path}/{HARVEST}/{key.project}/{MOVED}"):
        seen.add(key.project)
        with top.below(HARVEST, key.project) as above:
            moved = read_moved(above)
            if above.has(key.role) or not PROJECT_KEY.fullmatch(moved):
                raise StateError(
                    "harvest.moving",
                    msg("The ledgers of its project were being moved when that was interrupted."),
                    msg("Run the same `ringwall harvest move` again."),
                    above.path,
                )
        key = Key(moved, key.role)
    return key


def read_moved(above: Folder) -> str:
    """The key that the ledgers in a folder were moved to, empty where they were not."""
    try:
        return msgspec.json.decode(above.read(MOVED) or b"", type=Moved).key
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def _corrections(content: bytes | None) -> Iterator[Correction]:
    for line in (content or b"").split(b"\n"):
        if not line:
            continue
        try:
            row = _CORRECTION.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        if row.whole:
            yield row


def _records(content: bytes | None, where: str) -> Iterator[Candidate | Mark]:
    *lines, last = (content or b"").split(b"\n")
    for number, line in enumerate([*lines, last], 1):
        if not line:
            continue
        try:
            yield _RECORD.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
            if number > len(lines):
                return  # a crash has left the beginning of a row
            raise StateError(
                "harvest.emitted",
                msg("A row of what was proposed cannot be read: {why}.", why=fault),
                msg("Mend this line, or put back what stood there; nothing is decided before."),
                f"{where}:{number}",
            ) from fault


def _lines(rows: Iterable[msgspec.Struct]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
