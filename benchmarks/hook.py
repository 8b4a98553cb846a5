"""A hook from end to end, as hosts call it: `sh -c CLIENT`, payload on stdin, reply on stdout.

Measured in turns beside `sh -c /bin/true` and `python3 -I -S -c pass`, so that what else the machine does
falls on all alike. `python -m benchmarks.hook [ROUNDS]`.
"""

from __future__ import annotations

import os
import random
import shlex
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.session import session
from benchmarks.table import Figure, percentile, show
from ringwall.daemon import client

FLOOR, PYTHON = "sh -c /bin/true", "python3 -I -S -c pass"


def measure(rounds: int = 300) -> list[Figure]:
    scripts = sysconfig.get_path("scripts")
    native = f"{scripts}/ringwall-hook"
    script = f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(Path(client.__file__)))}"
    with session() as running:
        given, env = running.payload("git status"), running.environ
        away = {**env, "RINGWALL_HOME": f"{running.project}/none"}
        ways: dict[str, tuple[str, Mapping[str, str]]] = {
            FLOOR: ("/bin/true", env),
            PYTHON: (f"{shlex.quote(sys.executable)} -I -S -c pass", env),
            "hook, client in Python": (f"{script} claude", env),
        }
        if os.path.exists(native):
            ways["hook, native client"] = (f"{shlex.quote(native)} claude", env)
        times = _in_turns(ways, given, rounds)
        alone = [_once(f"{shlex.quote(scripts)}/ringwall hook claude", given, away) for _ in range(5)]
    floor = percentile(times[FLOOR], 0.5)
    rows = [_figure(name, values, floor) for name, values in times.items()]
    return [*rows, _figure("hook, no daemon", alone, floor)]


def _in_turns(
    ways: Mapping[str, tuple[str, Mapping[str, str]]], given: bytes, rounds: int
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        names = list(ways)
        random.shuffle(names)
        for name in names:
            times[name].append(_once(*_split(ways[name], given)))
    return times


def _split(way: tuple[str, Mapping[str, str]], given: bytes) -> tuple[str, bytes, Mapping[str, str]]:
    return way[0], given, way[1]


def _once(command: str, given: bytes, env: Mapping[str, str]) -> float:
    begin = time.perf_counter()
    done = subprocess.run(["sh", "-c", command], input=given, capture_output=True, env=env, check=False)
    spent = time.perf_counter() - begin
    if done.returncode:
        raise RuntimeError(f"{command}: {done.returncode} {done.stderr!r}")
    return spent


def _figure(name: str, values: list[float], floor: float) -> Figure:
    middle = percentile(values, 0.5)
    ratio = middle / floor
    aimed = name == "hook, native client"
    return Figure(
        f"{name}, median",
        middle * 1e3,
        "ms",
        FLOOR,
        ratio,
        "≤ 1.5 ×" if aimed else "",
        ratio <= 1.5 if aimed else None,
    )


if __name__ == "__main__":
    print(show(measure(*map(int, sys.argv[1:2]))))
