"""The hints of `[prestep]`: which profile speaks, and what it says of a step.

Invariant: words of a project reach an agent only while a person trusts exactly the bytes of their file; a
profile that cannot be used is told of, not passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator

from ringwall.hosts.protocol import Moment
from ringwall.judge.hints import Hint, Occasion
from ringwall.judge.places import config_directory
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import PolicyError
from ringwall.model.text import msg
from ringwall.policy.model import LayerName
from ringwall.policy.prestep import OWN, Prestep
from ringwall.prestep.injections import Switches, injections
from ringwall.prestep.lineage import is_delegated
from ringwall.prestep.profile import Profile
from ringwall.prestep.profile_file import MOST_BYTES, read_profile, shipped

FILE = "prestep.toml"
"""A profile of one's own, in the folder of the policy files."""


def prestep_hints(occasion: Occasion) -> Iterator[Hint]:
    """The harness check and the role hint, as far as they are switched on and a profile is named.

    A host that tells of the start of a session and of its compaction hears the check then, and not at a
    prompt: what was told at the start may not stand in the transcript yet (docs/adr/0077).
    """
    settings = occasion.in_force.loaded.policy.prestep
    checks = settings.harness_check and occasion.event.moment is not Moment.PROMPT
    switches = Switches(settings.enabled, checks, settings.role_hint)
    if not settings.profile or not settings.enabled or is_delegated(occasion.step.lineage):
        return
    disk = DiskSurroundings(occasion.places, {})
    profile = named_profile(settings, occasion.places.root, occasion.standing.trusted)
    for text in injections(occasion.step, occasion.event.cwd, profile, switches, disk):
        yield Hint(text)


def profile_file(root: str) -> str:
    """Where the profile of the project at `root` is."""
    return f"{root}/.ringwall/{FILE}"


def named_profile(settings: Prestep, root: str, trusted: Collection[tuple[str, str]] | None) -> Profile:
    """The profile that the settings name, for a project at `root`. Of a project's own, path and digest must
    be among `trusted`; None asks for no trust. Raises `PolicyError`."""
    if settings.profile != OWN:
        return shipped(settings.profile)
    ours = settings.owner == LayerName.PROJECT
    path = profile_file(root) if ours else f"{config_directory()}/{FILE}"
    content = read_bounded(path)
    if content is None:
        what = msg("The policy names a profile of its own for hints, and there is none.")
        repair = msg("Write it, or name one of the shipped profiles in [prestep].")
        raise PolicyError("prestep.no_profile", what, repair, path)
    if ours and trusted is not None and (path, digest_bytes(content)) not in trusted:
        what = msg("The project's profile of hints is not trusted, so it tells nothing.")
        raise PolicyError("prestep.not_trusted", what, msg("Ask a person to run `ringwall trust`."), path)
    return read_profile(path, content)


def read_bounded(path: str) -> bytes | None:
    """The bytes of a profile, at most one more than it may have; None where there is no file to read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        try:
            return file.read(MOST_BYTES + 1) if stat.S_ISREG(os.fstat(handle).st_mode) else None
        except OSError:
            return None
