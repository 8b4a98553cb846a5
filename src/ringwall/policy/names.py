"""Effect names as policy uses them: families, chains from precise to general, and what sort of target.

Invariant: made once from the vocabulary; nothing here knows a rule.
"""

from __future__ import annotations

from ringwall.model.effects import EFFECTS, covers

ANY = "*"
OBSERVE = "observe"


def chain(name: str) -> tuple[str, ...]:
    """`git.push.force` as itself, `git.push`, `git`: the precise before the general."""
    parts = name.split(".")
    return tuple(".".join(parts[:length]) for length in range(len(parts), 0, -1))


CHAINS: dict[str, tuple[str, ...]] = {name: chain(name) for name in EFFECTS}
KNOWN: frozenset[str] = frozenset(general for names in CHAINS.values() for general in names)
"""Every name that a rule may use: effects and their families (`git` for all that begins with `git.`)."""

READS: tuple[str, ...] = tuple(name for name in EFFECTS if name == OBSERVE or covers("read", name))
WRITES: tuple[str, ...] = tuple(name for name in EFFECTS if covers("write", name))
DELETES: tuple[str, ...] = tuple(name for name in EFFECTS if covers("delete", name))
HOSTS: tuple[str, ...] = (
    "network.read",
    "network.send",
    "download.exec",
    "remote.exec",
    "browse.look",
    "browse.act",
    "browse.read",
)
AT_PATHS: frozenset[str] = frozenset((*READS, *WRITES, *DELETES, "catastrophic"))


def covered(general: str) -> tuple[str, ...]:
    """The effects that a rule on `general` speaks about."""
    return tuple(name for name in EFFECTS if covers(general, name))
