"""The values that stand in a step: texts, lists of texts and paths, each with its place in the file.

Invariant: a value that is not what its key wants becomes a problem with line and column; reading goes on,
so that one look shows every fault.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from ringwall.model.json_tree import Array, Node, Object, Scalar
from ringwall.model.text import Text, msg
from ringwall.model.visible import hidden, visible_line
from ringwall.plan.fences import Block
from ringwall.plan.model import Problem

LONGEST = 8192
"""Characters of one text."""
MOST_LISTED = 64
"""Entries of one list in a step."""

_SELECTORS = "\ufe0e\ufe0f"
"""How an emoji is drawn: nothing that may stand in a path unseen."""


class Fields:
    """Reads values of one block and keeps what was wrong."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.problems: list[Problem] = []

    def line(self, node: Node) -> int:
        return self.block.place(node.start)[0]

    def problem(self, code: str, what: Text, repair: Text, at: int) -> None:
        self.problems.append(Problem(f"plan.{code}", what, repair, *self.block.place(at)))

    def known_keys(self, node: Object, known: Collection[str]) -> None:
        """A problem for each key that is not `known`."""
        for member in node.members:
            if member.key in known:
                continue
            near = get_close_matches(member.key, known, n=1)
            repair = (
                msg("Did you mean {key}?", key=near[0])
                if near
                else msg("Known here are {keys}.", keys=", ".join(sorted(known)))
            )
            self.problem(
                "unknown_key",
                msg("The key {key} is not known here.", key=visible_line(member.key)),
                repair,
                member.start,
            )

    def text(self, node: Object, key: str, *, needed: bool = False, lines: bool = False) -> str:
        """The text under `key`; empty where it is absent or wrong. `lines` allows line breaks and tabs."""
        value = node.get(key)
        if value is None:
            if needed:
                self.missing(node, key)
            return ""
        found = self._text(value, key, lines)
        if needed and found is not None and not found.strip():
            self.missing(node, key, value)
        return found or ""

    def texts(self, node: Object, key: str, *, single: bool = False) -> tuple[str, ...]:
        """The list of texts under `key`; `single` allows a bare text."""
        value = node.get(key)
        if value is None:
            return ()
        if single and isinstance(value, Scalar):
            values: tuple[Node, ...] = (value,)
        elif isinstance(value, Array):
            values = value.items
        else:
            self._wrong(key, msg("a list of texts"), value.start)
            return ()
        if len(values) > MOST_LISTED:
            self.problem(
                "too_many",
                msg("{key} has more than {most} entries.", key=key, most=MOST_LISTED),
                msg("Divide the step."),
                value.start,
            )
        return tuple(found for item in values if (found := self._text(item, key, False)) is not None)

    def paths(self, node: Object, key: str, *, single: bool = False) -> tuple[str, ...]:
        """The list of paths under `key`."""
        found = self.texts(node, key, single=single)
        value = node.get(key)
        if value is not None:
            for path in found:
                self._path(path, key, value.start)
        return found

    def path(self, node: Object, key: str) -> str:
        """The path under `key`, which must be there."""
        found = self.text(node, key, needed=True)
        value = node.get(key)
        if found.strip() and value is not None:
            self._path(found, key, value.start)
        return found

    def missing(self, node: Object, key: str, value: Node | None = None) -> None:
        what = msg("{key} is missing or empty.", key=key)
        self.problem("missing", what, msg("Add it to this step."), (value or node).start)

    def _wrong(self, key: str, wanted: Text, at: int) -> None:
        what = msg("{key} must be {wanted}.", key=key, wanted=wanted)
        self.problem("wrong_type", what, msg("See docs/wall.md for an example."), at)

    def _text(self, node: Node, key: str, lines: bool) -> str | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self._wrong(key, msg("a text"), node.start)
            return None
        if len(node.value) > LONGEST:
            what = msg("{key} is longer than {most} characters.", key=key, most=LONGEST)
            self.problem("too_long", what, msg("Put it into a file that a step names."), node.start)
            return None
        allowed = "\n\t" if lines else ""
        unseen = next(
            (each for each in node.value if each not in allowed and (hidden(each) or each == "\n")), None
        )
        if unseen is not None:
            self._hidden(unseen, key, node.start)
            return None
        return node.value

    def _hidden(self, character: str, key: str, at: int) -> None:
        what = msg("{key} holds the hidden character U+{code}.", key=key, code=f"{ord(character):04X}")
        self.problem("hidden_character", what, msg("Take it out."), at)

    def _path(self, path: str, key: str, at: int) -> None:
        unseen = next((each for each in path if each in _SELECTORS or (each.isspace() and each != " ")), None)
        if unseen is not None:
            self._hidden(unseen, key, at)
        plain = posixpath.normpath(path)
        if plain.split("/")[0] in ("..", "~") or path.startswith("~"):
            what = msg("{path} in {key} lies outside the project.", path=path, key=key)
            self.problem("outside", what, msg("Name a path below the project folder."), at)
        elif plain == "." or path.endswith("/") or not path.strip():
            what = msg("{path} in {key} names no file.", path=repr(path), key=key)
            self.problem("no_file", what, msg("Name exactly one file."), at)
        elif "*" in path or "?" in path:
            what = msg("{path} in {key} is a pattern.", path=path, key=key)
            self.problem("pattern", what, msg("Name each file in a step of its own."), at)


def plain(node: Node) -> Any:
    """The node as ordinary JSON values."""
    if isinstance(node, Object):
        return {member.key: plain(member.value) for member in node.members}
    if isinstance(node, Array):
        return [plain(item) for item in node.items]
    return node.value
