"""The word of a reviewing command about a plan. Invariant: advice; nothing of the gate depends on it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

_FIRST = re.compile(r"(?P<word>approve|reject)(?:d|ed)?(?=[\s:,.;!—-]|$)[\s:,.;!—-]*", re.IGNORECASE)


class Word(StrEnum):
    """What a reviewer says; `NONE` where it gave no verdict."""

    APPROVE = "approve"
    REJECT = "reject"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Advice:
    """What the reviewer in this role (`mentor`, `judge`) said: its verdict and its words."""

    role: str
    word: Word
    words: str = ""


def advice_of(role: str, output: str, status: int) -> Advice:
    """The advice in a command's output: a JSON object with `verdict` and `reason`, or a text that begins with
    approve or reject. Without JSON, a failed command approves nothing."""
    text = output.strip()
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict):
        said, reason = str(given.get("verdict", "")).lower(), given.get("reason", "")
        if said in (Word.APPROVE, Word.REJECT) and isinstance(reason, str):
            return Advice(role, Word(said), reason)
        return Advice(role, Word.NONE, text)
    found = _FIRST.match(text)
    if found is None or status:
        return Advice(role, Word.NONE, text)
    return Advice(role, Word(found["word"].lower()), text[found.end() :])
