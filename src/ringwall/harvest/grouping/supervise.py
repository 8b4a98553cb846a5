"""Runs one command within bounds and leaves nothing of it behind; a program of its own.

`python -I -S supervise.py SECONDS BYTES ERRORS -- COMMAND…` gives the command its own standard input and
writes one line of JSON (`ended`: exited, late, too_long, not_started; `status`; the end of `errors`) and then
the output. Invariant: when it ends, every process that the command has started is dead, whatever session it
made for itself (Linux: this process adopts the orphans; elsewhere the process group is killed). Standard
library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import selectors
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
SWEEPS = 500


def main() -> None:
    seconds, most, kept = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    command = sys.argv[sys.argv.index("--") + 1 :]
    adopt_orphans()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        report("not_started", 0, str(error).encode(), b"")
        return
    try:
        ended, output, errors = watch(child, time.monotonic() + seconds, most, kept)
    finally:
        kill(child)
    report(ended, child.returncode, errors, output if ended == "exited" else b"")


def adopt_orphans() -> None:
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def watch(child: subprocess.Popen[bytes], deadline: float, most: int, kept: int) -> tuple[str, bytes, bytes]:
    """How it ended, its output and the end of its errors."""
    assert child.stdout is not None and child.stderr is not None  # noqa: S101
    output, errors = bytearray(), bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(child.stdout, selectors.EVENT_READ, output)
        ready.register(child.stderr, selectors.EVENT_READ, errors)
        while ready.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                return "late", bytes(output), bytes(errors)
            came = ready.select(min(left, 0.2))
            for key, _ in came:
                part = os.read(key.fd, 65536)
                if not part:
                    ready.unregister(key.fileobj)
                key.data.extend(part)
            del errors[:-kept]
            if len(output) > most:
                return "too_long", b"", bytes(errors)
            if not came and child.poll() is not None:
                break
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(max(deadline - time.monotonic(), 0.01))
    return "exited" if child.poll() is not None else "late", bytes(output), bytes(errors)


def kill(child: subprocess.Popen[bytes]) -> None:
    """End the command, its process group, and whoever has come to this process by losing a parent."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for _ in range(SWEEPS):
        found = children()
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not found:
            return
        time.sleep(0.01)


def children() -> list[int]:
    """The processes whose parent this one is, as /proc tells."""
    found = []
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with (
                contextlib.suppress(OSError, ValueError, IndexError),
                open(f"/proc/{name}/stat", "rb") as stat,
            ):
                if int(stat.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    found.append(int(name))
    return found


def report(ended: str, status: int, errors: bytes, output: bytes) -> None:
    line = {"ended": ended, "status": status, "errors": errors.decode("utf-8", "replace")}
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n" + output)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
