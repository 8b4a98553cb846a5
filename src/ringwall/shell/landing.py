"""Where a path comes to, and what a copy into a folder is called there.

Invariant: links are followed; what is only copied under an unknown name is no name, but what a folder
of the governor's may receive is said.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from ringwall.model.analysis import HOLE
from ringwall.model.surroundings import Node, Places, Surroundings
from ringwall.shell.meaning import RawEffect

_WRITING = frozenset(("write", "overwrite"))
_NAMING = frozenset(("cp", "gcp", "mv", "gmv", "ln", "gln", "install", "ginstall", "rsync", "scp"))
_UNPACKING = frozenset(("tar", "bsdtar", "gtar", "unzip", "cpio", "7z", "7za", "7zz", "unrar"))
_VAGUE = frozenset("*?[{" + HOLE)


def landed(raw: RawEffect, argv: Sequence[str], cwd: str, surroundings: Surroundings) -> tuple[str, ...]:
    """The paths that the sources of a copy get in the folder that `raw` writes to."""
    if posixpath.basename(argv[0]) not in _NAMING or not _into_folder(raw, cwd, surroundings):
        return ()
    names = (posixpath.basename(word.rstrip("/")) for word in _sources(raw, argv))
    return tuple(posixpath.join(raw.target, name) for name in names if not _unnamed(name))


def may_replace_registration(
    raw: RawEffect, argv: Sequence[str], cwd: str, surroundings: Surroundings
) -> bool:
    """Whether names that are not known are written to a folder that holds a registration."""
    program = posixpath.basename(argv[0])
    if program not in _NAMING | _UNPACKING or not _into_folder(raw, cwd, surroundings):
        return False
    if not _holds_registration(raw, cwd, surroundings):
        return False
    return program in _UNPACKING or any(
        word.endswith("/") or _unnamed(posixpath.basename(word)) for word in _sources(raw, argv)
    )


def replaces_holder(raw: RawEffect, argv: Sequence[str], cwd: str, surroundings: Surroundings) -> bool:
    """Whether a copy is named like a folder that holds a registration."""
    landing = (posixpath.normpath(posixpath.join(cwd, to)) for to in landed(raw, argv, cwd, surroundings))
    return not _folders(surroundings.places).isdisjoint(landing)


def _into_folder(raw: RawEffect, cwd: str, surroundings: Surroundings) -> bool:
    if raw.access not in _WRITING or not raw.target or HOLE in raw.target or HOLE in cwd:
        return False
    whole = posixpath.normpath(posixpath.join(cwd, raw.target))
    return raw.target.endswith("/") or surroundings.node(whole) is Node.DIRECTORY


def _holds_registration(raw: RawEffect, cwd: str, surroundings: Surroundings) -> bool:
    whole = posixpath.normpath(posixpath.join(cwd, raw.target))
    return {whole, surroundings.resolve(whole)} & _folders(surroundings.places) != set()


def _folders(places: Places) -> set[str | None]:
    return {posixpath.dirname(path) for path in places.registrations}


def _sources(raw: RawEffect, argv: Sequence[str]) -> list[str]:
    return [word for at, word in enumerate(argv) if at not in (0, raw.word) and word[:1] not in ("", "-")]


def _unnamed(name: str) -> bool:
    return name in ("", ".", "..") or not _VAGUE.isdisjoint(name)
