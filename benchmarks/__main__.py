"""All measurements in one table: `python -m benchmarks [CORPUS]`."""

from __future__ import annotations

import compileall
import sys
from pathlib import Path

import ringwall
from benchmarks import daemon_memory, decide, hook, journal, wall
from benchmarks.table import show


def main() -> None:
    compileall.compile_dir(Path(ringwall.__file__).parent, quiet=1)  # as an installed package is
    corpus = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else None  # parts change directory
    figures = [
        *decide.measure(corpus),
        *wall.measure(),
        *hook.measure(),
        *journal.measure(),
        *daemon_memory.measure(corpus),
    ]
    print(show(figures))


if __name__ == "__main__":
    main()
