"""Mentor and judge: the commands that a person has configured to read plans.

Invariant: bounded in time and output; a command that fails, is late or says too much gives no verdict, and
what it says is kept as advice. Only trusted policy names a command (`policy/wall.py`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ringwall.model.text import Text, msg
from ringwall.plan.advice import Advice, Word, advice_of
from ringwall.policy.wall import Wall

SECONDS = 300.0
MOST_BYTES = 65_536


def asked(wall: Wall, review: Mapping[str, Any], root: str) -> Iterator[Advice]:
    """The advice of each reviewer that is configured, mentor first."""
    for role, argv in (("mentor", wall.mentor), ("judge", wall.judge)):
        if argv:
            yield ask(role, argv, review, root)


def ask(
    role: str, argv: tuple[str, ...], review: Mapping[str, Any], root: str, seconds: float = SECONDS
) -> Advice:
    """Run one reviewer in the project root with the review, and its role, as JSON on stdin."""
    given = json.dumps({**review, "role": role}, ensure_ascii=False).encode("utf-8", "backslashreplace")
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as wanted:
        wanted.write(given)
        wanted.seek(0)
        try:
            process = subprocess.Popen(
                argv, stdin=wanted, stdout=said, stderr=subprocess.DEVNULL, cwd=root, start_new_session=True
            )
        except (OSError, ValueError) as error:
            return _nothing(role, msg("{command} could not be run: {error}", command=argv[0], error=error))
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            return _nothing(role, msg("it did not answer within {seconds} seconds", seconds=round(seconds)))
        finally:
            _end(process)
        said.seek(0)
        output = said.read(MOST_BYTES + 1)
    if len(output) > MOST_BYTES:
        return _nothing(role, msg("its answer is too long"))
    text = output.decode("utf-8", "backslashreplace")
    if status and not text.strip():
        return _nothing(role, msg("it ended with status {status} and said nothing", status=status))
    return advice_of(role, text, status)


def _nothing(role: str, why: Text) -> Advice:
    return Advice(role, Word.NONE, str(why))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
