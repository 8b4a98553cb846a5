"""The two programs that judging may run: `git` and `shfmt`.

Invariant: bounded in time and output, without a shell, with an environment of our own; a program that
fails, is late, says too much or is not there gives None.
"""

from __future__ import annotations

import os
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache

_USUAL = ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin")
_CHUNK = 65_536


@lru_cache(maxsize=4)
def program(name: str) -> str | None:
    """The absolute path of a program: beside our interpreter, in the usual places, then on PATH."""
    own = os.path.dirname(sys.executable)
    on_path = [folder for folder in os.environ.get("PATH", "").split(":") if os.path.isabs(folder)]
    return shutil.which(name, path=":".join((own, *_USUAL, *on_path)))


def output(
    argv: Sequence[str], given: bytes, env: Mapping[str, str], seconds: float, limit: int
) -> bytes | None:
    """What the program prints for `given` on its standard input, None unless it exits with 0."""
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=dict(env),
        )
    except (OSError, ValueError):
        return None
    try:
        printed = _converse(process, given, time.monotonic() + seconds, limit)
        return printed if printed is not None and process.wait(seconds) == 0 else None
    except (OSError, subprocess.TimeoutExpired):
        return None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()


def _converse(process: subprocess.Popen[bytes], given: bytes, end: float, limit: int) -> bytes | None:
    """Feed and read at once; None past the bounds."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101 - both are pipes
    source, sink = process.stdin.fileno(), process.stdout.fileno()
    left, printed = memoryview(given), bytearray()
    os.set_blocking(source, False)
    with selectors.DefaultSelector() as ready:
        ready.register(sink, selectors.EVENT_READ)
        if left:
            ready.register(source, selectors.EVENT_WRITE)
        else:
            process.stdin.close()
        while (rest := end - time.monotonic()) > 0:
            for key, _ in ready.select(rest):
                if key.fd == sink:
                    part = os.read(sink, _CHUNK)
                    printed += part
                    if not part:
                        return bytes(printed)
                    if len(printed) > limit:
                        return None
                    continue
                try:
                    left = left[os.write(source, left[:_CHUNK]) :]
                except BrokenPipeError:
                    left = left[:0]
                if not left:
                    ready.unregister(source)
                    process.stdin.close()
    return None
