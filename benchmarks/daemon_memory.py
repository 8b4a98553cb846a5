"""What the daemon keeps in memory after it has judged a corpus. `python -m benchmarks.daemon_memory`."""

from __future__ import annotations

import os
import subprocess

from benchmarks.decide import commands
from benchmarks.journal import ask, frame
from benchmarks.session import session
from benchmarks.table import Figure, show

AIM = 80


def measure(corpus: str | None = None) -> list[Figure]:
    with session() as running:
        os.chdir(running.state.path)
        try:
            fresh = _megabytes(running.process)
            frames = [frame(running.payload(text)) for text in commands(corpus)]
            ask(frames, range(len(frames)))
            used = _megabytes(running.process)
        finally:
            os.chdir("/")
    return [
        Figure("daemon, memory when started", fresh, "MB"),
        Figure(
            "daemon, memory after the corpus", used, "MB", "started", used / fresh, f"≤ {AIM}", used <= AIM
        ),
    ]


def _megabytes(process: int) -> float:
    printed = subprocess.check_output(["ps", "-o", "rss=", "-p", str(process)], text=True)
    return int(printed) / 1024


if __name__ == "__main__":
    print(show(measure()))
