"""A project that is elsewhere now takes its ledgers along (decision N6).

Invariant: a ledger stands in one place at any moment; whoever collects between the beginning and the end of
an interrupted move is told to end it first. Agents that name the old path are collected into the new ledger.
"""

from __future__ import annotations

import os

import msgspec

from ringwall.agents.model import NAME
from ringwall.harvest import record
from ringwall.harvest.key import project_key
from ringwall.harvest.shelf import HARVEST, MOVED, PROJECT, Moved, ProjectPath, project_path, read_moved
from ringwall.journal.write import Journal
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg
from ringwall.store.durable import Folder, folder
from ringwall.store.paths import StateDir


def move(state: StateDir, journal: Journal, old: str, new: str, by: str) -> list[str]:
    """Put the ledgers of the project that was at `old` under the one at `new`; the roles that have one
    there. Raises `UsageError` where there is nothing to move, or something in the way."""
    before, after = project_key(old), project_key(new)
    if not os.path.isdir(new):
        raise _refused(
            msg("{path} is no folder.", path=new), msg("Name the folder where the project is now.")
        )
    if before == after:
        raise _refused(msg("Both are the same project."), msg("Name where it was, and where it is now."))
    if not os.path.isdir(f"{state.path}/{HARVEST}/{before}"):
        raise _refused(
            msg("There is no ledger of a project at {path}.", path=old),
            msg("`ringwall harvest status` lists the projects."),
        )
    with folder(state.path) as top, top.below(HARVEST) as all_, all_.locked():
        there = _moved(all_, before, after, os.path.realpath(new))
    record.moved(journal, before, after, by)
    return there


def _moved(all_: Folder, before: str, after: str, project: str) -> list[str]:
    with all_.below(before) as source, all_.below(after, make=True) as target:
        roles = [name for name in source.names() if NAME.fullmatch(name)]
        _refuse_conflict(source, target, roles, (before, after))
        target.write(PROJECT, _json(ProjectPath(project)))
        source.write(MOVED, _json(Moved(after)))
        for role in roles:
            with source.below(role) as place, place.locked():
                source.move(role, target, role)
        if target.has(MOVED):  # it comes back
            target.remove(MOVED)
        return [name for name in target.names() if NAME.fullmatch(name)]


def _refuse_conflict(source: Folder, target: Folder, roles: list[str], way: tuple[str, str]) -> None:
    before, after = way
    there = next((role for role in roles if target.has(role)), None)
    if there is not None:
        raise _refused(
            msg("The project has a ledger of the role {role} already.", role=there),
            msg("Two ledgers are not made one; keep one of them, and put the other aside by hand."),
        )
    if target.has(MOVED) and read_moved(target) != before:
        raise _refused(
            msg("That project's ledgers have been moved elsewhere themselves."),
            msg("Name where the project is now."),
        )
    earlier = read_moved(source)
    if not roles and (earlier != after or not project_path(target)):
        raise _refused(
            msg("There is nothing to move any more."), msg("`ringwall harvest status` shows where it is.")
        )


def _refused(what: Text, repair: Text) -> UsageError:
    return UsageError("harvest.move", what, repair)


def _json(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"
