"""Where things are for one call: the project, its linked working trees, scratch, and Ringwall itself.

Invariant: neither the home, nor a directory above it, nor the root of the disk is ever a project; where no
project is found, nothing is inside.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache

import platformdirs

from ringwall.hosts.registry import registration_files
from ringwall.judge import git
from ringwall.judge.endpoint import endpoint
from ringwall.model.surroundings import Places
from ringwall.store.paths import StateDir

PROJECT_DIRECTORY = "CLAUDE_PROJECT_DIR"
"""Set by the host for its hooks: the project stays the same wherever the session goes."""

_POLICY = ("ringwall.toml", "permissions.json")
_CACHES = (".cache", "Library/Caches", ".npm/_cacache", ".cargo/registry", ".gradle/caches", ".m2/repository")
_SYSTEM = ("/bin/", "/boot/", "/dev/", "/etc/", "/lib", "/proc/", "/sbin/", "/sys/", "/usr/", "/var/lib/")


def places_of(cwd: str, environ: Mapping[str, str], state: StateDir, pids: tuple[int, ...] = ()) -> Places:
    """The places for a call made in `cwd` by a session with this environment."""
    home = os.path.realpath(environ.get("HOME") or os.path.expanduser("~"))
    start = environ.get(PROJECT_DIRECTORY) or cwd
    console = endpoint(state)
    root = project(start, home)
    return Places(
        root=root,
        home=home,
        worktrees=tuple(tree for tree in git.worktrees(root) if not _too_wide(tree, home)),
        scratch=_scratch(environ, home, root),
        governor=(*_governor(state.path), *_policy_files(root), *_contract()),
        private=tuple(dict.fromkeys((state.path, os.path.realpath(state.path)))),
        registrations=_registrations(root, home, environ),
        endpoints=(console.name,) if console else (),
        pids=(*pids, console.pid) if console else pids,
        fold_case=sys.platform == "darwin",
    )


def project(start: str, home: str) -> str:
    """The nearest directory at or above `start` that has a policy, else the nearest repository, else `start`.

    A repository inside a project that has a policy is part of it, so that making one leads out of no policy.
    """
    first = os.path.realpath(start) if start.startswith("/") and "\0" not in start else "/"
    if _too_wide(first, home):
        return f"{home}/.no-project"
    above = tuple(_above(first, home))
    with_policy = (path for path in above if _is_own(f"{path}/.ringwall"))
    with_repository = (path for path in above if os.path.lexists(f"{path}/.git"))
    return next(with_policy, None) or next(with_repository, first)


def _above(path: str, home: str) -> Iterator[str]:
    while not _too_wide(path, home):
        yield path
        path = os.path.dirname(path)


def _is_own(path: str) -> bool:
    """Whether it is there, and not put there by another user."""
    try:
        return os.lstat(path).st_uid in (0, os.geteuid())
    except OSError:
        return False


def _too_wide(path: str, home: str) -> bool:
    return path == "/" or path == home or home.startswith(f"{path}/")


def _scratch(environ: Mapping[str, str], home: str, root: str) -> tuple[str, ...]:
    found = ["/tmp", "/var/tmp"]  # noqa: S108 - the places themselves
    chosen = environ.get("TMPDIR", "")
    if chosen.startswith("/"):
        real = os.path.realpath(chosen)
        wide = _too_wide(real, home) or real == root or root.startswith(f"{real}/")
        if not wide and not f"{real}/".startswith(_SYSTEM):
            found.append(real)
    found += [f"{home}/{cache}" for cache in _CACHES]
    return tuple(dict.fromkeys((*found, *(os.path.realpath(path) for path in found))))


@lru_cache(maxsize=8)
def _governor(state: str) -> tuple[str, ...]:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    scripts = sysconfig.get_path("scripts")
    own = [state, config_directory(), package, f"{scripts}/ringwall", f"{scripts}/ringwall-hook"]
    return tuple(dict.fromkeys((*own, *(os.path.realpath(path) for path in own))))


def _policy_files(root: str) -> tuple[str, ...]:
    """The policy files where links lead elsewhere."""
    named = [f"{folder}/{name}" for folder in (f"{root}/.ringwall", config_directory()) for name in _POLICY]
    return tuple(real for path in named if (real := os.path.realpath(path)) != path)


def _contract() -> tuple[str, ...]:
    """The file of the reading contract that a person has set; one in the configuration needs no naming."""
    path = f"{config_directory()}/ringwall.toml"
    try:
        entry = os.stat(path)
    except OSError:
        return ()
    return _contract_in(path, entry.st_mtime_ns, entry.st_size)


@lru_cache(maxsize=4)
def _contract_in(path: str, _changed: int, _size: int) -> tuple[str, ...]:
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file).get("reading", {})
        named = table.get("contract") or table.get("browserReadPolicyFile")
    except (OSError, ValueError, AttributeError):
        return ()
    if not isinstance(named, str) or not named.startswith("/") or os.path.isdir(named):
        return ()
    return tuple(dict.fromkeys((named, os.path.realpath(named))))


def config_directory() -> str:
    """The directory of the user's own policy."""
    return platformdirs.user_config_dir("ringwall", appauthor=False)


def _registrations(root: str, home: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The files that hold hooks, in the project and for the user, as named and with links followed."""
    found = [*registration_files(root, {**environ, "HOME": home}), *registration_files(home, {"HOME": home})]
    return tuple(dict.fromkeys((*found, *(os.path.realpath(path) for path in found))))
