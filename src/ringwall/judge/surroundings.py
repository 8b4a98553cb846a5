"""The disk as judging sees it.

Invariant: reads only, bounded, never raises; within one call the same question has the same answer. The
second parser's reading depends on the text alone, so it is kept longer.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from ringwall.judge import git
from ringwall.judge.programs import output, program
from ringwall.model.surroundings import Node, Places, Recovery

Answer = TypeVar("Answer")

_LONGEST_PATH = 4096
_PLAIN_NAMES = re.compile(r"(?:/(?!\.\.?(?:/|\Z))[^/]+)+")
_MOST_NAMES = 4096
_SHFMT_SECONDS = 3.0
_SHFMT_LIMIT = 64 * 1024 * 1024
_SHFMT_ENV = {"GOMAXPROCS": "1", "GOGC": "off", "GOMEMLIMIT": "256MiB"}
"""shfmt lives for two milliseconds: collecting garbage beside the parsing only costs."""


class DiskSurroundings:
    """`Surroundings` of one call. `environ` is what the agent's shell starts with, as far as it is known."""

    def __init__(self, places: Places, environ: Mapping[str, str]) -> None:
        self._places = places
        self._environ = environ
        self._known: dict[tuple[Any, ...], Any] = {}

    @property
    def places(self) -> Places:
        return self._places

    def resolve(self, path: str) -> str | None:
        return self._once(("resolve", path), _resolve, path, self._places.root)

    def node(self, path: str) -> Node:
        return self._once(("node", path), _node, path)

    def names(self, directory: str) -> tuple[str, ...] | None:
        return self._once(("names", directory), _names, directory)

    def read(self, path: str, limit: int = 262_144) -> str | None:
        return self._once(("read", path, limit), _read, path, limit)

    def env(self, name: str) -> str | None:
        return self._environ.get(name)

    def recovery(self, path: str) -> Recovery:
        return self._once(("recovery", path), _recovery, path, self._places.home)

    def branch(self, directory: str) -> str | None:
        return self._once(("branch", directory), _branch, directory)

    def git_alias(self, directory: str, name: str) -> str | None:
        return self._once(("git_alias", directory, name), _alias, directory, name, self._places.home)

    def second_reading(self, text: str) -> bytes | None:
        return second_reading(text)

    def _once(self, question: tuple[Any, ...], answer: Callable[..., Answer], *given: Any) -> Answer:
        if question not in self._known:
            self._known[question] = answer(*given)
        known: Answer = self._known[question]
        return known


def _usable(path: str) -> bool:
    return path.startswith("/") and len(path) <= _LONGEST_PATH and "\0" not in path


def _resolve(path: str, root: str) -> str | None:
    if not _usable(path):
        return None
    try:
        return path if _without_links(path, root) else os.path.realpath(path)
    except (OSError, ValueError):
        return None


def _without_links(path: str, root: str) -> bool:
    """Whether `path` lies below `root`, which is resolved, and nothing on the way there is a link."""
    if path == root:
        return True
    if not root or not path.startswith(root + "/"):
        return False
    at = len(root)
    if not _PLAIN_NAMES.fullmatch(path, at):
        return False
    while at < len(path):
        following = path.find("/", at + 1)
        at = len(path) if following < 0 else following
        try:
            if stat.S_ISLNK(os.lstat(path[:at]).st_mode):
                return False
        except OSError:
            return True  # nothing is there, so nothing is below it either
    return True


def _node(path: str) -> Node:
    if not _usable(path):
        return Node.UNREADABLE
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return Node.ABSENT
    except (OSError, ValueError):
        return Node.UNREADABLE
    if stat.S_ISREG(mode):
        return Node.FILE
    return Node.DIRECTORY if stat.S_ISDIR(mode) else Node.OTHER


def _names(directory: str) -> tuple[str, ...] | None:
    if not _usable(directory):
        return None
    try:
        with os.scandir(directory) as entries:
            found = [entry.name for entry, _ in zip(entries, range(_MOST_NAMES + 1), strict=False)]
    except (OSError, ValueError):
        return None
    return tuple(sorted(found)) if len(found) <= _MOST_NAMES else None


def _read(path: str, limit: int) -> str | None:
    if not _usable(path):
        return None
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        with os.fdopen(handle, "rb", closefd=False) as file:
            content = file.read(limit + 1)
        return content.decode("utf-8") if len(content) <= limit and b"\0" not in content else None
    except (OSError, UnicodeError):
        return None
    finally:
        os.close(handle)


def _recovery(path: str, home: str) -> Recovery:
    try:
        return git.recovery(path, home) if _usable(path) else Recovery.UNKNOWN
    except (OSError, ValueError):
        return Recovery.UNKNOWN


def _branch(directory: str) -> str | None:
    try:
        return git.branch(directory) if _usable(directory) else None
    except (OSError, ValueError):
        return None


def _alias(directory: str, name: str, home: str) -> str | None:
    try:
        return git.alias(directory, name, home) if _usable(directory) else None
    except (OSError, ValueError):
        return None


def fresh_second_reading(text: str) -> bytes | None:
    """What shfmt makes of `text`, or None where it does not accept it."""
    shfmt = program("shfmt")
    if shfmt is None:
        return None
    try:
        given = text.encode()
    except UnicodeError:
        return None
    return output((shfmt, "--to-json", "-ln", "bash"), given, _SHFMT_ENV, _SHFMT_SECONDS, _SHFMT_LIMIT)


second_reading = lru_cache(maxsize=512)(fresh_second_reading)
