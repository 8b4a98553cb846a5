"""Starts the daemon apart from whoever needs it.

Invariant: the daemon inherits nothing of its starter but a short list of variables: no open file, no
terminal, no directory, no key of a model's service.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from ringwall.daemon.lock import holder
from ringwall.store.paths import StateDir

_KEPT = ("HOME", "USER", "LOGNAME", "PATH", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "RINGWALL_HOME",
         "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
         "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY")  # fmt: skip
_LOG_LIMIT = 1_000_000


def start(state: StateDir, environ: Mapping[str, str]) -> bool:
    """Start the daemon of `state` unless it runs already; whether one was started."""
    state.prepare()
    if holder(state) is not None:
        return False
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return True
    try:
        os.setsid()
        if os.fork() == 0:
            _become(state, {name: environ[name] for name in _KEPT if name in environ})
    finally:
        os._exit(0)
    return True


def _become(state: StateDir, environ: Mapping[str, str]) -> None:
    log = os.open(state.daemon_log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    if os.fstat(log).st_size > _LOG_LIMIT:
        os.ftruncate(log, 0)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.dup2(log, 2)
    os.closerange(3, 65536)
    os.chdir("/")
    os.execve(sys.executable, _words(state), dict(environ))  # noqa: S606 - a fixed argv


def _words(state: StateDir) -> list[str]:
    """The interpreter that we run in, blind to its environment and to the directory that it is in."""
    site = ["-s"] if sys.flags.no_user_site else []
    return [sys.executable, "-E", "-P", *site, "-m", "ringwall.daemon", state.path]
