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

from ringwall.hosts.installation import PLUGIN_PREFIX, Form, Installation, Planned
from ringwall.hosts.registry import real_host
from ringwall.journal.identifiers import uuid7
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup import json_lists, plugins
from ringwall.setup.hook_client import hook_client
from ringwall.setup.registering import stands
from ringwall.setup.sites import everywhere
from ringwall.store.paths import StateDir, locate

SESSION_VARIABLE = "RINGWALL_SESSION"
"""Names the session to everything that runs in it, so that an agent's own `ringwall` knows where it is."""

_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)


def run(host: str, arguments: Sequence[str], project: str, env: Mapping[str, str]) -> int:
    """Run the host until it ends; its exit status (128 + n after signal n). Raises `UsageError` where the
    host's program is not on PATH, or nothing would be judged."""
    installation = real_host(host).installation
    program = _program(installation.program, env)
    _refuse_what_unhooks(installation, arguments)
    state = locate(env)
    state.prepare()
    session = uuid7(time.time_ns())
    with _hooks(installation, project, env, state) as words:
        return _carry([program, *words, *arguments], project, {**env, SESSION_VARIABLE: session})


def _refuse_what_unhooks(installation: Installation, arguments: Sequence[str]) -> None:
    words = {word.partition("=")[0] for word in arguments}
    taken = installation.run[0] if installation.run else ""
    if taken == "--settings" and taken in words:
        raise UsageError(
            "run.settings_taken",
            msg("`--settings` is how Ringwall gives the session its hooks."),
            msg("Put those settings into the project's or the user's settings file."),
            taken,
        )
    for word in words.intersection(installation.unhooks):
        raise UsageError(
            "run.no_hooks",
            msg("With `{word}` the host runs no hooks, so nothing would be judged.", word=word),
            msg("Leave it away, or start the host without Ringwall."),
            word,
        )


@contextlib.contextmanager
def _hooks(
    installation: Installation, project: str, env: Mapping[str, str], state: StateDir
) -> Iterator[list[str]]:
    """The arguments by which this session gets its hooks, from a file in Ringwall's own state, which the gate
    guards against the agent. A host that takes no such file must have Ringwall registered."""
    if not installation.run:
        _refuse_unregistered(installation, project, env, state)
        yield []
        return
    with tempfile.TemporaryDirectory(prefix="session-", dir=state.path) as folder:
        path = os.path.join(folder, _NAMES[installation.form])
        for name, text in _files(installation, path):
            os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "w", encoding="utf-8", opener=_private) as file:
                file.write(text)
        yield [word.format(path) for word in installation.run]


_NAMES = {Form.LISTS: "settings.json", Form.BLOCK: "settings.yml", Form.OWN: "plugin.js"}


def _files(installation: Installation, path: str) -> Iterator[tuple[str, str]]:
    """The files of one session: what a setting names, and the setting."""
    planned = Planned(hook_client(), os.path.dirname(path), path=path)
    own = installation.plugin and plugins.written(installation, planned.client)
    if own and installation.form is Form.OWN:
        yield path, own
        return
    if own:
        yield os.path.join(planned.plugins, f"{PLUGIN_PREFIX}{installation.plugin}"), own
    if installation.form is Form.LISTS:
        text = json_lists.with_items("{}\n", path, installation.lists(planned))
        yield path, json.dumps({"disableAllHooks": False, **json.loads(text)})
    else:
        yield path, installation.text(planned)


def _refuse_unregistered(
    installation: Installation, project: str, env: Mapping[str, str], state: StateDir
) -> None:
    for _, path in everywhere(installation, project, env):
        if stands(installation, path, state):
            return
    raise UsageError(
        "run.not_registered",
        msg("Ringwall is not registered with {host} here, and it takes no hooks for one session.",
            host=installation.title),
        msg("Run `ringwall init {name}` first.", name=installation.program),
    )  # fmt: skip


def _program(name: str, env: Mapping[str, str]) -> str:
    found = shutil.which(name, path=env.get("PATH", os.defpath))
    if found is None:
        raise UsageError(
            "run.no_program",
            msg("There is no program {name} on PATH.", name=name),
            msg("Install it, or add its folder to PATH."),
        )
    return os.path.abspath(found)


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
