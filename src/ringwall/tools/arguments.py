"""The fields of a tool's input: which strings it holds, which of them are paths, and where those lie.

Invariant: reading an input is bounded by a count and reports when it hits the bound; a path that cannot be
placed is a possible effect, never none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.shell.places import path_effects

MAX_VALUES = 2_000

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SOMEWHERE = {"read": "read.outside", "write": "write.outside", "delete": "delete.outside"}
_GLOB = re.compile(r"[*?\[{]")


def strings(values: Mapping[str, Any]) -> tuple[list[tuple[str, str]], bool]:
    """All strings of an input with the name of their nearest field, and whether all were reached."""
    found: list[tuple[str, str]] = []
    pending: list[tuple[str, Any]] = [("", values)]
    for _ in range(MAX_VALUES):
        if not pending:
            return found, True
        name, value = pending.pop()
        if isinstance(value, str):
            found.append((name, value))
        elif isinstance(value, Mapping):
            pending += [(str(key), item) for key, item in value.items()][: MAX_VALUES + 1]
        elif isinstance(value, list | tuple):
            pending += [(name, item) for item in value[: MAX_VALUES + 1]]
    return found, not pending


def place_effects(
    access: str, path: str, field: str, cwd: str, surroundings: Surroundings, certain: bool = True
) -> Iterator[Effect]:
    """The effects of reading, writing or deleting what a field names, or of searching where it begins."""
    if access == "search":
        access, path = "read", _folder(path)
    span = (0, len(path))
    whole = _plain(path, surroundings.places.home) or "."
    if "\0" in whole or not (cwd.startswith("/") or whole.startswith("/")):
        yield Effect(_SOMEWHERE[access], path, certain=False, span=span, field=field)
        return
    targets = _targets(whole, cwd, surroundings)
    for name, sure in path_effects(access, whole, cwd, surroundings, False):
        for target in targets:
            yield Effect(name, target, certain=certain and sure, span=span, field=field)


def _targets(path: str, cwd: str, surroundings: Surroundings) -> tuple[str, ...]:
    """The path as it is named and as it is with links followed: rules may speak about either."""
    named = posixpath.normpath(posixpath.join(cwd, path))
    return tuple(dict.fromkeys((named, surroundings.resolve(named) or named)))


def _plain(path: str, home: str) -> str:
    """A path as a shell would write it: file URLs and `~` opened."""
    if is_file_url(path):
        path = unquote(urlsplit(path).path)
    return home + path[1:] if path == "~" or path.startswith("~/") else path


def _folder(glob: str) -> str:
    """The folder that a glob begins in."""
    wild = _GLOB.search(glob)
    return glob[: glob.rfind("/", 0, wild.start()) + 1] if wild else glob


def is_url(text: str) -> bool:
    return bool(_URL.match(text))


def is_file_url(text: str) -> bool:
    return text[:5].lower() == "file:"
