"""Plan files that lie in a project's folders for plans. Invariant: looking only, and bounded."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

MOST_DRAFTS = 20
MOST_ENTRIES = 2_000
STEPS = b"```steps-json"


def drafts_below(root: str, folders: Sequence[str]) -> list[str]:
    """The plan files below these folders of the project, newest first, as paths from `root`."""
    found = sorted(_plan_files(root, folders), reverse=True)
    return [path for _, path in found[:MOST_DRAFTS]]


def _plan_files(root: str, folders: Sequence[str]) -> Iterator[tuple[int, str]]:
    left = MOST_ENTRIES
    for folder in folders:
        try:
            entries = sorted(os.scandir(f"{root}/{folder}"), key=lambda entry: entry.name)[:left]
        except OSError:
            continue
        left -= len(entries)
        for entry in entries:
            if entry.name.endswith(".md") and entry.is_file(follow_symlinks=False) and _has_steps(entry.path):
                yield entry.stat(follow_symlinks=False).st_mtime_ns, f"{folder}/{entry.name}"


def _has_steps(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return STEPS in file.read(262_144)
    except OSError:
        return False
