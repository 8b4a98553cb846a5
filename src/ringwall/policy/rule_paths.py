"""Where a path in a rule is anchored.

Invariant: `//abs` is absolute, `~/` starts at home, `/`, `./` and any path with a slash inside at the
project root, and a bare name matches at any depth: anywhere for rules that tighten, below the project root
for those that loosen.
"""

from __future__ import annotations

import posixpath

from ringwall.model.surroundings import Places
from ringwall.policy.patterns import PathPattern


def path_pattern(access: str, text: str, places: Places, allowing: bool) -> PathPattern:
    """The pattern of `text`. Raises ValueError where it could never match; its argument says why."""
    text = text.strip()
    if text.startswith("!"):
        raise ValueError("a rule cannot begin with !")
    if "\x00" in text:
        raise ValueError("it contains a zero byte")
    if ".." in text.split("/"):
        raise ValueError("paths are compared after .. is resolved")
    base, glob = _anchored(text, places, allowing)
    glob = "/".join(part for part in glob.split("/") if part not in ("", "."))
    if not glob:
        glob = "**"
    return PathPattern(access, glob, base, places.fold_case)


def _anchored(text: str, places: Places, allowing: bool) -> tuple[str, str]:
    if text.startswith("//"):
        return "/", text.lstrip("/")
    if text == "~" or text.startswith("~/"):
        return places.home, text[2:]
    if text.startswith("~"):
        raise ValueError("homes of other users are not known")
    if text.startswith(("/", "./")) or "/" in text.rstrip("/") or text == ".":
        return places.root, text.removeprefix("./").lstrip("/") if text != "." else ""
    if allowing:
        return places.root, posixpath.join("**", text)
    return "", text
