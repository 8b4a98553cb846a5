"""`[prestep]` of `ringwall.toml`: which hints an agent is told before a step.

Invariant: a shipped profile may be named by anybody, words of a project's own only by a file that a person
has trusted (docs/adr/0076). Hints decide nothing, so what switches them off needs no trust.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from ringwall.model.step import PROFILES
from ringwall.model.text import Text, msg
from ringwall.model.toml_places import Path

OWN = "own"
"""The profile in the file `prestep.toml` beside the settings that name it."""

_SWITCHES = ("enabled", "harness_check", "role_hint")
_KEYS = frozenset({"profile", *_SWITCHES})


@dataclass(frozen=True, slots=True)
class Prestep:
    """`profile` is empty (then there are no hints), the name of a shipped one, or `OWN` of the layer `owner`
    (`project` or `user`)."""

    profile: str = ""
    owner: str = ""
    enabled: bool = True
    harness_check: bool = True
    role_hint: bool = True


@dataclass(frozen=True, slots=True)
class PrestepTable:
    """What one file says; None where it is silent."""

    profile: str | None = None
    enabled: bool | None = None
    harness_check: bool | None = None
    role_hint: bool | None = None


SILENT = PrestepTable()
NONE = Prestep()


class _Reader(Protocol):
    def unknown(self, path: Path, known: frozenset[str]) -> None: ...
    def wrong(self, path: Path, wanted: Text) -> None: ...


def read_prestep(table: object, reader: _Reader) -> PrestepTable:
    """The table of one file; what is wrong with it becomes problems of the reader."""
    if not isinstance(table, Mapping):
        reader.wrong(("prestep",), msg("a table"))
        return SILENT
    for key in table:
        if key not in _KEYS:
            reader.unknown(("prestep", key), _KEYS)
    profile = table.get("profile")
    if profile is not None and profile not in (*PROFILES, OWN):
        reader.wrong(("prestep", "profile"), msg("one of {names}", names=", ".join((*PROFILES, OWN))))
        profile = None
    return PrestepTable(profile, *(_switch(table, key, reader) for key in _SWITCHES))


def merged(tables: Iterable[tuple[str, bool, PrestepTable]]) -> Prestep:
    """What holds of (layer, trusted, table), weakest first: the strongest word."""
    found = NONE
    for layer, trusted, table in tables:
        profile, owner = found.profile, found.owner
        if table.profile is not None and (trusted or table.profile != OWN):
            profile, owner = table.profile, layer
        found = Prestep(
            profile,
            owner,
            found.enabled if table.enabled is None else table.enabled,
            found.harness_check if table.harness_check is None else table.harness_check,
            found.role_hint if table.role_hint is None else table.role_hint,
        )
    return found


def _switch(table: Mapping[str, object], key: str, reader: _Reader) -> bool | None:
    value = table.get(key)
    if value is None or isinstance(value, bool):
        return value
    reader.wrong(("prestep", key), msg("true or false"))
    return None
