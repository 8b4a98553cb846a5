"""The policy in force, read from disk when it has changed.

Invariant: a file that is invalid now never loosens; the last good content of the same files stays in force,
and only where there is none the policy that remains without the faulty parts.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ringwall.judge.places import config_directory
from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import PolicyError
from ringwall.model.surroundings import Places
from ringwall.model.text import msg
from ringwall.policy.load import Loaded, load
from ringwall.policy.source import MOST_BYTES, LayerFiles, PolicyFile
from ringwall.shell.analyse import command_pattern

FILES = ("ringwall.toml", "permissions.json")

_KEPT = 32

Stamp = tuple[int, int, int, int]
Sources = Mapping[str, bytes]
"""The last good content by path."""


@dataclass(frozen=True, slots=True)
class InForce:
    """A policy with what is wrong on disk. `good` is what to remember of its files, by path; `absent` are the
    paths where there is none now, so that what stood there once is not good any more."""

    loaded: Loaded
    problems: tuple[PolicyError, ...] = ()
    good: tuple[PolicyFile, ...] = ()
    absent: tuple[str, ...] = ()


class Policies:
    """Policies by place, as long as their files and their trust stay the same."""

    def __init__(self, user_directory: str | None = None) -> None:
        self._user = user_directory if user_directory is not None else config_directory()
        self._known: dict[tuple[object, ...], InForce] = {}

    def in_force(
        self, places: Places, trusted: Collection[str], sources: Sources, preset: str = ""
    ) -> InForce:
        """The policy for the project at `places`; `trusted` are the digests that a person trusts there."""
        project = f"{places.root}/.ringwall"
        stamps = _stamps(project, self._user)
        last_good = tuple(sorted(digest_bytes(content) for content in sources.values()))
        key = (places.root, places.home, places.fold_case, stamps, frozenset(trusted), last_good, preset)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = _read(places, project, self._user, trusted, sources, preset)
            if stamps != _stamps(project, self._user):
                return found  # changed while it was read: good for this call, not for the next
            self._known[key] = found
        return self._known[key]


def layer_files(folder: str) -> LayerFiles:
    """The policy files in `folder`; one that is there and cannot be read counts as invalid, not as absent."""
    return LayerFiles(*(_file(f"{folder}/{name}") for name in FILES))


def _read(
    places: Places, project: str, user: str, trusted: Collection[str], sources: Sources, preset: str
) -> InForce:
    now = {"project": layer_files(project), "user": layer_files(user)}
    loaded = load(places=places, read_command=command_pattern, trusted=trusted, preset=preset, **now)
    if not loaded.problems:
        good = tuple(file for files in now.values() for file in files.present)
        paths = {f"{folder}/{name}" for folder in (project, user) for name in FILES}
        return InForce(loaded, good=good, absent=tuple(sorted(paths - {file.name for file in good})))
    before = {name: _as_before(files, sources) for name, files in now.items()}
    if before != now:
        earlier = load(places=places, read_command=command_pattern, trusted=trusted, preset=preset, **before)
        if not earlier.problems:
            return InForce(earlier, loaded.problems)
    return InForce(loaded, loaded.problems)


def _as_before(files: LayerFiles, sources: Sources) -> LayerFiles:
    """The same files with their last good content, where there is one."""
    return LayerFiles(
        *(
            PolicyFile(file.name, sources[file.name]) if file is not None and file.name in sources else file
            for file in (files.settings, files.permissions)
        )
    )


def _file(path: str) -> PolicyFile | None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return PolicyFile(path, _UNREADABLE)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return PolicyFile(path, _UNREADABLE)
        with os.fdopen(handle, "rb", closefd=False) as file:
            return PolicyFile(path, file.read(MOST_BYTES + 1))
    except OSError:
        return PolicyFile(path, _UNREADABLE)
    finally:
        os.close(handle)


_UNREADABLE = b"\xff"  # neither TOML nor JSON: the layer reports it and keeps only what tightens


def _stamps(*folders: str) -> tuple[Stamp, ...]:
    return tuple(_stamp(f"{folder}/{name}") for folder in folders for name in FILES)


def _stamp(path: str) -> Stamp:
    try:
        entry = os.stat(path)
    except FileNotFoundError:
        return (0, 0, 0, 0)
    except OSError:
        return (-1, 0, 0, 0)
    return (entry.st_mtime_ns, entry.st_size, entry.st_ino, entry.st_ctime_ns)


def with_trusted_directory(places: Places, folder: str, preset: str) -> Loaded:
    """The policy in which `folder` is a project layer that a person trusts (`check --policy`)."""
    if not os.path.isdir(folder):
        raise PolicyError(
            "policy.no_directory",
            msg("There is no directory {folder}.", folder=folder),
            msg("Give the directory that holds ringwall.toml or permissions.json."),
            "--policy",
        )
    return load(
        places=places,
        read_command=command_pattern,
        project=layer_files(folder),
        user=layer_files(config_directory()),
        trusted=True,
        preset=preset,
    )
