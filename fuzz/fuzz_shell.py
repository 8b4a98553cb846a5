"""Coverage-guided fuzzing of command lines: `python -m fuzz.fuzz_shell [libFuzzer options] [CORPUS…]`.

Needs atheris. The instrumented code is slower, so that time is only held against a wider bound here;
`python -m fuzz.mutate` measures it. `RINGWALL_FUZZ_FOUND=FOLDER` keeps findings there and goes on.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found]

with atheris.instrument_imports(include=["ringwall.shell", "ringwall.tools", "ringwall.gate"]):
    from fuzz.properties import MOST_BYTES, broken

SLOWER = 0.4
DICTIONARY = Path(__file__).with_name("shell.dict")


class BrokenPropertyError(Exception):
    """An input breaks a property."""


def one(data: bytes) -> None:
    text = data[:MOST_BYTES].decode("utf-8", "surrogateescape")
    found = broken(text, SLOWER)
    if found is None:
        return
    folder = os.environ.get("RINGWALL_FUZZ_FOUND")
    if not folder:
        raise BrokenPropertyError(f"{found}: {text!r}")
    name = f"{found.partition(':')[0]}-{hashlib.sha256(data).hexdigest()[:12]}"
    Path(folder, name).write_bytes(data[:MOST_BYTES])


if __name__ == "__main__":
    atheris.Setup([sys.argv[0], f"-dict={DICTIONARY}", "-max_len=4096", *sys.argv[1:]], one)
    atheris.Fuzz()
