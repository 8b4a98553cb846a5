"""What a patch in the form `*** Begin Patch` writes and deletes.

Invariant: every file that a header names is an effect; a text that is no such patch, or names no file, is a
doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ringwall.model.analysis import Doubt
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.model.text import msg
from ringwall.tools.arguments import place_effects

FIELDS = ("command", "input", "patch", "patchText", "patch_text")
"""The fields in which hosts put the text."""

_BEGIN = re.compile(r"^[ \t]*\*\*\* Begin Patch\s*$", re.MULTILINE)
_HEADER = re.compile(
    r"^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to): *(.*?)[ \t\r]*$", re.MULTILINE
)
_ACCESS = {"Add File": "write", "Update File": "write", "Delete File": "delete", "Move to": "write"}


def patch_effects(given: Mapping[str, Any], cwd: str, surroundings: Surroundings) -> Iterator[Effect | Doubt]:
    """The effects of applying the patch in a tool's input. A file that is moved is deleted where it was."""
    field = next((name for name in FIELDS if isinstance(given.get(name), str)), "")
    text = str(given.get(field, ""))
    headers = list(_HEADER.finditer(text)) if _BEGIN.search(text) else []
    if not headers:
        yield Doubt("unreadable", msg("the patch names no file, or is not in the form that Ringwall reads"))
    updated = ""
    for header in headers:
        word, path = header.groups()
        if not path:
            yield Doubt("unreadable", msg("the patch has a header without a file"))
            continue
        if word == "Move to" and updated:
            yield from place_effects("delete", updated, field, cwd, surroundings)
        yield from place_effects(_ACCESS[word], path, field, cwd, surroundings)
        updated = path if word == "Update File" else ""
