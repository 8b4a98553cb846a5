"""Who decides, as the journal names them."""

from __future__ import annotations

import getpass
import os


def person() -> str:
    """The user whom this process belongs to."""
    try:
        return f"person:{getpass.getuser()}"
    except (KeyError, OSError):
        return f"person:{os.getuid()}"
