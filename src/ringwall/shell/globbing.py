"""What a glob comes to on disk.

Invariant: bounded. Where a directory cannot be listed, or more matches than are looked at, `complete` is
false, and the caller must think of the glob as able to match anything below its known part.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ringwall.model.surroundings import Node, Surroundings

MOST = 256
_GLOB = re.compile(r"[*?[]")


@dataclass(frozen=True, slots=True)
class Matches:
    """The paths that a glob names now."""

    paths: tuple[str, ...]
    complete: bool


def matches(pattern: str, surroundings: Surroundings) -> Matches:
    """The existing paths that an absolute `pattern` names, as bash expands it."""
    found = ["/"]
    complete = True
    for part in pattern.split("/"):
        if not part:
            continue
        if not _GLOB.search(part):
            found = [posixpath.join(path, part) for path in found]
            continue
        below: list[str] = []
        for path in found:
            names = surroundings.names(path)
            if names is None:
                complete = complete and surroundings.node(path) in (Node.ABSENT, Node.FILE)
                continue
            below += [posixpath.join(path, name) for name in names if _fits(name, part)]
        complete = complete and len(below) <= MOST
        found = below[:MOST]
    return Matches(tuple(found), complete)


def _fits(name: str, part: str) -> bool:
    """Whether a name matches; a leading dot only where the pattern names it."""
    if name.startswith(".") and not part.startswith((".", "[.")):
        return False
    return fnmatchcase(name, part)
