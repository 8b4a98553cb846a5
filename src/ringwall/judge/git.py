"""What git knows, without letting a repository act.

Invariant: nothing is written, no hook, file monitor or filter of a repository runs; whatever git cannot
answer in time is unknown, never "safe".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from ringwall.judge.programs import output, program
from ringwall.model.surroundings import Recovery

SECONDS = 2.0
_OUTPUT_LIMIT = 4_194_304
_FILE_LIMIT = 65_536
_QUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false")
_FILTER = re.compile(r"filter\.(.+)\.(?:clean|smudge|process|required)", re.DOTALL)
_WORKTREES = 64
_ANY_PATHS = {"GIT_LITERAL_PATHSPECS": "0"}  # for `check-ignore`, which reads paths and knows no patterns


def top(path: str) -> str | None:
    """The nearest directory at or above `path` that holds a `.git`."""
    while True:
        if os.path.lexists(f"{path}/.git"):
            return path
        parent = os.path.dirname(path)
        if parent == path:
            return None
        path = parent


def directory(root: str) -> str | None:
    """The git directory of a working tree."""
    entry = f"{root}/.git"
    if os.path.isdir(entry):
        return os.path.realpath(entry)
    named = (_line(entry) or "").removeprefix("gitdir: ")
    return os.path.realpath(os.path.join(root, named)) if named and named != _line(entry) else None


def branch(path: str) -> str | None:
    """The branch that is checked out at `path`, None on a detached HEAD or without a repository."""
    root = top(path)
    held = directory(root) if root else None
    head = _line(f"{held}/HEAD") if held else None
    return head.removeprefix("ref: refs/heads/") if head and head.startswith("ref: refs/heads/") else None


def worktrees(root: str) -> tuple[str, ...]:
    """The other working trees of the repository at `root`; only those that point back to it."""
    held = directory(root)
    if held is None:
        return ()
    common = os.path.realpath(os.path.join(held, _line(f"{held}/commondir") or "."))
    if common != held and not _is_linked(root, held, common):
        return ()
    main = os.path.dirname(common)
    found = [main] if common != held and directory(main) == common else []
    found += _linked(common)
    return tuple(path for path in dict.fromkeys(found) if path != root)


def _is_linked(root: str, held: str, common: str) -> bool:
    """Whether the repository at `common` itself says that `root` is a working tree of it."""
    back = os.path.join(held, _line(f"{held}/gitdir") or ".")
    return os.path.dirname(held) == f"{common}/worktrees" and os.path.realpath(back) == f"{root}/.git"


def _linked(common: str) -> Iterator[str]:
    try:
        names = sorted(os.listdir(f"{common}/worktrees"))[:_WORKTREES]
    except OSError:
        return
    for name in names:
        entry = os.path.realpath(f"{common}/worktrees/{name}")
        tree = os.path.dirname(_line(f"{entry}/gitdir") or "")
        if os.path.isabs(tree) and directory(tree) == entry:
            yield os.path.realpath(tree)


def references(path: str, home: str) -> str | None:
    """Where HEAD and every branch and tag of the repository at `path` stand, as a text to compare."""
    form = "--format=%(refname) %(objectname)"
    found = ask(path, home, "for-each-ref", form, "refs/heads", "refs/tags")
    head = ask(path, home, "rev-parse", "--verify", "--quiet", "HEAD")
    if found is None or head is None:
        return None
    return f"{branch(path)} {head.decode().strip()}\n{found.decode('utf-8', 'backslashreplace')}"


def alias(path: str, name: str, home: str) -> str | None:
    """The expansion of an alias as git would find it at `path`."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}", name):
        return None
    found = ask(path, home, "config", "--get", f"alias.{name}")
    return found.decode("utf-8", "replace").rstrip("\n") if found else None


def recovery(path: str, home: str) -> Recovery:
    """What of `path` git could bring back if it vanished now."""
    if not os.path.lexists(path):
        return Recovery.ABSENT
    root = top(os.path.dirname(path))
    if root is None or _insideask(path, root):
        return Recovery.UNKNOWN
    if os.path.lexists(f"{path}/.git"):
        return Recovery.LOST  # a repository of its own: its history goes with it
    asked = ("--ignored=matching", "--untracked-files=normal", "--ignore-submodules=dirty", "--", path)
    states = _status(root, home, *asked)
    if states is None:
        return Recovery.UNKNOWN
    return _judged(states, os.path.isdir(path) and os.path.exists(f"{root}/.gitmodules"))


def dirty(root: str, home: str) -> list[str] | None:
    """The changed and the untracked files of the working tree at `root`; None where git cannot say."""
    states = _status(root, home, "--untracked-files=all", "--ignore-submodules=dirty")
    if states is None:
        return None
    return sorted(entry[3:].decode("utf-8", "surrogateescape") for entry in states.split(b"\0") if entry[3:])


def _status(root: str, home: str, *words: str) -> bytes | None:
    """What `git status` says with every filter of the repository switched off."""
    names = ask(root, home, "config", "--list", "-z", "--name-only")
    if names is None:
        return None
    off = [word for name in sorted(_filters(names)) for word in _switched_off(name)]
    return ask(root, home, *off, "status", "--porcelain=v1", "-z", "--no-renames", *words)


def _judged(states: bytes, submodules: bool) -> Recovery:
    codes = {entry[:2] for entry in states.split(b"\0") if entry}
    if not codes:
        return Recovery.UNKNOWN if submodules else Recovery.CLEAN
    return Recovery.IGNORED if codes == {b"!!"} else Recovery.LOST


def _insideask(path: str, root: str) -> bool:
    return path == f"{root}/.git" or path.startswith(f"{root}/.git/")


def _filters(names: bytes) -> set[str]:
    found = (_FILTER.fullmatch(name) for name in names.decode("utf-8", "surrogateescape").split("\0"))
    return {match[1] for match in found if match}


def _switched_off(name: str) -> Iterator[str]:
    for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")):
        yield from ("-c", f"filter.{name}.{key}={value}")


def not_ignored(root: str, home: str, paths: Sequence[str]) -> list[str]:
    """Those of `paths` (from `root`) that git does not ignore; all of them where git cannot say."""
    if not paths or top(root) != root:
        return list(paths)
    asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
    found = ask(root, home, "check-ignore", "-z", "--stdin", given=asked, env=_ANY_PATHS)
    ignored = {os.fsdecode(path) for path in (found or b"").split(b"\0")}
    return [path for path in paths if path not in ignored]


def ask(where: str, home: str, *words: str, given: bytes = b"", env: Mapping[str, str] = {}) -> bytes | None:
    """What git prints for a look at the repository at `where`, with `given` on its standard input and `env`
    besides the usual environment; None where it fails or is late."""
    git = program("git")
    if git is None:
        return None
    whole = {"HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0",
             "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", **env}  # fmt: skip
    return output((git, *_QUIET, "-C", where, *words), given, whole, SECONDS, _OUTPUT_LIMIT)


def _line(path: str) -> str | None:
    """The first line of a small file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        return os.read(handle, _FILE_LIMIT).decode("utf-8", "surrogateescape").split("\n", 1)[0]
    except OSError:
        return None
    finally:
        os.close(handle)
