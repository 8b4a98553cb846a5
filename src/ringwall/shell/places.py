"""Paths as places: what reading, writing or deleting a path amounts to where it lies.

Invariant: a place is inside only when it is so with links, `..` and case resolved. A path that is not
known in full has the effects that it could have as possible ones.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from enum import StrEnum
from fnmatch import fnmatchcase

from ringwall.model.analysis import HOLE
from ringwall.model.surroundings import Node, Places, Recovery, Surroundings
from ringwall.shell.globbing import matches
from ringwall.shell.landmarks import Landmarks, landmarks

Found = tuple[str, bool]
_GLOB = re.compile(r"[*?[{]")
_ALL = re.compile(r"[*.?{},\[\]!]*\*[*.?{},\[\]!]*")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_LOOKING = frozenset(("list", "read"))
_LOSSLESS = frozenset((Recovery.CLEAN, Recovery.IGNORED))


class Place(StrEnum):
    """Where a resolved path lies."""

    INSIDE = "inside"
    SCRATCH = "scratch"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"


def place(path: str, places: Places) -> Place:
    """Where a resolved, absolute path lies."""
    if HOLE in path or not path.startswith("/"):
        return Place.UNKNOWN
    if any(within(path, root, places.fold_case) for root in (places.root, *places.worktrees) if root):
        return Place.INSIDE
    if any(_in_scratch(path, scratch, places) for scratch in places.scratch):
        return Place.SCRATCH
    return Place.SCRATCH if landmarks(places).scratch(path) else Place.OUTSIDE


def _in_scratch(path: str, scratch: str, places: Places) -> bool:
    """A home that lies in a scratch folder is a home all the same."""
    kept = within(path, places.home, places.fold_case) and within(places.home, scratch, places.fold_case)
    return within(path, scratch, places.fold_case) and not kept


def within(path: str, folder: str, fold_case: bool = False) -> bool:
    """Whether `path` is `folder` or lies in it."""
    if fold_case:
        path, folder = path.casefold(), folder.casefold()
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def path_effects(
    access: str, target: str, cwd: str, surroundings: Surroundings, recursive: bool = False
) -> tuple[Found, ...]:
    """The effects of `access` to `target` as seen from `cwd`, each with whether it is certain.

    `access` is `list` (names only), `read`, `write`, `overwrite` (a whole tree) or `delete`.
    """
    return arrival(access, target, cwd, surroundings, recursive)[1]


def arrival(
    access: str, target: str, cwd: str, surroundings: Surroundings, recursive: bool = False
) -> tuple[str, tuple[Found, ...]]:
    """The absolute path that `target` comes to, links followed, empty where that is not known; and the
    effects of going there."""
    deep = recursive or access == "overwrite"
    if _DRIVE.match(target):
        return "", tuple(_elsewhere(access, recursive))
    whole = target if target.startswith("/") else f"{cwd.rstrip('/') if cwd else HOLE}/{target}"
    if HOLE in whole:
        return "", tuple(_half_known(access, whole, surroundings, deep))
    path, everything, vague = _globbed(whole, surroundings)
    resolved = _resolved(access, path, target, surroundings)
    if resolved is None:
        return "", tuple(_elsewhere(access, recursive, certain=False))
    found = dict.fromkeys(_placed(access, whole, path, resolved, surroundings, deep, everything, vague))
    where = posixpath.normpath(resolved + whole[len(path) :] if vague else resolved)
    return where if where.startswith("/") else "", tuple(found)


def _globbed(whole: str, surroundings: Surroundings) -> tuple[str, bool, bool]:
    """The part of a path before its first glob; whether the glob takes all that is there; whether there is
    a glob at all."""
    wild = _GLOB.search(whole)
    if wild is None or surroundings.node(posixpath.normpath(whole)) is not Node.ABSENT:
        return whole, False, False
    cut = whole.rfind("/", 0, wild.start())
    rest = whole[cut + 1 :]
    everything = all(_ALL.fullmatch(name) or name in ("", ".") for name in rest.split("/"))
    return whole[:cut] or "/", everything, True


def _resolved(access: str, path: str, target: str, surroundings: Surroundings) -> str | None:
    """Links followed; deleting a link deletes the link itself."""
    name = posixpath.basename(path)
    if access == "delete" and name not in ("", ".", "..") and not target.endswith("/"):
        parent = surroundings.resolve(posixpath.dirname(path))
        return None if parent is None else posixpath.join(parent, name)
    return surroundings.resolve(path)


# ---- known paths


def _placed(
    access: str,
    whole: str,
    path: str,
    resolved: str,
    surroundings: Surroundings,
    deep: bool,
    everything: bool,
    vague: bool,
) -> Iterator[Found]:
    places = surroundings.places
    marks = landmarks(places)
    lexical = posixpath.normpath(whole)
    if marks.nowhere(lexical):
        if access in _LOOKING:
            yield "observe", True
        return
    both = {lexical, resolved + whole[len(path) :] if vague else resolved, resolved}
    if vague:
        both |= _named_now(whole, surroundings)
    where = place(resolved, places)
    if access == "list":
        yield from _elsewhere(access, False) if where is Place.OUTSIDE else (("observe", True),)
    elif access == "read":
        yield from _read(both, where, marks, vague)
    elif access == "delete":
        yield from _deleted(both, resolved, where, surroundings, deep, everything, whole[len(path) :])
    else:
        yield from _written(both, resolved, where, places, deep)


def _named_now(pattern: str, surroundings: Surroundings) -> set[str]:
    """What a glob names at this moment, as written and with links followed."""
    found = matches(posixpath.normpath(pattern), surroundings)
    return {path for name in found.paths for path in (name, surroundings.resolve(name) or name)}


def _read(both: set[str], where: Place, marks: Landmarks, vague: bool) -> Iterator[Found]:
    yield "observe", True
    if where is Place.OUTSIDE:
        yield "read.outside", True
    if any(marks.secret(path) for path in both):
        yield "read.secret", True
    elif vague and any(marks.could_be_secret(path) for path in both):
        yield "read.secret", False


def _written(both: set[str], resolved: str, where: Place, places: Places, deep: bool) -> Iterator[Found]:
    marks = landmarks(places)
    yield "write", True
    if any(marks.disk(path) for path in both):
        yield "catastrophic", True
    if deep and marks.vital(resolved):
        yield "catastrophic", True
    if where is Place.OUTSIDE:
        yield "write.outside", True
        if marks.system(resolved):
            yield "system", True
    yield from _marked(both, marks, deep)


def _deleted(
    both: set[str],
    resolved: str,
    where: Place,
    surroundings: Surroundings,
    deep: bool,
    everything: bool,
    glob: str,
) -> Iterator[Found]:
    places = surroundings.places
    marks = landmarks(places)
    vague = bool(glob)
    yield "delete", True
    if deep:
        yield "delete.recursive", True
    if any(marks.disk(path) for path in both):
        yield "catastrophic", True
    if deep and marks.vital(resolved) and not (vague and resolved == places.root):
        yield "catastrophic", not vague or everything
    if where is Place.OUTSIDE or resolved in places.scratch:
        yield "delete.outside", True
        if marks.system(resolved):
            yield "system", True
    elif where is Place.INSIDE and (deep or everything):
        yield from _lost(resolved, surroundings, marks, everything, vague)
    if vague and deep:
        yield from _held(resolved, glob, marks)
        yield from _marked({resolved}, marks, False)
    yield from _marked(both - {resolved} if vague else both, marks, deep)


def _lost(
    resolved: str, surroundings: Surroundings, marks: Landmarks, everything: bool, vague: bool
) -> Iterator[Found]:
    """Whether a tree that vanishes can be had back."""
    if marks.regenerable(resolved, surroundings.places.root):
        return
    if everything and resolved == surroundings.places.root:
        yield "delete.lost", True
    elif surroundings.recovery(resolved) not in _LOSSLESS:
        yield "delete.lost", not vague or everything


def _held(folder: str, glob: str, marks: Landmarks) -> Iterator[Found]:
    """What of the governor's a glob takes with it; a name that begins with a dot it must name itself."""
    first = glob.lstrip("/").partition("/")[0]
    for name in marks.held_names(folder):
        if fnmatchcase(name, first) and (name[0] != "." or first[0] in ".{["):
            yield "write.governor", True


def _marked(both: set[str], marks: Landmarks, deep: bool) -> Iterator[Found]:
    """What a path is besides a file."""
    for path in both:
        if marks.instructions(path):
            yield "write.instructions", True
        if marks.hook(path):
            yield "write.hook", True
        if marks.governor(path) or (deep and marks.holds_governor(path)):
            yield "write.governor", True
        if marks.repository(path):
            yield "git.discard", False


# ---- paths with unknown parts


def _elsewhere(access: str, recursive: bool, certain: bool = True) -> Iterator[Found]:
    if access in _LOOKING:
        yield from (("observe", True), ("read.outside", certain))
    elif access == "delete":
        yield from (("delete", True), ("delete.outside", certain))
        if recursive:
            yield "delete.recursive", True
    else:
        yield from (("write", True), ("write.outside", certain))


def _half_known(access: str, whole: str, surroundings: Surroundings, deep: bool) -> Iterator[Found]:
    """A path of which only the beginning is known: `..` in the rest could lead anywhere, unless the name
    that it continues is no folder."""
    places = surroundings.places
    marks = landmarks(places)
    known = whole[: whole.index(HOLE)]
    folder, _, begun = known.rpartition("/")
    guessed = posixpath.normpath(whole.replace(HOLE, "x"))
    fixed = begun not in ("", ".", "..") and surroundings.node(known) is Node.ABSENT and folder
    resolved = surroundings.resolve(folder or "/") if fixed and _one_name(whole, known) else None
    if resolved is not None:
        stand_in = posixpath.join(resolved, begun + "x")
        yield from _placed(access, stand_in, stand_in, stand_in, surroundings, deep, False, True)
        return
    yield from _elsewhere(access, deep and access == "delete", certain=False)
    if access in _LOOKING:
        if access == "read" and marks.secret(guessed):
            yield "read.secret", False
        return
    if deep:
        if access == "delete":
            yield "delete.lost", False
        yield "catastrophic", False
    for name, _ in _marked({guessed}, marks, False):
        yield name, False


def _one_name(whole: str, known: str) -> bool:
    """Whether the unknown part ends the path or is followed by the rest of its own name only."""
    return "/" not in whole[len(known) :]
