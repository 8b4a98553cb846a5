"""What a page names: order numbers, codes, mail addresses, names in cells and links.

Invariant: an entity is a text that stood on the page, folded only in case and blanks; what links two
observations can be seen on both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ringwall.reading.labels import Label

_CODE = re.compile(r"\b(?:[A-Z]{1,8}[-/_]?\d{2,}(?:[-/]\d+)*|\d{4,})\b")
_MAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_NAMED = frozenset({"cell", "link", "heading", "header", "item"})
_LONGEST = 60


def entities(labels: Iterable[Label]) -> Iterator[tuple[str, str]]:
    """Kind and folded text of each, once."""
    seen: set[tuple[str, str]] = set()
    for found in _all(labels):
        if found not in seen:
            seen.add(found)
            yield found


def fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _all(labels: Iterable[Label]) -> Iterator[tuple[str, str]]:
    for label in labels:
        for text in (label.text, label.value):
            yield from (("code", fold(code)) for code in _CODE.findall(text))
            yield from (("mail", fold(mail)) for mail in _MAIL.findall(text))
        if label.role in _NAMED and 1 < len(label.text) <= _LONGEST and not any(map(str.isdigit, label.text)):
            yield ("name", fold(label.text))
        yield from _all(label.within)
