"""The state directory: where it is and who may touch it.

Invariant: no file of ours is opened below a directory that another user could write or replace.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

import platformdirs

from ringwall.model.errors import StateError
from ringwall.model.text import msg

HOME_VARIABLE = "RINGWALL_HOME"


@dataclass(frozen=True, slots=True)
class StateDir:
    """One state directory, by absolute path. Nothing is made or read before `prepare`."""

    path: str

    @property
    def database(self) -> str:
        return f"{self.path}/ringwall.db"

    @property
    def anchor(self) -> str:
        """The journal's heads once more, outside the database."""
        return f"{self.path}/journal.head"

    @property
    def lock(self) -> str:
        """Held by the one daemon of this state directory."""
        return f"{self.path}/daemon.lock"

    @property
    def socket(self) -> str:
        return f"{self.path}/daemon.sock"

    @property
    def console(self) -> str:
        """Held by the one console of this state directory; it says where the console listens."""
        return f"{self.path}/console.lock"

    @property
    def console_log(self) -> str:
        return f"{self.path}/console.log"

    @property
    def daemon_log(self) -> str:
        return f"{self.path}/daemon.log"

    def prepare(self) -> None:
        """Make the directory where it is missing, private to this user. Raises `StateError`."""
        try:
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            _check(self.path)
            if stat.S_IMODE(os.stat(self.path).st_mode) != 0o700:
                os.chmod(self.path, 0o700)
        except OSError as fault:
            raise StateError(
                "state.unwritable",
                msg("The state directory cannot be made or used: {fault}.", fault=fault.strerror or fault),
                msg("Make it writable for you, or set {variable} to another place.", variable=HOME_VARIABLE),
                self.path,
            ) from fault


def locate(environ: Mapping[str, str]) -> StateDir:
    """The state directory of this user: `RINGWALL_HOME`, else the platform's place for state."""
    chosen = environ.get(HOME_VARIABLE)
    if chosen is None:
        return StateDir(platformdirs.user_state_dir("ringwall", appauthor=False))
    if not os.path.isabs(chosen):
        raise StateError(
            "state.relative",
            msg("{variable} is not an absolute path: {path}", variable=HOME_VARIABLE, path=repr(chosen)),
            msg("Set it to an absolute path or unset it."),
            HOME_VARIABLE,
        )
    return StateDir(os.path.normpath(chosen))


def _check(path: str) -> None:
    """Refuse what others own or can write: the directory (links followed) and what holds it."""
    real = os.path.realpath(path)
    entry = os.stat(real)
    if entry.st_uid != os.geteuid():
        raise _unsafe(path, "it belongs to another user")
    if entry.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _unsafe(path, "others can write to it")
    for parent in _parents(real):
        held = os.stat(parent)
        if held.st_uid not in (0, os.geteuid()):
            raise _unsafe(path, f"{parent} belongs to another user")
        if held.st_mode & stat.S_IWOTH and not held.st_mode & stat.S_ISVTX:
            raise _unsafe(path, f"others can replace what is in {parent}")
    if os.path.islink(path) and os.lstat(path).st_uid not in (0, os.geteuid()):
        raise _unsafe(path, "it is a link made by another user")


def _parents(path: str) -> list[str]:
    found = []
    while (parent := os.path.dirname(path)) != path:
        found.append(parent)
        path = parent
    return found


def _unsafe(path: str, why: str) -> StateError:
    return StateError(
        "state.unsafe",
        msg("The state directory is not safe: {why}.", why=why),
        msg("Give it back to you alone (chown, chmod 700), or set {variable}.", variable=HOME_VARIABLE),
        path,
    )
