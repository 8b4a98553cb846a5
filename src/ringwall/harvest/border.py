"""The only places outside Ringwall's state that the harvest writes to.

Invariant: a write goes to one of `Outlet`, inside the project and outside the registry of agents, whatever
links stand in the way; there is no outlet in an agent's folder (H-06, H-76). Checked twice: by where the path
really leads, which tells a person what is wrong, and by opening every folder on the way without following a
link, which no exchange of folders between the check and the write gets around.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from ringwall.agents.registry import AGENTS
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg
from ringwall.store.durable import Folder, folder
from ringwall.store.paths import StateDir


class Outlet(Enum):
    """A folder of the project."""

    BRIEFS = ("toolkit-log", "upstream-pending")
    CANON = (".claude",)
    DIGEST = ("toolkit-log",)

    def path(self, name: str) -> str:
        """A file in it, from the project's root."""
        return "/".join((*self.value, name))


@contextmanager
def outlet(state: StateDir, project: str, where: Outlet, name: str, make: bool = False) -> Iterator[Folder]:
    """The open folder, for writing `name` in it. Raises `UsageError` where that would leave the project or
    reach an agent's folder."""
    check(state, project, f"{project}/{where.path(name)}")
    with folder(project) as root, root.below(*where.value, make=make) as place:
        yield place


def check(state: StateDir, project: str, target: str) -> None:
    """Refuse a target that is really outside the project or inside the registry (H-77, H-78)."""
    real, root = os.path.realpath(target), os.path.realpath(project)
    if root != project:
        raise _outside(target, msg("the project's path is a link now, and leads to {real}", real=root))
    if not _inside(real, root):
        raise _outside(target, msg("it leads out of the project, to {real}", real=real))
    if _inside(real, os.path.realpath(f"{state.path}/{AGENTS}")):
        raise _outside(target, msg("it leads into the folder of an agent, {real}", real=real))


def _inside(path: str, root: str) -> bool:
    return os.path.commonpath((path, root)) == root


def _outside(target: str, why: Text) -> UsageError:
    return UsageError(
        "harvest.border",
        msg("This is not written: {why}.", why=why),
        msg("Take the link away that leads there, and do it again."),
        target,
    )
