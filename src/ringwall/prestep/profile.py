"""What a profile is: the texts, signals, keywords and roles of one language or one team.

Invariant: frozen and complete; a profile that is there can be used without looking at its file again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ROOT, MISSING, ROLE = "{root}", "{missing}", "{role}"
"""What a text's placeholders are called; nothing else in braces is replaced."""


@dataclass(frozen=True, slots=True)
class Signal:
    """One sign that a project is connected. It is a directory below the root; or, where `heading` is there, a
    heading line in the file `path`. `missing` is how its absence is called."""

    path: str
    missing: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class HarnessCheck:
    """`signals` in the order in which they are checked and told; `text` holds `{root}` and `{missing}`."""

    text: str
    separator: str
    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word in lower case that points to a role: anywhere in the text, or (`alone`) only as a word of its
    own, as `\\b` has it in the hosts' own language."""

    text: str
    alone: bool = False

    def found_in(self, lowered: str) -> bool:
        """Whether it stands in a text that is in lower case."""
        if not self.alone:
            return self.text in lowered
        return re.search(rf"\b{re.escape(self.text)}\b", lowered, re.ASCII) is not None


@dataclass(frozen=True, slots=True)
class Role:
    """A role and its keywords."""

    name: str
    keywords: tuple[Keyword, ...]


@dataclass(frozen=True, slots=True)
class RoleHint:
    """`hint` holds `{role}`; `question` is asked where no role fits; `roles` stand in the order of their
    priority."""

    hint: str
    question: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """`signs` are what marks a text as written by a harness, so that no role is read out of it."""

    name: str
    signs: tuple[str, ...]
    harness: HarnessCheck
    role: RoleHint
