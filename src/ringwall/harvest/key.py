"""Where the ledger of a project and a role is.

Invariant: a key is a digest and a checked word, so that it is a safe part of a path, and two projects never
share one (H-17, H-18).
"""

from __future__ import annotations

import hashlib
import os
import re

from ringwall.agents.model import NAME
from ringwall.harvest.model import Key
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

PROJECT_KEY = re.compile(r"[0-9a-f]{16}", re.ASCII)


def project_key(project: str) -> str:
    """The key of a project: a digest of where its path really leads."""
    return hashlib.sha256(os.fsencode(os.path.realpath(project))).hexdigest()[:16]


def read_key(text: str) -> Key:
    """A key as it is printed, `PROJECT/ROLE`. Raises `UsageError`."""
    project, _, role = text.partition("/")
    if not PROJECT_KEY.fullmatch(project) or not NAME.fullmatch(role):
        raise UsageError(
            "harvest.key",
            msg("{text} is no key of a ledger.", text=ascii(text[:80])),
            msg("`ringwall harvest status` lists the keys."),
        )
    return Key(project, role)
