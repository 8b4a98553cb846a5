"""What must never stand in a contract: passwords, tokens, keys.

Invariant: a finding is named by the word that gave it away, never by its value. It finds what is named or
shaped like a secret; a secret that looks like ordinary data it cannot know.
"""

from __future__ import annotations

import re

_NAMES = (
    r"pass(?:word|wd|phrase)?|pwd|secret|(?:access|auth|bearer|csrf|id|refresh|session|xsrf)?[_-]?token|"
    r"api[_-]?key|access[_-]?key|client[_-]?secret|session[_-]?id|jsessionid|phpsessid|sid|authorization|jwt|"
    r"cookie|private[_-]?key|signature"
)
_ASSIGNED = re.compile(
    rf"""(?:^|[?&;,{{\s"'])(?P<name>{_NAMES})["']?\s*[=:]\s*["']?[^\s"'&;,}}]""", re.IGNORECASE
)
_SHAPES = (
    ("JSON web token", re.compile(r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.")),
    ("private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
    (
        "access key",
        re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}|\bsk-[A-Za-z0-9_-]{20,}"),
    ),
    ("bearer value", re.compile(r"\b(?:Bearer|Basic)\s+[A-Za-z0-9+/=._-]{12,}")),
)


def secret_in(text: str) -> str:
    """The name or shape of a secret in `text`; empty where none is seen."""
    if found := _ASSIGNED.search(text):
        return found["name"]
    return next((name for name, shape in _SHAPES if shape.search(text)), "")
