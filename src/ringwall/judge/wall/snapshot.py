"""The files in a plan's scope at one moment, to tell afterwards which have changed.

Invariant: looking only; links are not followed; where the bound on files is passed the snapshot says so, and
then nothing is said about files that were not named. Contents are read only of named files, and only where
size or times differ.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from ringwall.model.canonical import digest_bytes

MOST_FILES = 200_000
MOST_BYTES = 64 << 20
"""Of a named file that is digested; of a larger one size and times must do."""

UNWATCHED = frozenset(
    {
        ".git", ".hg", ".svn", ".jj", "node_modules", ".venv", "venv", "__pycache__", ".mypy_cache",
        ".pytest_cache", ".ruff_cache", ".tox", ".nox", ".gradle", ".hypothesis",
    }
)  # fmt: skip
"""Folders of tools: what changes in them is not said of a step, unless the step names it."""

Stamp = tuple[int, int, int]
"""Size, and the times (nanoseconds) at which content and entry last changed."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`files` are stamps by path from the root; `digests` are those of named files, empty for one that is not
    a regular file. `whole` is false where there were more files than the bound; `head` is the commit that is
    checked out, empty where none is."""

    files: dict[str, Stamp] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    whole: bool = True
    head: str = ""

    def has(self, path: str) -> bool:
        return path in self.digests or path in self.files


def take(
    root: str, named: Iterable[str] = (), before: Snapshot | None = None, head: str = ""
) -> Snapshot:  # fmt: skip
    """The files below `root` now, with the digests of those that are `named` (from the root). What `before`
    knows and has the same stamp is not read again."""
    files: dict[str, Stamp] = {}
    whole = all(_gather(root, files))
    digests = {}
    for path in named:
        stamp = files.get(path) or _stamp(f"{root}/{path}")
        if stamp is None:
            continue
        known = before.digests.get(path) if before is not None and before.files.get(path) == stamp else None
        digests[path] = known if known is not None else digest_of(f"{root}/{path}", stamp)
        files[path] = stamp
    return Snapshot(files, digests, whole, head)


def changed(before: Snapshot, after: Snapshot) -> list[str]:
    """What is new, gone or different in `after`, sorted. Nothing where one of the two is not whole. A file
    whose digest is known in both is compared by that."""
    if not (before.whole and after.whole):
        return []
    known, now = before.files, after.files
    differing = [path for path, stamp in now.items() if known.get(path) != stamp]
    stayed = len(now) - sum(path not in known for path in differing)
    if stayed < len(known):
        differing += [path for path in known if path not in now]
    return sorted(path for path in differing if not _same(path, before, after))


def pack(snapshot: Snapshot) -> bytes:
    return msgspec.msgpack.encode((snapshot.files, snapshot.digests, snapshot.whole, snapshot.head))


def unpack(content: bytes) -> Snapshot:
    """The snapshot that `pack` wrote. Raises `msgspec.DecodeError`."""
    return Snapshot(*msgspec.msgpack.decode(content, type=_PACKED))


_PACKED = tuple[dict[str, Stamp], dict[str, str], bool, str]


def _same(path: str, before: Snapshot, after: Snapshot) -> bool:
    known = before.digests.get(path, "")
    return bool(known) and known == after.digests.get(path)


def _gather(root: str, files: dict[str, Stamp]) -> Iterator[bool]:
    """Put every file into `files`; false where that would be too many."""
    pending = [("", root)]
    while pending:
        prefix, folder = pending.pop()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue
        with entries:
            for entry in entries:
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in UNWATCHED:
                            pending.append((f"{prefix}{entry.name}/", entry.path))
                        continue
                    found = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                files[_spelled(prefix + entry.name)] = (found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        if len(files) > MOST_FILES:
            yield False
            return


def _spelled(path: str) -> str:
    """A name that is not UTF-8 with its odd bytes as escapes, for it must be kept as text."""
    return path if path.isascii() else path.encode("utf-8", "backslashreplace").decode()


def _stamp(path: str) -> Stamp | None:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def digest_of(path: str, stamp: Stamp) -> str:
    """The digest of a regular file's content; empty for what is none, cannot be read or is too large."""
    if stamp[0] > MOST_BYTES:
        return ""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        with os.fdopen(handle, "rb", closefd=False) as file:
            return digest_bytes(file.read(MOST_BYTES + 1))
    except OSError:
        return ""
    finally:
        os.close(handle)
