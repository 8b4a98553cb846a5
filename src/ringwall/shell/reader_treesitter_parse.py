"""Text → tree-sitter's tree, with backticks taken out before tree-sitter sees them.

Invariant: places in the tree count in characters of the text. What stands in `ticks` is not in the tree:
tree-sitter saw ordinary characters there. `certain` is false where a backtick was left that it may misread.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tree_sitter import Language, Node, Parser
from tree_sitter_bash import language

from ringwall.shell.ast import Span
from ringwall.shell.bounds import MOST_TICKS, MOST_UNCOUNTED, TooTangled

LANGUAGE = Language(language())
_PARSER = Parser(LANGUAGE)
_STRETCH = 256
_EXTRAORDINARY = re.compile(r"[^\t\n -~]")
_TICK = re.compile(r"(?<!\\)(?:\\\\)*`")
"""A backtick that no backslash quotes."""
_INERT = frozenset(("raw_string", "ansi_c_string", "comment"))


class Parsed(NamedTuple):
    """A text as tree-sitter saw it; `ticks` are the places of the substitutions in backticks."""

    root: Node
    seen: str
    ticks: tuple[Span, ...] = ()
    certain: bool = True


def shadow_of(text: str) -> str:
    """`text` with one byte for each character: what is not ASCII, and the control characters that bash takes
    for ordinary ones, become a character that is ordinary everywhere."""
    return text if text.isascii() and text.isprintable() else _EXTRAORDINARY.sub(".", text)


def parse(text: str) -> Parsed:
    """The tree of `text`. Raises `TooTangled`."""
    seen = shadow_of(text)
    root = tree_of(seen)
    if "`" not in seen:
        return Parsed(root, seen)
    ticks: list[Span] = []
    at = 0
    while (start := _live(root, seen, at)) >= 0:
        close = _TICK.search(seen, start + 1)
        if close is None or len(ticks) == MOST_TICKS:
            return Parsed(root, seen, tuple(ticks), False)
        at = close.end()
        ticks.append((start, at))
        seen = seen[:start] + "." * (at - start) + seen[at:]
        root = tree_of(seen)
    return Parsed(root, seen, tuple(ticks), not any(_inert(root, seen, start) for start, _ in ticks))


def _live(root: Node, seen: str, at: int) -> int:
    """The first backtick from `at` on that begins a substitution, or -1."""
    for match in _TICK.finditer(seen, at):
        place = match.end() - 1
        if not _inert(root, seen, place):
            return place
    return -1


def _inert(root: Node, seen: str, place: int) -> bool:
    """Whether the character at `place` is quoted text or a comment, where a backtick means itself."""
    node = root.descendant_for_byte_range(place, place + 1)
    while node is not None:
        if node.type in _INERT:
            return True
        if node.type == "heredoc_body":
            return _literal(node, seen)
        if node.type in ("command_substitution", "process_substitution"):
            return False
        node = node.parent
    return False


def _literal(body: Node, seen: str) -> bool:
    """Whether the delimiter of a here-document is quoted."""
    start = (
        next((c for c in body.parent.children if c.type == "heredoc_start"), None) if body.parent else None
    )
    return start is not None and any(mark in seen[start.start_byte : start.end_byte] for mark in "'\"\\")


def tree_of(seen: str) -> Node:
    """The root for a text of one byte each. Raises `TooTangled`."""
    shadow = seen.encode("ascii")
    if len(shadow) <= MOST_UNCOUNTED:
        return _PARSER.parse(shadow).root_node
    return _counted(shadow)


def _counted(shadow: bytes) -> Node:
    """The root for a longer text. tree-sitter needs quadratic time for some errors: it asks for the same
    stretches again and again, or takes many steps."""
    asked = 0
    most_asked = 40 + len(shadow) // 16
    most_steps = 30 + len(shadow) // 25
    steps = 0

    def stretch(start: int, _: object) -> bytes:
        nonlocal asked
        asked += 1
        return shadow[start : start + _STRETCH] if asked <= most_asked else b""

    def stop(_: int, __: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > most_steps or asked > most_asked

    try:
        tree = _PARSER.parse(stretch, progress_callback=stop)
    except ValueError:
        _PARSER.reset()
        raise TooTangled from None
    if asked > most_asked:
        raise TooTangled
    return tree.root_node
