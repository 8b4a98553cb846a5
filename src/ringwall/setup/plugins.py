"""The plug-ins that run in a host's own process, as `init` writes them.

Invariant: a plug-in that is written names this installation's client by its absolute path, and lies where an
agent may not write.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from importlib.resources import files

from ringwall.hosts.installation import PLUGIN_PREFIX, Installation
from ringwall.store.paths import StateDir

_CLIENT = '"@CLIENT@"'


def folder(state: StateDir) -> str:
    return os.path.join(state.path, "plugins")


def path(installation: Installation, state: StateDir) -> str:
    return os.path.join(folder(state), f"{PLUGIN_PREFIX}{installation.plugin}")


def written(installation: Installation, client: Sequence[str]) -> str:
    """The plug-in as a file of its own: the part that all have, and the host's."""
    room = files("ringwall.hosts") / "plugins"
    shared = (room / "client.mjs").read_text("utf-8")
    own = (room / installation.plugin).read_text("utf-8")
    words = ", ".join(json.dumps(word, ensure_ascii=False) for word in client)
    return f"{shared.replace(_CLIENT, words)}\n{own}"
