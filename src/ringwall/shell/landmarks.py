"""Paths that are more than files: secrets, hooks, instructions, the governor, vital folders, disks.

Invariant: the patterns are data (`knowledge/places.toml`); they are compiled once for one home.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache

from ringwall.model.surroundings import Places
from ringwall.shell.tables import family_text

_SAMPLES = tuple(
    f"/{name}"
    for name in [
        ".env",
        ".env1",
        ".env.local",
        ".netrc",
        ".npmrc",
        ".pypirc",
        "id_rsa",
        "id_ed25519",
        ".git-credentials",
        ".pgpass",
        "server.key",
        "server.pem",
        "credentials.json",
        "secrets.yml",
        ".aws/credentials",
        ".ssh/id_rsa",
        ".ssh/id_ed25519",
        ".kube/config",
        ".docker/config.json",
        "etc/shadow",
        "terraform.tfstate",
    ]
)


class Landmarks:
    """The marked paths of one machine."""

    def __init__(self, places: Places) -> None:
        raw = tomllib.loads(family_text("places"))
        self._places = places
        # A home that lies in a scratch folder is a home all the same.
        raw["scratch"] = [folder for folder in raw["scratch"] if not f"{places.home}/".startswith(folder)]
        for kind in ("secret", "public", "hook", "instructions", "governor", "disk", "nowhere", "scratch"):
            setattr(self, f"_{kind}", Patterns(raw[kind], places.home, places.fold_case))
        self._holders = tuple(raw["holders"])
        self._system: frozenset[str] = frozenset(raw["system"])
        self._system_below: tuple[str, ...] = tuple(folder + "/" for folder in raw["system_below"])
        self._regenerable = tuple(raw["regenerable"])

    _secret: Patterns
    _public: Patterns
    _hook: Patterns
    _instructions: Patterns
    _governor: Patterns
    _disk: Patterns
    _nowhere: Patterns
    _scratch: Patterns

    def secret(self, path: str) -> bool:
        """Whether reading `path`, a file or a whole folder, gives a secret away; Ringwall's own state is
        one, and the home holds them."""
        if self._owned(path, self._places.governor) and not path.endswith(
            (".toml", ".md", "permissions.json")
        ):
            return True
        if self._secret.match(path) or self._secret.match(path + "/"):
            return not self._public.match(path)
        home = self._places.home
        return path == home or home.startswith(path.rstrip("/") + "/")

    def could_be_secret(self, glob: str) -> bool:
        """Whether a glob that is not just `*` takes in the usual name of a secret."""
        folder, _, name = glob.rpartition("/")
        if not name.strip("*?.") and not name.startswith("."):
            return False
        return any(
            fnmatchcase(sample.rpartition("/")[2], name)
            and self.secret(folder + sample[sample.rindex("/") :])
            for sample in _SAMPLES
        )

    def hook(self, path: str) -> bool:
        return self._hook.match(path) and not path.endswith(".sample")

    def instructions(self, path: str) -> bool:
        return self._instructions.match(path)

    def governor(self, path: str) -> bool:
        places = self._places
        return (
            self._owned(path, places.governor) or path in places.registrations or self._governor.match(path)
        )

    def holds_governor(self, folder: str) -> bool:
        """Whether `folder` contains something of the governor's."""
        beginning = folder.rstrip("/") + "/"
        places = self._places
        if any(path.startswith(beginning) for path in (*places.governor, *places.registrations)):
            return True
        return any(folder.endswith("/" + holder) for holder in self._holders)

    def held_names(self, folder: str) -> frozenset[str]:
        """The names in `folder` that are, or lead to, something of the governor's."""
        beginning = folder.rstrip("/") + "/"
        held = (*self._places.governor, *self._places.registrations)
        return frozenset(
            path[len(beginning) :].partition("/")[0] for path in held if path.startswith(beginning)
        )

    def repository(self, path: str) -> bool:
        """Whether `path` is part of git's own data, locks and notes to oneself excepted."""
        _, inside, rest = (path + "/").partition("/.git/")
        if not inside or rest.endswith(".lock/"):
            return False
        return not rest.startswith(
            ("hooks/", "info/", "config/", "COMMIT_EDITMSG/", "description/", "MERGE_MSG/")
        )

    def vital(self, folder: str) -> bool:
        """Whether losing `folder` as a whole is a catastrophe: the system, the home, the project, `.git`, or
        what holds one of these."""
        places = self._places
        folder = folder.rstrip("/") or "/"
        if folder in self._system or folder in (places.home, places.root):
            return True
        if folder.endswith("/.git"):
            return True
        kept = (places.root, places.home, *places.worktrees)
        return (
            any(path.startswith(folder + "/") for path in kept)
            or re.fullmatch(r"/(home|Users)/[^/]+", folder) is not None
        )

    def system(self, path: str) -> bool:
        return path.startswith(self._system_below)

    def disk(self, path: str) -> bool:
        return self._disk.match(path)

    def nowhere(self, path: str) -> bool:
        return self._nowhere.match(path)

    def scratch(self, path: str) -> bool:
        return self._scratch.match(path)

    def regenerable(self, path: str, root: str) -> bool:
        """Whether `path` lies in, or is, something that tools make again."""
        names = (
            path[len(root) :].strip("/").split("/") if path.startswith(root) else [path.rpartition("/")[2]]
        )
        return any(fnmatchcase(name, pattern) for name in names for pattern in self._regenerable)

    def _owned(self, path: str, folders: Iterable[str]) -> bool:
        return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


@lru_cache(maxsize=64)
def landmarks(places: Places) -> Landmarks:
    return Landmarks(places)


class Patterns:
    """Path patterns of one kind. Those that are a single name are compared with the last name of a path,
    the others with the whole of it."""

    __slots__ = ("_fold", "_globs", "_names", "_wholes")

    def __init__(self, patterns: Iterable[str], home: str, fold_case: bool) -> None:
        flags = re.IGNORECASE if fold_case else 0
        single = [pattern for pattern in patterns if "/" not in pattern]
        globs = [pattern for pattern in single if re.search(r"[*?[]", pattern)]
        wholes = [pattern for pattern in patterns if "/" in pattern]
        self._fold = fold_case
        self._names = frozenset(
            name.casefold() if fold_case else name for name in single if name not in globs
        )
        self._globs = re.compile("|".join(_body(pattern) + r"\Z" for pattern in globs) or r"\Z.", flags).match
        self._wholes = re.compile(
            "|".join(_whole(pattern, home) for pattern in wholes) or r"\Z.", flags
        ).match

    def match(self, path: str) -> bool:
        name = path[path.rfind("/") + 1 :]
        if (name.casefold() if self._fold else name) in self._names or self._globs(name):
            return True
        return self._wholes(path) is not None


def _whole(pattern: str, home: str) -> str:
    """A pattern with folders as a regular expression over absolute paths."""
    tree = r"(?:/.*)?\Z" if pattern.endswith("/") else r"\Z"
    pattern = pattern.rstrip("/")
    if pattern.startswith("~/"):
        return re.escape(home) + _body(pattern[1:]) + tree
    if pattern.startswith("/"):
        return _body(pattern) + tree
    return "(?:.*/)" + _body(pattern.removeprefix("**/")) + tree


def _body(pattern: str) -> str:
    return re.sub(r"\*\*/?|\*|\?|\[[^]]+\]|.", _piece, pattern)


def _piece(match: re.Match[str]) -> str:
    text = match[0]
    if text == "**/":
        return "(?:.*/)?"
    if text == "**":
        return ".*"
    if text in ("*", "?"):
        return "[^/]" + ("*" if text == "*" else "")
    return text if text[0] == "[" and len(text) > 1 else re.escape(text)
