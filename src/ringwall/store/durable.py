"""Files that survive a crash: written whole or not at all, and found only where they were meant to be.

Invariant: after a crash at any moment a file is whole and old or whole and new, and what a call has returned
from stays after a power cut. Every folder on the way is opened by itself and no link is followed, so that
nobody can move a write elsewhere between a check and the write.

A `Folder` is an open directory; names are single components of a path.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec

from ringwall.model.errors import StateError
from ringwall.model.text import Text, msg

LOCK = ".lock"
LOCK_SECONDS = 20.0
"""How long a lock is waited for."""

_TEMPORARY = ".new"
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class Folder:
    """An open directory. Raises `StateError` for what cannot be read or written, a link in the way too."""

    def __init__(self, handle: int, path: str) -> None:
        self._handle = handle
        self.path = path

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *ending: object) -> None:
        self.close()

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def below(self, *names: str, make: bool = False) -> Folder:
        """The folder at `names` below this one; with `make` what is missing is made, durably."""
        inner = os.dup(self._handle)
        path = self.path
        try:
            for name in names:
                path = f"{path}/{_component(name, self.path)}"
                with _told(path):
                    if make:
                        _make(name, inner)
                    step = os.open(name, _DIRECTORY, dir_fd=inner)
                os.close(inner)
                inner = step
        except BaseException:
            os.close(inner)
            raise
        return Folder(inner, path)

    def names(self) -> list[str]:
        """What is in it, by name."""
        with _told(self.path):
            return sorted(os.listdir(self._handle))

    def has(self, name: str) -> bool:
        with _told(self.path):
            return _entry(name, self._handle) is not None

    def stamp(self, name: str) -> tuple[int, int, int] | None:
        """Inode, size and time of change of a file, None where there is none."""
        with _told(f"{self.path}/{name}"):
            entry = _entry(name, self._handle)
        return (entry.st_ino, entry.st_size, entry.st_mtime_ns) if entry is not None else None

    def read(self, name: str) -> bytes | None:
        """The content of a regular file, None where there is none."""
        path = f"{self.path}/{_component(name, self.path)}"
        with _told(path):
            try:
                handle = os.open(name, os.O_RDONLY | _FILE, dir_fd=self._handle)
            except FileNotFoundError:
                return None
            with os.fdopen(handle, "rb") as file:
                _regular(os.fstat(handle), path)
                return file.read()

    def write(self, name: str, content: bytes, mode: int = 0o600) -> None:
        """Put `content` in the place of the file; a file that is there keeps its mode."""
        path = f"{self.path}/{_component(name, self.path)}"
        with _told(path):
            there = _entry(name, self._handle)
            if there is not None:
                mode = stat.S_IMODE(_regular(there, path).st_mode)
            self._swap(name, content, mode)
            os.fsync(self._handle)

    def publish(self, name: str, content: bytes, mode: int = 0o600) -> bool:
        """Put `content` there if nothing is; whether it was this call that did (H-42)."""
        path = f"{self.path}/{_component(name, self.path)}"
        with _told(path):
            spare = self._spare(name, content, mode)
            try:
                os.link(spare, name, src_dir_fd=self._handle, dst_dir_fd=self._handle)
                first = True
            except FileExistsError:
                first = False
            os.unlink(spare, dir_fd=self._handle)
            os.fsync(self._handle)
            return first

    def append(self, name: str, lines: bytes) -> None:
        """Add whole lines of JSON at the end. What a crash left of a last line goes first: nobody was told
        of it."""
        path = f"{self.path}/{_component(name, self.path)}"
        with _told(path):
            handle = os.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT | _FILE, 0o600, dir_fd=self._handle)
            try:
                _regular(os.fstat(handle), path)
                _end_last_line(handle)
                _write_all(handle, lines)
                os.fsync(handle)
            finally:
                os.close(handle)
            os.fsync(self._handle)

    def settle(self, name: str) -> None:
        """Make what stands in the file durable, and take a broken last line away: whoever wrote it may have
        been killed before the sync."""
        path = f"{self.path}/{_component(name, self.path)}"
        with _told(path):
            try:
                handle = os.open(name, os.O_RDWR | os.O_APPEND | _FILE, dir_fd=self._handle)
            except FileNotFoundError:
                return
            try:
                _regular(os.fstat(handle), path)
                _end_last_line(handle)
                os.fsync(handle)
            finally:
                os.close(handle)
            os.fsync(self._handle)

    def sync(self, name: str) -> None:
        """Make what stands in the file durable, and that it stands there."""
        path = f"{self.path}/{_component(name, self.path)}"
        with _told(path):
            handle = os.open(name, os.O_RDONLY | _FILE, dir_fd=self._handle)
            try:
                _regular(os.fstat(handle), path)
                os.fsync(handle)
            finally:
                os.close(handle)
            os.fsync(self._handle)

    def remove(self, name: str) -> None:
        """Take the file away. The folder is synced also where it has gone already, for that may not have
        been durable (H-62)."""
        with _told(f"{self.path}/{_component(name, self.path)}"):
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=self._handle)
            os.fsync(self._handle)

    def move(self, name: str, to: Folder, new: str) -> None:
        """Take a folder or file elsewhere, where nothing is; whole in one of the two places."""
        _component(name, self.path)
        with _told(f"{to.path}/{_component(new, to.path)}"):
            if _entry(new, to._handle) is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            os.rename(name, new, src_dir_fd=self._handle, dst_dir_fd=to._handle)
            os.fsync(to._handle)
            os.fsync(self._handle)

    @contextmanager
    def locked(self, name: str = LOCK, seconds: float | None = None) -> Iterator[None]:
        """Alone among all who lock the same file, threads of this process too. Waits for `LOCK_SECONDS`, or
        as long as is said."""
        path = f"{self.path}/{_component(name, self.path)}"
        with _told(path):
            handle = os.open(name, os.O_RDWR | os.O_CREAT | _FILE, 0o600, dir_fd=self._handle)
        try:
            with _told(path):
                _regular(os.fstat(handle), path)
                _lock(handle, path, LOCK_SECONDS if seconds is None else seconds)
            yield
        finally:
            os.close(handle)

    def _swap(self, name: str, content: bytes, mode: int) -> None:
        spare = self._spare(name, content, mode)
        try:
            os.replace(spare, name, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except OSError:
            with suppress(OSError):
                os.unlink(spare, dir_fd=self._handle)
            raise

    def _spare(self, name: str, content: bytes, mode: int) -> str:
        """`content` in a file beside, durable; what an earlier crash left there goes first. Writers of one
        file are alone by their lock."""
        spare = f".{name}{_TEMPORARY}"
        with suppress(FileNotFoundError):
            os.unlink(spare, dir_fd=self._handle)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE
        handle = os.open(spare, flags, 0o600, dir_fd=self._handle)
        try:
            try:
                os.fchmod(handle, mode)
                _write_all(handle, content)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError:
            with suppress(OSError):
                os.unlink(spare, dir_fd=self._handle)
            raise
        return spare


def folder(path: str) -> Folder:
    """The directory at `path`, itself no link. Raises `StateError`."""
    with _told(path):
        return Folder(os.open(path, _DIRECTORY), path)


def _component(name: str, path: str) -> str:
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise _unusable(f"{path}/{name}", msg("it is not the name of a file"))
    return name


def _make(name: str, parent: int) -> None:
    """Sync the parent also where the folder is there: whoever made it may have been killed before."""
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=parent)
    os.fsync(parent)


def _entry(name: str, parent: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _regular(entry: os.stat_result, path: str) -> os.stat_result:
    if not stat.S_ISREG(entry.st_mode):
        raise _unusable(path, msg("it is not a regular file"))
    return entry


def _end_last_line(handle: int) -> None:
    """End the last line where only its end is missing, cut it where more is."""
    size = os.fstat(handle).st_size
    start = _last_line(handle, size)
    if start == size:
        return
    if _is_json(os.pread(handle, size - start, start)):
        _write_all(handle, b"\n")
    else:
        os.ftruncate(handle, start)


def _last_line(handle: int, size: int) -> int:
    """Where what stands after the last line's end begins."""
    end = size
    while end:
        start = max(0, end - 65_536)
        found = os.pread(handle, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _write_all(handle: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(handle, view) :]


def _lock(handle: int, path: str, seconds: float) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise StateError(
                    "state.locked",
                    msg("Another program keeps this locked."),
                    msg("Wait until it has ended, and try again."),
                    path,
                ) from None
            time.sleep(0.01)
        else:
            return


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Faults of the system as errors for people."""
    try:
        yield
    except OSError as fault:
        if fault.errno in (errno.ELOOP, errno.ENOTDIR):
            raise _unusable(path, msg("a link or a file stands where a folder should be")) from fault
        if fault.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StateError(
                "state.full", msg("The disk is full."), msg("Free some space on it, and do it again."), path
            ) from fault
        raise _unusable(path, msg("{why}", why=fault.strerror or fault)) from fault


def _unusable(path: str, why: Text) -> StateError:
    return StateError(
        "state.file",
        msg("This file or folder cannot be used: {why}.", why=why),
        msg("Look at what stands there, mend it, and do it again."),
        path,
    )
