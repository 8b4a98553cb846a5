"""The state that a shell carries from one command to the next.

Invariant: what the environment says is certain; what it does not know it answers with `HOLE`.
"""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from ringwall.model.analysis import HOLE
from ringwall.model.surroundings import Surroundings
from ringwall.shell.ast import Node
from ringwall.shell.streams import Stream


class Value(NamedTuple):
    """`filled` is false where an unknown part may be empty; `network` where it may come from there."""

    text: str
    filled: bool = True
    network: bool = False


UNSET = Value("")
UNKNOWN = Value(HOLE, filled=False)
SOMETHING = Value(HOLE)
_NEVER_EMPTY = frozenset(
    ("$", "?", "!", "-", "_", "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME", "LINENO",
     "UID", "EUID", "PPID", "BASHPID", "HOSTNAME", "HOSTTYPE", "OSTYPE", "MACHTYPE", "BASH_VERSION",
     "COLUMNS", "LINES", "SHLVL")
)  # fmt: skip
_SCRATCH = frozenset(("TMPDIR", "TMP", "TEMP"))
_DEFAULTS = {"IFS": Value(" \t\n"), "SHELL": Value("/bin/bash"), "BASH": Value("/bin/bash")}


class Environment:
    """Variables, functions, aliases, parameters and directory of one shell; `files` and `tasks` hold what
    was written so far and are shared by all shells of one analysis."""

    __slots__ = (
        "aliases", "arguments", "arrays", "branch", "cwd", "files", "fixed", "functions", "locals",
        "previous", "surroundings", "tasks", "variables", "visited", "zero",
    )  # fmt: skip

    def __init__(self, cwd: str, surroundings: Surroundings) -> None:
        self.cwd = cwd
        self.previous = HOLE
        self.visited: list[str] = []
        self.surroundings = surroundings
        self.variables: dict[str, Value] = {}
        self.arrays: dict[str, list[Value]] = {}
        self.functions: dict[str, tuple[Node, bool]] = {}
        self.aliases: dict[str, str] = {}
        self.arguments: list[Value] = []
        self.zero = Value("bash")
        self.branch = ""  # checked out by the text itself
        self.locals: list[dict[str, Value | None]] = []
        self.fixed: frozenset[str] = frozenset()
        self.files: dict[str, Stream] = {}
        self.tasks: dict[tuple[str, str], str] = {}

    def fork(self) -> Environment:
        """A shell that starts as a copy of this one."""
        other = Environment(self.cwd, self.surroundings)
        other.previous = self.previous
        other.visited = self.visited.copy()
        other.variables = self.variables.copy()
        other.arrays = self.arrays.copy()
        other.functions = self.functions.copy()
        other.aliases = self.aliases.copy()
        other.arguments = self.arguments
        other.zero = self.zero
        other.branch = self.branch
        other.fixed = self.fixed
        other.locals = self.locals
        other.files = self.files
        other.tasks = self.tasks
        return other

    def join(self, other: Environment) -> None:
        """Become what holds whether this path was taken or `other`: where they differ, unknown."""
        if other.cwd != self.cwd:
            self.cwd = HOLE
        if other.branch != self.branch:
            self.branch = HOLE
        for name in self.variables.keys() | other.variables.keys():
            mine, theirs = self.get(name), other.get(name)
            if mine != theirs:
                network = mine.network or theirs.network
                self.variables[name] = Value(HOLE, bool(mine.text and theirs.text), network)
        for name in self.arrays.keys() ^ other.arrays.keys():
            self.arrays[name] = [UNKNOWN]
        for name, array in other.arrays.items():
            if self.arrays[name] != array:
                self.arrays[name] = [UNKNOWN]
        if self.arguments != other.arguments:
            self.arguments = [UNKNOWN]
        for name, (body, _) in other.functions.items():
            if name not in self.functions:
                self.functions[name] = (body, False)
        self.aliases = other.aliases | self.aliases

    def get(self, name: str) -> Value:
        """The value of a variable, `UNKNOWN` where it was not set by the text itself."""
        known = self.variables.get(name)
        if known is not None:
            return known
        if name == "0":
            return self.zero
        if name == "PWD":
            return Value(self.cwd)
        if name == "OLDPWD":
            return Value(self.previous)
        if name in _NEVER_EMPTY:
            return SOMETHING
        started = self.surroundings.env(name)
        if started is not None:
            return Value(started)
        if name == "HOME":
            return Value(self.surroundings.places.home)
        if name in _SCRATCH:
            return Value(self.surroundings.places.scratch[0]) if self.surroundings.places.scratch else UNKNOWN
        return _DEFAULTS.get(name, UNKNOWN)

    def defined(self, name: str) -> bool:
        """Whether the value of `name` is known, be it that it is unset."""
        return name in self.variables or HOLE not in self.get(name).text

    def assign(self, name: str, value: Value) -> None:
        if name in self.fixed:
            return
        self.variables[name] = value
        self.arrays.pop(name, None)

    def declare_local(self, name: str) -> None:
        """Have `name` restored when the running function returns."""
        if self.locals and name not in self.locals[-1]:
            self.locals[-1][name] = self.variables.get(name)

    def change_directory(self, target: str) -> None:
        self.previous, self.cwd = self.cwd, self.absolute(target)

    def absolute(self, path: str) -> str:
        """`path` against the current directory, without `.` and `..` where that is certain."""
        whole = path if path.startswith("/") else posixpath.join(self.cwd or HOLE, path)
        if HOLE in whole:
            return whole
        return "/" + posixpath.normpath(whole).lstrip("/")
