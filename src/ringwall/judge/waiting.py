"""A call whose answer waits for a person."""

from __future__ import annotations

from dataclasses import dataclass

from ringwall.hosts.protocol import HookReply

HEADLESS = "RINGWALL_HEADLESS"
"""Set by whoever starts a host: 1 where nobody sits at its prompt, 0 where somebody does."""

LOOK_SECONDS = 0.2
"""How often it is looked whether a person has decided."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """`proposal` is what the person is asked; once it is decided the same call is judged again, as one that
    has waited. After `seconds` without a decision the reply is `otherwise`, which stops the call."""

    proposal: int
    seconds: float
    otherwise: HookReply
