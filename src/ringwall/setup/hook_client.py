"""Which command a host shall call: the client that this installation brought, else its source.

Invariant: the command is absolute, so that neither PATH nor the working directory can change what runs.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, files

from ringwall.hosts.installation import CLIENT_PROGRAM, CLIENT_SCRIPT


def hook_client() -> tuple[str, ...]:
    """The argv of the client, without its own arguments."""
    installed = installed_client()
    if installed is not None:
        return (installed,)
    return (sys.executable, "-I", "-S", python_client())


def installed_client() -> str | None:
    """`ringwall-hook` as it was installed with this package: native, or a script where there was no
    compiler. None where the package was not installed but is run from its folder."""
    try:
        listed = files("ringwall") or []
    except PackageNotFoundError:
        return None
    for entry in listed:
        path = os.path.abspath(str(entry.locate()))
        if entry.name == CLIENT_PROGRAM and os.access(path, os.X_OK):
            return path
    return None


def python_client() -> str:
    """The client's source in Python, which runs by itself."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.path.join(os.path.dirname(package), CLIENT_SCRIPT)
