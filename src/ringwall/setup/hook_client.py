"""Which command a host shall call: the native client, else the same client in Python.

Invariant: the command is absolute, so that neither PATH nor the working directory can change what runs.
"""

from __future__ import annotations

import os
import sys
import sysconfig

from ringwall.setup.claude_settings import CLIENT_PROGRAM, CLIENT_SCRIPT


def hook_client() -> tuple[str, ...]:
    """The argv of the client, without its own arguments."""
    native = native_client()
    if native is not None:
        return (native,)
    return (sys.executable, "-I", "-S", python_client())


def native_client() -> str | None:
    """The native client of this installation, where it has one."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in (sysconfig.get_path("scripts"), os.path.join(package, "daemon")):
        path = os.path.join(folder, CLIENT_PROGRAM)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def python_client() -> str:
    """The client in Python."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.path.join(os.path.dirname(package), CLIENT_SCRIPT)
