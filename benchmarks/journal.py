"""The journal: appends in process, and decisions per second through the daemon.

`python -m benchmarks.journal`. The calls come from another process with 16 threads, each of which waits for
its answer before it asks again; each call has a connection of its own, as hooks make them. They are the plain
commands of `decide.py` in turn, so after the first round the daemon has seen them.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import tempfile
import threading
import time

from benchmarks.decide import PLAIN
from benchmarks.session import Session, session
from benchmarks.table import Figure, show
from ringwall import __version__
from ringwall.journal.events import HostReported
from ringwall.journal.verify import verify
from ringwall.journal.write import Journal
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

AT_ONCE = 16
CALLS = 6_000
AIM = 2_000


def measure() -> list[Figure]:
    single, grouped = _appends(1), _appends(32)
    with session() as running:
        _load(running, 400)
        rate = _load(running, CALLS)
        report = verify(Store(running.state))
    if not report.whole or report.records < CALLS:
        raise RuntimeError("the journal does not hold what was answered")
    return [
        Figure("journal, appends, one a commit", single, "/s"),
        Figure("journal, appends, 32 a commit", grouped, "/s", "one a commit", grouped / single),
        Figure("decisions through the daemon", rate, "/s", aim=f"≥ {AIM:,}", reached=rate >= AIM),
    ]


def _appends(group: int, seconds: float = 1.5) -> float:
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Store(StateDir(f"{folder}/state")))
        event = HostReported(
            host="claude", event="Stop", moment="stop", session="s", detail={"text": "x" * 700}
        )
        count, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            with journal.writing() as entry:
                for _ in range(group):
                    entry.append(event, "agent:claude", "s")
            count += group
        return count / (time.perf_counter() - begin)


def _load(running: Session, calls: int) -> float:
    """Calls per second, asked by a process of its own."""
    frames = [frame(running.payload(text, f"c{n}")) for n, text in enumerate(PLAIN)]
    context = multiprocessing.get_context("fork")
    spent = context.Queue()
    process = context.Process(target=_ask_all, args=(running.state.path, frames, calls, spent))
    process.start()
    seconds: float = spent.get(timeout=120)
    process.join()
    return calls / seconds


def _ask_all(folder: str, frames: list[bytes], calls: int, spent: object) -> None:
    os.chdir(folder)
    threads = [
        threading.Thread(target=ask, args=(frames, range(first, calls, AT_ONCE))) for first in range(AT_ONCE)
    ]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent.put(time.perf_counter() - begin)  # type: ignore[attr-defined]


def ask(frames: list[bytes], turns: range) -> None:
    for n in turns:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect("daemon.sock")
            connection.sendall(frames[n % len(frames)])
            reply = b""
            while part := connection.recv(65536):
                reply += part
        if reply[:4] != b"RWR1":
            raise RuntimeError(f"no reply: {reply!r}")


def frame(payload: bytes) -> bytes:
    header = f"{__version__}\0claude\x000\0HOME=/home/nobody\0".encode()
    return b"RWQ1" + len(header).to_bytes(4, "big") + len(payload).to_bytes(4, "big") + header + payload


if __name__ == "__main__":
    print(show(measure()))
