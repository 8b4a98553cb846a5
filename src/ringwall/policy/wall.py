"""`[wall]` of `ringwall.toml`: where plans may be written, and the commands that review them.

Invariant: all of it loosens (a folder may be written, a command is run), so only trusted layers count.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ringwall.model.text import Text, msg
from ringwall.model.toml_places import Path

FOLDERS = ("plans", "specs", "docs/plans", "docs/specs")
_KEYS = frozenset({"folders", "mentor", "judge"})


@dataclass(frozen=True, slots=True)
class Wall:
    """`folders` are paths from the project root. `mentor` and `judge` are argument lists, empty for none."""

    folders: tuple[str, ...] = FOLDERS
    mentor: tuple[str, ...] = ()
    judge: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WallTable:
    """What one file says; None where it is silent."""

    folders: tuple[str, ...] | None = None
    mentor: tuple[str, ...] | None = None
    judge: tuple[str, ...] | None = None


NOTHING = WallTable()
DEFAULTS = Wall()


class _Reader(Protocol):
    def problem(self, code: str, what: Text, repair: Text, path: Path) -> None: ...
    def unknown(self, path: Path, known: frozenset[str]) -> None: ...
    def wrong(self, path: Path, wanted: Text) -> None: ...
    def texts(self, value: object, path: Path) -> Iterator[str]: ...


def read_wall(table: object, reader: _Reader) -> WallTable:
    """The table of one file; what is wrong with it becomes problems of the reader."""
    if not isinstance(table, Mapping):
        reader.wrong(("wall",), msg("a table"))
        return NOTHING
    for key in table:
        if key not in _KEYS:
            reader.unknown(("wall", key), _KEYS)
    return WallTable(*(_list(table, key, reader) for key in ("folders", "mentor", "judge")))


def _list(table: Mapping[str, Any], key: str, reader: _Reader) -> tuple[str, ...] | None:
    if key not in table:
        return None
    path: Path = ("wall", key)
    found = tuple(reader.texts(table[key], path))
    if key != "folders":
        return found
    return tuple(folder for each in found if (folder := _folder(each, path, reader)))


def _folder(written: str, path: Path, reader: _Reader) -> str:
    folder = posixpath.normpath(written)
    if folder.startswith(("/", "~")) or folder.split("/")[0] in ("..", "."):
        what = msg("{folder} is no folder inside the project.", folder=written)
        reader.problem("wall_folder", what, msg("Name it from the project root: docs/plans."), path)
        return ""
    return folder


def merged(tables: Iterable[WallTable]) -> Wall:
    """The tables of trusted layers, weakest first; each key by the strongest that names it."""
    wall = DEFAULTS
    for table in tables:
        wall = Wall(
            wall.folders if table.folders is None else table.folders,
            wall.mentor if table.mentor is None else table.mentor,
            wall.judge if table.judge is None else table.judge,
        )
    return wall
