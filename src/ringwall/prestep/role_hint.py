"""Which role does the first message of a step suggest? Never stated as a fact, never a reason to stop.

Invariant: what a harness itself has written is left out before any keyword is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ringwall.model.step import USER, Message
from ringwall.prestep.markers import PREFIX
from ringwall.prestep.profile import ROLE, Role, RoleHint


def is_own(text: str, signs: Sequence[str]) -> bool:
    """Whether a text is an injection, and no message of a person (P-17)."""
    return text.startswith(PREFIX) or any(sign in text for sign in signs)


def first_words(messages: Iterable[Message], signs: Sequence[str]) -> str | None:
    """What a person said first in this step; None where nobody did."""
    said = (message.text for message in messages if message.kind == USER)
    return next((text for text in said if text.strip() and not is_own(text, signs)), None)


def role_of(text: str, roles: Sequence[Role]) -> Role | None:
    """The first role one of whose keywords stands in `text`."""
    lowered = text.lower()
    return next((role for role in roles if any(word.found_in(lowered) for word in role.keywords)), None)


def role_text(messages: Iterable[Message], hint: RoleHint, signs: Sequence[str]) -> str | None:
    """The hint or the question for this step, or None."""
    text = first_words(messages, signs)
    if text is None:
        return None
    role = role_of(text, hint.roles)
    return hint.question if role is None else hint.hint.replace(ROLE, role.name)
