"""What an answer to a call is bound to, as the disk has it now.

Invariant: looking only, and bounded; what cannot be looked up is bound as such, so that it differs as soon as
it can be.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping

from ringwall.approvals.binding import Binding
from ringwall.judge import git
from ringwall.model.analysis import HOLE, Analysis
from ringwall.model.canonical import digest
from ringwall.model.effects import covers

OUTWARD = ("git.push", "git.merge.protected", "pr.open", "pr.merge", "publish", "deploy")
"""Effects that send commits out: an approval is for the commits that there are."""

_MOST_PROGRAMS = 128


def binding_of(analysis: Analysis, policy: str, environ: Mapping[str, str], home: str) -> Binding:
    """The binding of a call under the policy with this digest."""
    return Binding(
        action=analysis.action.digest,
        policy=policy,
        files=tuple(sorted({(file.path, file.digest) for file in analysis.files})),
        programs=tuple(sorted(set(_programs(analysis, environ.get("PATH", ""))))[:_MOST_PROGRAMS]),
        commits=_commits(analysis, home),
    )


def _programs(analysis: Analysis, path: str) -> Iterator[tuple[str, str, str]]:
    """Each program that the call names, the file that it is now, and what changes when that file does."""
    folders = [folder for folder in path.split(":") if folder.startswith("/")]
    for command in analysis.commands:
        for name in (*command.argv[:1], *(entry.split(" ")[0] for entry in command.via)):
            if name and HOLE not in name and "\0" not in name:
                yield _program(name, command.cwd or analysis.action.cwd, folders)


def _program(name: str, cwd: str, folders: list[str]) -> tuple[str, str, str]:
    places = [os.path.join(cwd, name)] if "/" in name else [f"{folder}/{name}" for folder in folders]
    for place in places:
        try:
            entry = os.stat(place)
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(entry.st_mode) and entry.st_mode & 0o111:
            stamp = (entry.st_dev, entry.st_ino, entry.st_size, entry.st_mtime_ns, entry.st_ctime_ns)
            return name, place, ":".join(map(str, stamp))
    return name, "", ""


def _commits(analysis: Analysis, home: str) -> str:
    if not any(covers(general, effect.name) for effect in analysis.effects for general in OUTWARD):
        return ""
    folders = {analysis.action.cwd, *(command.cwd for command in analysis.commands)}
    known = {
        folder: git.references(folder, home) for folder in sorted(folders) if folder and HOLE not in folder
    }
    return digest(known)
