"""`os` as durable writes see it, with a fault at the n-th change and a record of all of them.

Stands in for `ringwall.store.durable.os`. A killed process does nothing afterwards, not even tidy up, so
after the kill every further change fails in the same way.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ringwall.store import durable


class Killed(BaseException):
    """The process is gone."""


@dataclass(frozen=True)
class Op:
    """A change: `create`, `write`, `cut`, `sync`, `mkdir`, `rename`, `link`, `unlink`."""

    kind: str
    path: str
    to: str = ""
    data: bytes = b""
    size: int = 0


@dataclass
class Disk:
    """Counts changes; at the `at`-th (from 1) the fault happens: a kill, or an error with this number.

    `unsynced` makes a mutant: `file` or `folder` syncs that are not done."""

    at: int = 0
    error: int = 0
    unsynced: str = ""
    ops: list[Op] = field(default_factory=list)
    dead: bool = False
    _paths: dict[int, str] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: str, flags: int, mode: int = 0o777, dir_fd: int | None = None) -> int:
        whole = self._path(path, dir_fd)
        new = bool(flags & os.O_CREAT) and not os.path.lexists(whole)
        if new:
            self._change(Op("create", whole))
        handle = os.open(path, flags, mode, dir_fd=dir_fd)
        self._paths[handle] = whole
        return handle

    def fdopen(self, handle: int, mode: str) -> Any:
        return os.fdopen(handle, mode)

    def dup(self, handle: int) -> int:
        copy = os.dup(handle)
        self._paths[copy] = self._paths[handle]
        return copy

    def write(self, handle: int, data: bytes) -> int:
        self._change(Op("write", self._paths[handle], data=bytes(data)))
        return os.write(handle, data)

    def ftruncate(self, handle: int, size: int) -> None:
        self._change(Op("cut", self._paths[handle], size=size))
        os.ftruncate(handle, size)

    def fsync(self, handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        if self.unsynced == ("folder" if is_folder else "file"):
            return
        self._change(Op("sync", self._paths[handle]))
        # not synced really: nobody cuts the power of the test machine, and it takes long

    def mkdir(self, path: str, mode: int = 0o777, dir_fd: int | None = None) -> None:
        whole = self._path(path, dir_fd)
        if not os.path.lexists(whole):
            self._change(Op("mkdir", whole))
        os.mkdir(path, mode, dir_fd=dir_fd)

    def replace(
        self, old: str, new: str, src_dir_fd: int | None = None, dst_dir_fd: int | None = None
    ) -> None:
        self._change(Op("rename", self._path(old, src_dir_fd), to=self._path(new, dst_dir_fd)))
        os.replace(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    rename = replace

    def link(self, old: str, new: str, src_dir_fd: int, dst_dir_fd: int) -> None:
        if not os.path.lexists(self._path(new, dst_dir_fd)):
            self._change(Op("link", self._path(old, src_dir_fd), to=self._path(new, dst_dir_fd)))
        os.link(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def unlink(self, path: str, dir_fd: int | None = None) -> None:
        whole = self._path(path, dir_fd)
        if os.path.lexists(whole):
            self._change(Op("unlink", whole))
        os.unlink(path, dir_fd=dir_fd)

    def _path(self, path: str, dir_fd: int | None) -> str:
        return path if dir_fd is None else f"{self._paths[dir_fd]}/{path}"

    def _change(self, op: Op) -> None:
        if self.dead:
            raise Killed
        self.ops.append(op)
        if len(self.ops) != self.at:
            return
        if self.error:
            if op.kind == "write" and len(op.data) > 1:  # a full disk takes a part
                handle = next(each for each, path in reversed(self._paths.items()) if path == op.path)
                os.write(handle, op.data[: len(op.data) // 2])
            raise OSError(self.error, os.strerror(self.error))
        if op.kind == "write" and len(op.data) > 1:
            handle = next(each for each, path in reversed(self._paths.items()) if path == op.path)
            os.write(handle, op.data[: len(op.data) // 2])
        self.dead = True
        raise Killed


FULL, BROKEN = errno.ENOSPC, errno.EIO


@contextmanager
def on(disk: Disk) -> Iterator[Disk]:
    """Durable writes go to this disk."""
    durable.os = disk  # type: ignore[attr-defined]
    try:
        yield disk
    finally:
        durable.os = os  # type: ignore[attr-defined]
