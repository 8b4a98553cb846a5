"""A real process, killed by the kernel's own means at its n-th system call that writes, renames or syncs.

The child runs under `ptrace`; the parent counts its calls as they begin. Linux on x86-64 and 64-bit ARM.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import sys
from collections.abc import Callable

_TRACEME, _CONT, _SYSCALL, _SETOPTIONS, _GET_SYSCALL_INFO = 0, 7, 24, 0x4200, 0x420E
_SYSGOOD, _EXITKILL = 1, 1 << 20
_ENTRY = 1

_X86 = {1, 18, 20, 74, 75, 76, 77, 82, 83, 84, 86, 87, 258, 263, 264, 265, 296, 316}
_ARM = {64, 66, 68, 70, 82, 83, 45, 46, 34, 35, 37, 38, 276, 287}
"""write, pwrite, writev, fsync, fdatasync, truncate, mkdir, unlink, link and rename, in all their forms."""

CHANGES = {"x86_64": _X86, "aarch64": _ARM}.get(platform.machine(), set())


def usable() -> bool:
    """Whether this machine lets a process trace its child."""
    if sys.platform != "linux" or not CHANGES:
        return False
    try:
        return run(lambda: None) >= 0
    except OSError:
        return False


def run(act: Callable[[], object], kill_at: int = 0) -> int:
    """Run `act` in a child; how many changing calls it began. It is killed as the `kill_at`-th begins, which
    then has not happened. Raises `OSError` where tracing is not allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long

    def ptrace(request: int, pid: int, address: int | None = None, data: object = None) -> int:
        result: int = libc.ptrace(request, pid, address, data)
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    child = os.fork()
    if child == 0:
        status = 1
        try:
            ptrace(_TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            act()
            status = 0
        finally:
            os._exit(status)
    os.waitpid(child, os.WUNTRACED)
    try:
        ptrace(_SETOPTIONS, child, None, _SYSGOOD | _EXITKILL)
        return _followed(ptrace, child, kill_at)
    except OSError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise


def _followed(ptrace: Callable[..., int], child: int, kill_at: int) -> int:
    seen, deliver = 0, 0
    info = ctypes.create_string_buffer(88)
    while True:
        ptrace(_SYSCALL, child, None, deliver)
        deliver = 0
        _pid, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            if os.WIFEXITED(status) and os.WEXITSTATUS(status):
                raise AssertionError("the run failed by itself")
            return seen
        stopped = os.WSTOPSIG(status)
        if stopped != signal.SIGTRAP | 0x80:
            deliver = stopped if stopped != signal.SIGTRAP else 0
            continue
        ptrace(_GET_SYSCALL_INFO, child, len(info), info)
        if info.raw[0] == _ENTRY and struct.unpack_from("=Q", info.raw, 24)[0] in CHANGES:
            seen += 1
            if seen == kill_at:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return seen
