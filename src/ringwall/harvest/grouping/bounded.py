"""A bounded call of a program: its input on standard input, its whole output or an error.

Invariant: it works in an empty folder of its own, nothing of it is alive afterwards, and a call that failed,
came too late or said too much has no output (H-38 to H-43).
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ringwall.harvest.grouping import supervise
from ringwall.harvest.validate import LONGEST_ANSWER
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg

LONGEST_INPUT = 512 * 1024
"""Bytes given to an engine; more is refused, never cut (H-40)."""
LONGEST_OUTPUT = 4 * LONGEST_ANSWER
_ERRORS = 2_000
_GRACE = 30.0


class EngineError(RingwallError):
    """An engine that gave no answer; nothing is proposed."""


def call(
    command: Sequence[str], given: bytes, environ: Mapping[str, str], seconds: float, above: str | None = None
) -> bytes:
    """What `command` writes to standard output when it is given `given`. Its working folder is made in
    `above`, else where temporary files are. Raises `EngineError`."""
    if len(given) > LONGEST_INPUT:
        raise too_much(len(given))
    with tempfile.TemporaryDirectory(prefix="ringwall-engine-", dir=above) as folder:
        _hold_empty(folder)
        bounds = [str(seconds), str(LONGEST_OUTPUT), str(_ERRORS)]
        supervised = [sys.executable, "-I", "-S", str(Path(supervise.__file__)), *bounds, "--", *command]
        child = subprocess.Popen(
            supervised, cwd=folder, env=dict(environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        try:
            said, _ = child.communicate(given, timeout=seconds + _GRACE)
        except BaseException:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(_GRACE)
            child.kill()
            child.wait()
            raise
    return _output(command[0], said)


def _hold_empty(folder: str) -> None:
    """Make sure that the folder is the one just made: no link, ours, with nothing in it."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        found = os.fstat(held)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077 or os.listdir(held):
            raise failed("folder", msg("The working folder of the engine is not empty and private."))
    finally:
        os.close(held)


def _output(program: str, said: bytes) -> bytes:
    head, _, output = said.partition(b"\n")
    try:
        report = json.loads(head)
    except ValueError:
        raise failed("lost", msg("The call of {program} was ended from outside.", program=program)) from None
    ended = report["ended"]
    if ended == "exited" and report["status"] == 0:
        return output
    why = " ".join(report["errors"].split())[-400:] or "-"
    raise failed(ended if ended in _ENDINGS else "failed", _ending(ended, program, report["status"], why))


_ENDINGS = ("late", "too_long", "not_started")


def _ending(ended: str, program: str, status: int, why: str) -> Text:
    if ended == "late":
        return msg("{program} did not answer in time and was ended: {why}", program=program, why=why)
    if ended == "too_long":
        return msg("{program} wrote more than {most} bytes.", program=program, most=LONGEST_OUTPUT)
    if ended == "not_started":
        return msg("{program} cannot be started: {why}.", program=program, why=why)
    return msg("{program} failed with status {status}: {why}", program=program, status=status, why=why)


def too_much(size: int) -> EngineError:
    """More than an engine is given."""
    most = LONGEST_INPUT
    return failed(
        "input",
        msg("The corrections have {size} bytes; an engine is given at most {most}.", size=size, most=most),
    )


def failed(code: str, what: Text) -> EngineError:
    return EngineError(
        f"harvest.engine.{code}", what, msg("Try it again, or with another engine; nothing was proposed.")
    )
