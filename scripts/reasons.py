"""A Babel extractor for policy files: the reasons that are shown when a rule decides."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any, BinaryIO

KEYS = frozenset({"about", "advice", "reason"})


def extract(
    file: BinaryIO, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Every text under one of `KEYS`, as Babel wants it: line, function, message, comments."""
    source = file.read().decode("utf-8")
    for text in dict.fromkeys(_texts(tomllib.loads(source))):
        line = source.count("\n", 0, max(source.find(text[:20]), 0)) + 1
        yield line, "msg", text, []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in KEYS and isinstance(item, str):
                yield item
            else:
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
