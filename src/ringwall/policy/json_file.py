"""JSON with places: every value knows its line and column.

Invariant: accepts exactly RFC 8259 texts, less duplicate keys and nesting past a bound, which are errors.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass

from ringwall.model.text import Text, msg
from ringwall.policy.source import PolicyFile

MOST_NESTING = 16
_TOKEN = re.compile(
    r"""[ \t\n\r]*(?P<mark>
        [{}\[\]:,]
      | "(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"
      | -?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z.])
      | (?:true|false|null)\b
    )""",
    re.VERBOSE,
)
_BLANK = re.compile(r"[ \t\n\r]*")


class JsonProblem(Exception):
    """Where and why reading stopped."""

    def __init__(self, code: str, what: Text, where: str) -> None:
        super().__init__(code)
        self.code = code
        self.what = what
        self.where = where


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value with its place; `value` holds nodes where it is a list or an object."""

    value: str | int | float | bool | list[Node] | dict[str, tuple[str, Node]] | None
    where: str


class _Reader:
    def __init__(self, file: PolicyFile, text: str) -> None:
        self.file = file
        self.text = text
        self.at = 0
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def document(self) -> Node:
        node = self.value(0)
        end = _BLANK.match(self.text, self.at)
        rest = end.end() if end else self.at
        if rest != len(self.text):
            raise JsonProblem("json_trailing", msg("There is more text after the end."), self.place(rest))
        return node

    def place(self, offset: int) -> str:
        """`offset` as `name:line:column`, both from 1."""
        line = bisect_right(self.starts, offset)
        return f"{self.file.name}:{line}:{offset - self.starts[line - 1] + 1}"

    def next(self) -> tuple[str, int]:
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            blank = _BLANK.match(self.text, self.at)
            at = blank.end() if blank else self.at
            what = msg("The text ends too early.") if at >= len(self.text) else msg("This is not JSON.")
            raise JsonProblem("json_syntax", what, self.place(at))
        self.at = found.end()
        return found["mark"], found.start("mark")

    def value(self, depth: int) -> Node:
        mark, start = self.next()
        where = self.place(start)
        if mark in "{[" and depth >= MOST_NESTING:
            raise JsonProblem(
                "too_deep", msg("It is nested more than {most} deep.", most=MOST_NESTING), where
            )
        if mark == "{":
            return Node(self.members(depth), where)
        if mark == "[":
            return Node(self.items(depth), where)
        if mark in "}]:,":
            raise JsonProblem("json_syntax", msg("A value is missing before {mark}.", mark=mark), where)
        try:
            return Node(json.loads(mark), where)
        except ValueError:
            raise JsonProblem("json_syntax", msg("This number is too long."), where) from None

    def members(self, depth: int) -> dict[str, tuple[str, Node]]:
        members: dict[str, tuple[str, Node]] = {}
        mark, start = self.next()
        while mark != "}":
            if not mark.startswith('"'):
                raise JsonProblem("json_syntax", msg("A key in double quotes is missing."), self.place(start))
            key = json.loads(mark)
            where = self.place(start)
            if key in members:
                raise JsonProblem("json_duplicate_key", msg("The key {key} is there twice.", key=key), where)
            self.expect(":")
            members[key] = (where, self.value(depth + 1))
            mark, start = self.separator("}")
        return members

    def items(self, depth: int) -> list[Node]:
        items: list[Node] = []
        before = self.at
        mark, _ = self.next()
        if mark == "]":
            return items
        self.at = before
        while True:
            items.append(self.value(depth + 1))
            before = self.at
            mark, start = self.next()
            if mark == "]":
                return items
            if mark != ",":
                raise JsonProblem("json_syntax", msg("A comma or ] is missing."), self.place(start))

    def separator(self, end: str) -> tuple[str, int]:
        mark, start = self.next()
        if mark == end:
            return mark, start
        if mark != ",":
            raise JsonProblem("json_syntax", msg("A comma or {end} is missing.", end=end), self.place(start))
        mark, start = self.next()
        if mark == end:
            raise JsonProblem("json_syntax", msg("There is a comma too many."), self.place(start))
        return mark, start

    def expect(self, wanted: str) -> None:
        mark, start = self.next()
        if mark != wanted:
            raise JsonProblem("json_syntax", msg("{wanted} is missing.", wanted=wanted), self.place(start))


def read_json(file: PolicyFile, text: str) -> Node:
    """`text` as nodes. Raises `JsonProblem` at the first fault."""
    return _Reader(file, text).document()
