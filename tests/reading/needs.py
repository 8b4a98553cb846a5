"""What a machine must have for the tests with a browser; what is missing is the reason of their skipping."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from ringwall.model.errors import RingwallError
from ringwall.reading import isolation
from ringwall.reading.isolation import Isolation

LONG = bool(os.environ.get("RINGWALL_LONG_TESTS"))
"""Set for the runs that take minutes: every technique, hundreds of reads and cancellations."""


def _missing() -> str:
    for module in ("playwright", "httpx"):
        if find_spec(module) is None:
            return f"{module} is not installed (pip install 'ringwall[reading]')"
    try:
        isolation.find_chromium()
    except RingwallError as error:
        return str(error)
    return ""


MISSING = _missing()
browser = pytest.mark.skipif(bool(MISSING), reason=MISSING or "there")
jail = pytest.mark.skipif(
    not MISSING and isolation.fault_of(Isolation.JAIL) is not None, reason="bubblewrap does not work here"
)
display = pytest.mark.skipif(not shutil.which("Xvfb"), reason="Xvfb is not here (apt install xvfb)")


def best() -> Isolation:
    """The strongest wall that works here."""
    good = (one for one in isolation.SYSTEM_WALLS if isolation.fault_of(one) is None)
    return next(good, Isolation.SWITCHES)


@contextmanager
def a_display(folder: Path) -> Iterator[str]:
    """A display of our own, by its name."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
    )  # fmt: skip
    os.close(write)
    try:
        number = os.read(read, 16).strip().decode()
        assert number, "Xvfb did not start"
        time.sleep(0.05)
        yield f":{number}"
    finally:
        os.close(read)
        server.terminate()
        server.wait(10)
