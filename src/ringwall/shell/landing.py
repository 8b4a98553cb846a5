"""Where a path comes to, and what a copy into a folder is called there.

Invariant: links are followed; what is only copied under an unknown name is no name, but what a folder
of the governor's may receive is said.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from ringwall.model.analysis import HOLE
from ringwall.model.surroundings import Node, Places, Surroundings
from ringwall.shell.meaning import RawEffect

_WRITING = frozenset(("write", "overwrite"))
_NAMING = frozenset(("cp", "gcp", "mv", "gmv", "ln", "gln", "install", "ginstall", "rsync", "scp"))
_UNPACKING = frozenset(("tar", "bsdtar", "gtar", "unzip", "cpio", "7z", "7za", "7zz", "unrar"))
_HOPS = 8
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


def links(raw: RawEffect, argv: Sequence[str], cwd: str, surroundings: Surroundings) -> dict[str, str]:
    """The symbolic links that `ln -s` makes: the link's absolute path to what it names."""
    symbolic = any(
        word == "--symbolic" or (word[:1] == "-" != word[1:2] and "s" in word) for word in argv[1:]
    )
    if posixpath.basename(argv[0]) not in ("ln", "gln") or raw.access not in _WRITING or not symbolic:
        return {}
    made: dict[str, str] = {}
    for source in _sources(raw, argv):
        inside = _into_folder(raw, cwd, surroundings)
        name = posixpath.join(raw.target, posixpath.basename(source.rstrip("/"))) if inside else raw.target
        link = posixpath.normpath(posixpath.join(cwd, name))
        made[link] = posixpath.join(posixpath.dirname(link), source)
    return made


def through(made: Mapping[str, str], access: str, target: str, cwd: str) -> tuple[str, ...]:
    """What a path comes to through links that the same call has made before."""
    found: list[str] = []
    path = posixpath.normpath(posixpath.join(cwd, target))
    whole = access != "delete" or target.endswith("/")
    for _ in range(_HOPS if made else 0):
        link = next((one for one in made if path.startswith(one + "/") or (whole and path == one)), None)
        if link is None:
            break
        path = posixpath.normpath(made[link] + path[len(link) :])
        if path in found:
            break
        found.append(path)
    return tuple(found)


def _into_folder(raw: RawEffect, cwd: str, surroundings: Surroundings) -> bool:
    if raw.access not in _WRITING or not raw.target or HOLE in raw.target or HOLE in cwd:
        return False
    whole = posixpath.normpath(posixpath.join(cwd, raw.target))
    return raw.target.endswith("/") or surroundings.node(whole) is Node.DIRECTORY


def _holds_registration(raw: RawEffect, cwd: str, surroundings: Surroundings) -> bool:
    whole = posixpath.normpath(posixpath.join(cwd, raw.target))
    return {whole, surroundings.resolve(whole)} & _folders(surroundings.places) != set()


def _folders(places: Places) -> set[str]:
    """The folders that are kept for a host; whoever unpacks into a project is not asked for the file that one
    of the hosts would read from its root."""
    return {posixpath.dirname(path) for path in places.registrations} - {places.root, places.home}


def _sources(raw: RawEffect, argv: Sequence[str]) -> list[str]:
    return [word for at, word in enumerate(argv) if at not in (0, raw.word) and word[:1] not in ("", "-")]


def _unnamed(name: str) -> bool:
    return name in ("", ".", "..") or not _VAGUE.isdisjoint(name)
