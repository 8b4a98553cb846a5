"""What a session shows right before a step, in one form for all hosts.

Invariant: facts as the host tells them; nothing is concluded from them here.
"""

from __future__ import annotations

from dataclasses import dataclass

USER = "user"
"""The kind of a message that a person wrote."""

PROFILES = ("en", "ru", "zh")
"""The profiles of hints that come with Ringwall."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the step that is about to run; `kind` says who produced it."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a session comes from: the header's `origin`, `delegationDepth` and `parentSession`, and the
    `subagentDepth` of the agent's options. Hosts that tell less leave the rest as it is."""

    origin: str = ""
    delegation_depth: int = 0
    subagent_depth: int = 0
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step before it runs. `surface` are texts that the session shows already, as far as the payload holds
    them; where it does not, they stand in the file `transcript`. `emptied`: the session has just been
    compacted or cleared, so that it shows nothing of before. `switches` are those of the host's own
    configuration that turn hints off, by name."""

    lineage: Lineage = Lineage()
    messages: tuple[Message, ...] = ()
    surface: tuple[str, ...] = ()
    transcript: str = ""
    emptied: bool = False
    switches: tuple[tuple[str, bool], ...] = ()
