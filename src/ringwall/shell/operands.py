"""Operands by the names that a row gives them.

Invariant: every operand word belongs to exactly one name, unless the row names fewer than were given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ASSIGNMENTS = "assignments"
"""An operand of this name takes the leading `NAME=value` words only."""


class Slots(NamedTuple):
    """The names between two separators: `head` in order, `rest` for all between, `tail` at the end."""

    head: tuple[tuple[str, bool], ...]  # (name, optional)
    rest: str
    tail: tuple[tuple[str, bool], ...]


class Operands(NamedTuple):
    """The names of a row's operands; `after` are the slots after a separator word such as `--`."""

    slots: Slots
    after: tuple[tuple[str, Slots], ...]
    names: frozenset[str]


def read_operands(spec: str) -> Operands:
    """The operands of a table's text: `source... dest`, `tree? -- path...`, `command... ::: input...`."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for token in spec.split():
        if token[0].isalpha():
            parts[-1][1].append(token)
        else:
            parts.append((token, []))
    names = frozenset(token.rstrip("?.") for _, tokens in parts for token in tokens)
    after = tuple((mark, _slots(tokens)) for mark, tokens in parts[1:])
    return Operands(_slots(parts[0][1]), after, names)


def _slots(tokens: list[str]) -> Slots:
    head: list[tuple[str, bool]] = []
    tail: list[tuple[str, bool]] = []
    rest = ""
    for token in tokens:
        name = token.rstrip("?.")
        if token.endswith("...") and name != ASSIGNMENTS:
            rest = name
        else:
            (tail if rest else head).append((name, token.endswith("?") or name == ASSIGNMENTS))
    return Slots(tuple(head), rest, tuple(tail))


def fill(
    operands: Operands, argv: Sequence[str], words: Sequence[int], marks: Sequence[tuple[str, int]]
) -> dict[str, tuple[int, ...]]:
    """Give each word its name."""
    fields: dict[str, tuple[int, ...]] = {}
    start, slots = 0, operands.slots
    if operands.after and marks:
        by_mark = dict(operands.after)
        for mark, position in marks:
            following = by_mark.get(mark)
            if following is not None:
                _fill(slots, argv, words[start:position], fields)
                start, slots = position, following
    _fill(slots, argv, words[start:], fields)
    return fields


def _fill(
    slots: Slots, argv: Sequence[str], words: Sequence[int], fields: dict[str, tuple[int, ...]]
) -> None:
    start, end = 0, len(words)
    needed = sum(not optional for _, optional in slots.head) + len(slots.tail)
    for name, optional in slots.head:
        first = start
        if name == ASSIGNMENTS:
            while start < end and "=" in argv[words[start]][1:]:
                start += 1
        elif start < end and (not optional or end - start > needed):
            start += 1
        needed -= not optional
        _give(fields, name, words[first:start])
    if slots.rest:
        first = start
        start += max(end - start - len(slots.tail), min(1, end - start))
        _give(fields, slots.rest, words[first:start])
    for name, _ in slots.tail:
        _give(fields, name, words[start : start + 1])
        start += 1


def _give(fields: dict[str, tuple[int, ...]], name: str, words: Sequence[int]) -> None:
    if words:
        fields[name] = (*fields.get(name, ()), *words)
