"""Globs as people write them in rules.

Invariant: `overlap` never answers no where some text is matched by both globs; it may answer yes too often.
"""

from __future__ import annotations

import re

from ringwall.model.analysis import HOLE

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_ALTERNATIVES = 64
_MOST_STATES = 200_000

_ONE, _SOME, _ALL = "one", "some", "all"  # a character, characters but `/`, any characters
_WILD = frozenset({_SOME, _ALL})


def alternatives(glob: str) -> tuple[str, ...]:
    """`a.{ts,js}` as `a.ts` and `a.js`; past the bound the rest stays unexpanded."""
    done: list[str] = []
    waiting = [glob]
    while waiting:
        text = waiting.pop()
        found = _BRACES.search(text)
        if found is None or len(done) + len(waiting) >= _MOST_ALTERNATIVES:
            done.append(text)
        else:
            waiting += [text[: found.start()] + word + text[found.end() :] for word in found[1].split(",")]
    return tuple(done)


def path_regex(glob: str) -> str:
    """A gitignore-like glob as a regular expression: `*` stays within a folder, `**` crosses folders."""
    return "(?:" + "|".join(_path_regex(one) for one in alternatives(glob)) + ")"


def _path_regex(glob: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(glob):
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            out.append("(?:.*/)?")
            at += 3
        elif glob.startswith("**", at):
            out.append(".*")
            at += 2
        else:
            piece, at = _piece(glob, at, star="[^/]*", one="[^/]")
            out.append(piece)
    return "".join(out)


def text_regex(glob: str) -> str:
    """A glob over plain text: `*` matches anything."""
    return "(?:" + "|".join(_text_regex(one) for one in alternatives(glob)) + ")"


def _text_regex(glob: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(glob):
        piece, at = _piece(glob, at, star=".*", one=".")
        out.append(piece)
    return "".join(out)


def _piece(glob: str, at: int, star: str, one: str) -> tuple[str, int]:
    char = glob[at]
    if char == "*":
        return star, at + 1
    if char == "?":
        return one, at + 1
    if char == "[":
        end = glob.find("]", at + 2)
        if end > 0:
            inside = glob[at + 1 : end]
            negated = inside[0] in "!^"
            listed = re.escape(inside[1:] if negated else inside).replace(r"\-", "-")
            try:
                re.compile(f"[{listed}]")
            except re.error:
                return re.escape(char), at + 1
            return f"[{'^/' if negated else ''}{listed}]", end + 1
    if char == "\\" and at + 1 < len(glob):
        return re.escape(glob[at + 1]), at + 2
    return re.escape(char), at + 1


def _tokens(glob: str) -> list[str]:
    out: list[str] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if char == HOLE:
            out.append(_ALL)
        elif glob.startswith("**/", at):
            out.append(_ALL)
            at += 2
        elif glob.startswith("**", at):
            out.append(_ALL)
            at += 1
        elif char == "*":
            out.append(_SOME)
        elif char == "?":
            out.append(_ONE)
        elif char == "[" and glob.find("]", at + 2) > 0:
            out.append(_ONE)
            at = glob.find("]", at + 2)
        else:
            out.append(char)
        at += 1
    return out


def overlap(one: str, other: str) -> bool:
    """Whether some text may be matched by both; `HOLE` stands for anything."""
    return any(_overlap(_tokens(a), _tokens(b)) for a in alternatives(one) for b in alternatives(other))


def _overlap(a: list[str], b: list[str]) -> bool:
    if len(a) * len(b) > _MOST_STATES:
        return True
    waiting = [(0, 0)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        i, j = state
        if i == len(a) and j == len(b):
            return True
        left = a[i] if i < len(a) else ""
        right = b[j] if j < len(b) else ""
        if left in _WILD:
            waiting.append((i + 1, j))
            if right and _absorbs(left, right):
                waiting.append((i, j + 1))
        if right in _WILD:
            waiting.append((i, j + 1))
            if left and _absorbs(right, left):
                waiting.append((i + 1, j))
        if left and right and left not in _WILD and right not in _WILD and _same(left, right):
            waiting.append((i + 1, j + 1))
    return False


def _absorbs(wild: str, char: str) -> bool:
    return wild == _ALL or char != "/"


def _same(left: str, right: str) -> bool:
    if _ONE in (left, right):
        return "/" not in (left, right)
    return left == right
