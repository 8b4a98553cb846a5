"""The skills that come with Ringwall, in the folders where hosts look for skills.

Invariant: a skill that somebody has changed stays as it is, unless a person says that it shall be replaced
and has seen the difference; what stood there before Ringwall came is given back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files

from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup import receipt
from ringwall.setup.change import Change, read_file
from ringwall.store.paths import StateDir, locate

SKILLS = ("role", "sdd", "ringwall")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a host looks for skills: below the folder that `variable` names, else below the home."""

    folder: str
    variable: str = ""
    below: str = "skills"


PLACES: Mapping[str, Place] = {
    "claude": Place(".claude", "CLAUDE_CONFIG_DIR"),
    "codex": Place(".codex", "CODEX_HOME"),
    "copilot": Place(".copilot", "COPILOT_HOME"),
    "cursor": Place(".cursor"),
    "dsh": Place(".dsh", "DSH_HOME"),
    "gemini": Place(".gemini"),
    "opencode": Place(".config/opencode", "OPENCODE_CONFIG_DIR"),
    "pi": Place(".pi/agent", "PI_CODING_AGENT_DIR"),
}
"""The hosts that have skills."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillChange(Change):
    """A skill that is put in place or taken away, and what is kept of what was there before."""

    state: StateDir
    kept: receipt.Receipt | None

    def apply(self) -> None:
        if not self.needed:
            return
        if self.kept is not None:
            receipt.save(self.state, self.kept)
        Change.apply(self)
        if self.kept is None:
            receipt.forget(self.state, self.path)
            if self.after is None:
                with suppress(OSError):  # not empty: somebody keeps more beside the skill
                    os.rmdir(os.path.dirname(self.path))
                    os.rmdir(os.path.dirname(os.path.dirname(self.path)))


def text(skill: str) -> bytes:
    """The skill as it lies in the package."""
    return files("ringwall.setup").joinpath("skills", skill, "SKILL.md").read_bytes()


def folder(host: str, env: Mapping[str, str]) -> str:
    """Where `host` looks for the skills of this user. Raises `UsageError` where HOME does not tell."""
    place = PLACES[host]
    chosen = env.get(place.variable, "") if place.variable else ""
    home = env.get("HOME", "")
    if not os.path.isabs(chosen or home):
        raise UsageError(
            "setup.no_home",
            msg("HOME is not set, so there is no place for skills."),
            msg("Set HOME to an absolute path."),
        )
    return os.path.join(chosen or os.path.join(home, place.folder), place.below)


def plan_skills(hosts: Iterable[str], env: Mapping[str, str], *, replace: bool = False) -> tuple[Change, ...]:
    """The changes that put every skill in front of these hosts. Skills that somebody has changed are left
    alone, with a notice, unless they shall be replaced."""
    state = locate(env)
    changes = [(_putting(path, skill, state), _is_changed(path, skill, state))
               for path, skill in _paths(hosts, env)]  # fmt: skip
    return tuple(_left(change) if changed and not replace else change for change, changed in changes)


def plan_skills_removal(
    hosts: Iterable[str], env: Mapping[str, str], *, replace: bool = False
) -> tuple[Change, ...]:
    """The changes that take them away again; likewise."""
    state = locate(env)
    changes = [(_taking(path, skill, state), _is_changed(path, skill, state))
               for path, skill in _paths(hosts, env)]  # fmt: skip
    return tuple(_left(change) if changed and not replace else change for change, changed in changes)


def is_current(host: str, skill: str, env: Mapping[str, str]) -> bool:
    """Whether the skill stands there as it is in the package."""
    return read_file(_path(host, skill, env)) == text(skill)


def _paths(hosts: Iterable[str], env: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(_path(host, skill, env), skill) for host in hosts for skill in SKILLS]


def _path(host: str, skill: str, env: Mapping[str, str]) -> str:
    return os.path.join(folder(host, env), skill, "SKILL.md")


def _is_changed(path: str, skill: str, state: StateDir) -> bool:
    """Whether something stands there that is not as Ringwall wrote it."""
    found, last = read_file(path), receipt.load(state, path)
    return found is not None and found != text(skill) and not (last is not None and last.covers(found))


def _left(change: Change) -> Change:
    notice = msg(
        "{path} was written or changed by somebody else and stays. See the difference: --replace --dry-run",
        path=change.path,
    )
    return Change(change.path, change.before, change.before, (notice,))


def _putting(path: str, skill: str, state: StateDir) -> Change:
    before, after = read_file(path), text(skill)
    if before == after:
        return Change(path, before, after)
    last = receipt.load(state, path)
    original = last.before if last is not None and last.covers(before) else before
    kept = receipt.Receipt(path, original, digest_bytes(after), not os.path.isdir(os.path.dirname(path)))
    return SkillChange(path, before, after, state=state, kept=kept)


def _taking(path: str, skill: str, state: StateDir) -> Change:
    before, last = read_file(path), receipt.load(state, path)
    if before is None:
        return Change(path, None, None)
    if last is None and before != text(skill):
        return Change(path, before, before)  # never ours
    return SkillChange(path, before, last.before if last is not None else None, state=state, kept=None)
