"""Doctor's look at this machine: interpreter, installation, state directory, daemon, journal.

Invariant: a fault of the state becomes a failed check with its repair, never an exception.
"""

from __future__ import annotations

import os
import platform
import socket
import subprocess
import sys
import tempfile
import time

from ringwall import __version__
from ringwall.journal.verify import verify
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.setup.check import Check, fail, ok, warn
from ringwall.setup.hook_client import installed_client, python_client
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

LEAST_PYTHON = (3, 11)
_REINSTALL = msg("Install Ringwall again; where there is a C compiler it gets its fast client.")


def python() -> Check:
    told = msg("Python {version} at {path}.", version=platform.python_version(), path=sys.executable)
    if sys.version_info < LEAST_PYTHON:
        return fail("python", told, msg("Install Ringwall with Python 3.11 or later."))
    return ok("python", told)


def package() -> Check:
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return ok("package", msg("Ringwall {version} in {path}.", version=__version__, path=folder))


def client() -> Check:
    """The client runs and is of this version; a compiled one is faster than a script."""
    path = installed_client()
    if path is None:
        if os.path.isfile(python_client()):
            return warn("client", msg("ringwall-hook is not installed; its source is run."), _REINSTALL)
        return fail("client", msg("There is no client for hooks."), _REINSTALL)
    try:
        done = subprocess.run([path, "--version"], capture_output=True, stdin=subprocess.DEVNULL, timeout=10)
        with open(path, "rb") as file:
            script = file.read(2) == b"#!"
    except (OSError, subprocess.TimeoutExpired) as error:
        return fail("client", msg("{path} cannot be run: {detail}", path=path, detail=error), _REINSTALL)
    told = done.stdout.decode("utf-8", "backslashreplace").strip()
    if done.returncode != 0 or told.split()[-1:] != [__version__]:
        what = msg("{path} is of another version: {told}", path=path, told=told)
        return fail("client", what, _REINSTALL)
    if script:
        return warn("client", msg("{path} runs; it is the one in Python.", path=path), _REINSTALL)
    return ok("client", msg("The native client {path} runs.", path=path))


def state_directory(state: StateDir) -> Check:
    try:
        state.prepare()
        with tempfile.TemporaryFile(dir=state.path):
            pass
    except RingwallError as error:
        return fail("state", msg("{error}", error=error), error.repair)
    except OSError as error:
        what = msg("{path} cannot be written: {detail}.", path=state.path, detail=error.strerror)
        return fail("state", what, msg("Make it writable for you, or free some space."))
    return ok("state", msg("The state directory is {path}.", path=state.path))


def journal(state: StateDir) -> Check:
    if not os.path.exists(state.database):
        return ok("journal", msg("The journal is empty."))
    store = Store(state)
    try:
        report = verify(store)
    except RingwallError as error:
        return fail("journal", msg("{error}", error=error), error.repair)
    finally:
        store.close()
    if report.whole:
        return ok("journal", msg("The journal verifies ({count} records).", count=report.records))
    return fail(
        "journal",
        msg("The journal does not verify: {what}", what=report.findings[0].what),
        msg("Run `ringwall log verify`, and find out what changed it."),
    )


def daemon(state: StateDir, seconds: float) -> Check:
    """Whether the daemon answers, at the latest after `seconds`: a first call has only just started it."""
    end = time.monotonic() + seconds
    while not _listens(state):
        if time.monotonic() >= end:
            return warn(
                "daemon",
                msg("No daemon answers; each call is judged without it, which takes longer."),
                msg("Run `ringwall daemon start`, and see {path}.", path=state.daemon_log),
            )
        time.sleep(0.1)
    return ok("daemon", msg("The daemon answers."))


def _listens(state: StateDir) -> bool:
    """The socket is named relative to its directory, whose path may be longer than an address holds."""
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(state.path)
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(5)
            probe.connect(os.path.basename(state.socket))
    except OSError:
        return False
    finally:
        os.fchdir(here)
        os.close(here)
    return True
