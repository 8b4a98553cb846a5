"""Is the project connected to its harness? Built of file reads only; no program is run.

Invariant: silence where all signals are there and where there is no repository; else one text that names
what is missing, in the order of the signals.
"""

from __future__ import annotations

import posixpath

from ringwall.model.surroundings import Node
from ringwall.model.visible import visible_line
from ringwall.prestep.disk import MOST_BYTES, Disk
from ringwall.prestep.profile import MISSING, ROOT, HarnessCheck, Signal


def project_root(cwd: str, disk: Disk) -> str | None:
    """The nearest directory at or above `cwd` that holds `.git`, as a directory or as a file (P-05); None
    outside git."""
    at = cwd
    while True:
        if disk.node(posixpath.join(at, ".git")) in (Node.DIRECTORY, Node.FILE):
            return at
        above = posixpath.dirname(at)
        if above == at:
            return None
        at = above


def harness_text(cwd: str, check: HarnessCheck, disk: Disk) -> str | None:
    """The hint for a session in `cwd`, or None."""
    root = project_root(posixpath.normpath(cwd), disk) if cwd.startswith("/") else None
    if root is None:
        return None
    missing = [signal.missing for signal in check.signals if not _is_there(root, signal, disk)]
    if not missing:
        return None
    before, _, after = check.text.partition(ROOT)  # the root may itself read like a placeholder
    told = check.separator.join(missing)
    return f"{before.replace(MISSING, told)}{visible_line(root)}{after.replace(MISSING, told)}"


def _is_there(root: str, signal: Signal, disk: Disk) -> bool:
    path = posixpath.join(root, signal.path)
    if not signal.heading:
        return disk.node(path) is Node.DIRECTORY
    text = disk.read(path, MOST_BYTES) or ""
    return any(line.rstrip() == signal.heading for line in text.splitlines())
