"""`ringwall run HOST -- ARGS`: one session of a host with hooks and identity, and nothing written to the
project.

Invariant: the settings file of the session is private and gone afterwards; signals and the exit status go
through as if the host had been started directly.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType

from ringwall.hosts.registry import host as known_host
from ringwall.journal.identifiers import uuid7
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.claude_settings import wanted
from ringwall.setup.hook_client import hook_client
from ringwall.store.paths import StateDir, locate

SESSION_VARIABLE = "RINGWALL_SESSION"
"""Names the session to everything that runs in it, so that an agent's own `ringwall` knows where it is."""

_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)


def run(host: str, arguments: Sequence[str], project: str, env: Mapping[str, str]) -> int:
    """Run the host until it ends; its exit status (128 + n after signal n). Raises `UsageError` where the
    host's program is not on PATH."""
    program = _program(known_host(host).name, env)
    _refuse_what_unhooks(arguments)
    state = locate(env)
    state.prepare()
    session = uuid7(time.time_ns())
    with _session_settings(state) as settings:
        words = [program, "--settings", settings, *arguments]
        return _carry(words, project, {**env, SESSION_VARIABLE: session})


def _refuse_what_unhooks(arguments: Sequence[str]) -> None:
    words = {word.partition("=")[0] for word in arguments}
    if "--settings" in words:
        raise UsageError(
            "run.settings_taken",
            msg("`--settings` is how Ringwall gives the session its hooks."),
            msg("Put those settings into the project's or the user's settings file."),
            "--settings",
        )
    if "--bare" in words:
        raise UsageError(
            "run.no_hooks",
            msg("With `--bare` the host runs no hooks, so nothing would be judged."),
            msg("Leave it away, or start the host without Ringwall."),
            "--bare",
        )


def _program(name: str, env: Mapping[str, str]) -> str:
    found = shutil.which(name, path=env.get("PATH", os.defpath))
    if found is None:
        raise UsageError(
            "run.no_program",
            msg("There is no program {name} on PATH.", name=name),
            msg("Install it, or add its folder to PATH."),
        )
    return os.path.abspath(found)


@contextlib.contextmanager
def _session_settings(state: StateDir) -> Iterator[str]:
    """A file in Ringwall's own state, which the gate guards against the agent. It outranks the settings of
    project and user, so that neither can switch the hooks off."""
    hooks = {event: [group] for event, group in wanted(hook_client()).items()}
    with tempfile.TemporaryDirectory(prefix="session-", dir=state.path) as folder:
        path = os.path.join(folder, "settings.json")
        with open(path, "w", encoding="utf-8", opener=_private) as file:
            json.dump({"disableAllHooks": False, "hooks": hooks}, file)
        yield path


def _carry(words: Sequence[str], project: str, env: Mapping[str, str]) -> int:
    """Run `words` in our own process group, so that the terminal's signals reach it; pass on the others."""
    started: list[subprocess.Popen[bytes]] = []

    def pass_on(number: int, frame: FrameType | None) -> None:
        if number in _FROM_TERMINAL and os.isatty(0):
            return
        for process in started:
            process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in _PASSED_ON}
    try:
        started.append(subprocess.Popen(words, cwd=project, env=env))
        status = started[0].wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return status if status >= 0 else 128 - status


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
