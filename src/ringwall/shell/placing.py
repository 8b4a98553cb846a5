"""Raw effects → effects with their places.

Invariant: a path that may be empty in its unknown parts is also judged as if it were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE
from ringwall.model.text import msg
from ringwall.shell.ast import Span
from ringwall.shell.expand import Field
from ringwall.shell.landing import landed, links, may_replace_registration, replaces_holder, through
from ringwall.shell.landmarks import landmarks
from ringwall.shell.meaning import RawEffect
from ringwall.shell.places import arrival, path_effects

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

MOST_PATHS = 400
_STANDARD = ("/dev/fd/", "/proc/self/fd/")
_WRITING = frozenset(("write", "overwrite"))
_PLACED = frozenset(("read", "write", "delete", "delete.recursive"))


def emit_raw(walk: Walk, raw: RawEffect, fields: list[Field], whole: Span, at: int, command: int) -> None:
    """One raw effect of a command whose words are `fields`."""
    word = raw.word
    if 0 <= word < len(fields):
        field = fields[word]
        span, filled = field.span, field.filled
    else:
        span, filled = whole, False
    if not raw.access:
        walk.emit(raw.name, raw.target, certain=raw.certain, span=span, at=at, command=command)
        return
    if raw.access == "branch":
        _on_branch(walk, raw, span, at, command)
        return
    if raw.name not in _PLACED or raw.name == "delete.recursive":
        walk.emit(raw.name, raw.target, certain=raw.certain, span=span, at=at, command=command)
    recursive = raw.name.endswith("recursive")
    place_effects(
        walk, raw.access, raw.target, span,
        recursive=recursive, filled=filled, certain=raw.certain, at=at, command=command,
    )  # fmt: skip
    if raw.access in _WRITING:
        _into_folder(walk, raw, fields, span, at, command)


def _into_folder(walk: Walk, raw: RawEffect, fields: list[Field], span: Span, at: int, command: int) -> None:
    """What a copy into a folder writes there."""
    argv, cwd, surroundings = [field.text for field in fields], walk.env.cwd, walk.surroundings
    if not argv:
        return
    walk.links.update(links(raw, argv, cwd, surroundings))
    for target in landed(raw, argv, cwd, surroundings):
        place_effects(
            walk, "write", target, span, recursive=False, certain=raw.certain, at=at, command=command
        )
    found = (raw, argv, cwd, surroundings)
    if may_replace_registration(*found) or replaces_holder(*found):
        walk.emit("write.governor", raw.target, certain=False, span=span, at=at, command=command)


def _made_again(walk: Walk, target: str) -> bool:
    """Whether a glob through a tree takes only what tools make again: `./**/__pycache__`."""
    places = walk.surroundings.places
    _, spread, name = target.rpartition("/**/")
    if not spread or "/" in name:
        return False
    return landmarks(places).regenerable(f"{places.root}/{name}", places.root)


def _on_branch(walk: Walk, raw: RawEffect, span: Span, at: int, command: int) -> None:
    """An effect on the branch that is checked out: its target, empty where that is not known. Which branches
    are protected is the policy's."""
    env = walk.env
    branch = env.branch or (walk.surroundings.branch(env.cwd) if HOLE not in env.cwd else None)
    if branch is None or HOLE in branch:
        walk.emit(raw.name, "", certain=False, span=span, at=at, command=command)
    else:
        walk.emit(raw.name, branch, span=span, at=at, command=command)


def place_effects(
    walk: Walk,
    access: str,
    target: str,
    span: Span,
    *,
    recursive: bool,
    filled: bool = True,
    certain: bool = True,
    at: int = 0,
    command: int = -1,
) -> None:
    """Emit what reading, writing or deleting `target` amounts to where it lies."""
    if target.startswith(_STANDARD):
        return
    directory, surroundings = walk.env.cwd, walk.surroundings
    sure = certain and walk.frame.certain
    question = (access, target, directory, recursive, filled, sure, command, len(walk.links))
    if question in walk.placed:
        return
    if len(walk.placed) >= MOST_PATHS:
        walk.doubt("too_many", msg("more than {bound} paths", bound=MOST_PATHS))
        return
    walk.placed.add(question)
    recursive = (recursive or (access == "delete" and "/**/" in target)) and not _made_again(walk, target)
    place, found = arrival(access, target, directory, surroundings, recursive)
    for name, sure in found:
        walk.emit(name, target, certain=certain and sure, span=span, at=at, command=command, place=place)
    for other in through(walk.links, access, target, directory):
        place, found = arrival(access, other, directory, surroundings, recursive)
        for name, sure in found:
            walk.emit(name, other, certain=certain and sure, span=span, at=at, command=command, place=place)
    if filled or HOLE not in target or access == "read":
        return
    shortest = target.replace(HOLE, "")
    if shortest:
        for name, _ in path_effects(access, shortest, directory, surroundings, recursive):
            walk.emit(name, shortest, certain=False, span=span, at=at, command=command)
