"""JSON text with the place of every value in it.

Invariant: exactly RFC 8259 is read; an error names line and column and how to mend it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn

from ringwall.model.errors import PolicyError
from ringwall.model.text import Text, msg

MAX_DEPTH = 64

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, number, true, false or null: `value` as Python has it, at `[start, end)` of the text."""

    value: str | int | float | bool | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Member:
    """A key and its value; `start` is where the key's quotation mark stands."""

    key: str
    value: Node
    start: int


@dataclass(frozen=True, slots=True)
class Object:
    members: tuple[Member, ...]
    start: int
    end: int

    def get(self, key: str) -> Node | None:
        return next((member.value for member in self.members if member.key == key), None)


@dataclass(frozen=True, slots=True)
class Array:
    items: tuple[Node, ...]
    start: int
    end: int


Node = Scalar | Object | Array


class NotJsonError(PolicyError):
    """Text that is not JSON; `at` is the character where reading stopped."""

    def __init__(self, what: Text, repair: Text, where: str, at: int) -> None:
        super().__init__("settings.not_json", what, repair, where)
        self.at = at


def read(text: str, path: str) -> Node:
    """The tree of `text`; `path` names the file in errors. A byte order mark at the start is skipped."""
    reader = _Reader(text, path)
    node, at = reader.value(reader.space(1 if text.startswith("\ufeff") else 0), 1)
    end = reader.space(at)
    if end != len(text):
        reader.fail(end, msg("There is more text after the end of the JSON value."))
    return node


def where(text: str, at: int, path: str) -> str:
    """`path:line:column` of the character `at`, both from 1."""
    line = text.count("\n", 0, at) + 1
    return f"{path}:{line}:{at - text.rfind(chr(10), 0, at)}"


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path

    def fail(self, at: int, what: Text, repair: Text | None = None) -> NoReturn:
        mend = repair or msg("Correct the file and run the command again.")
        raise NotJsonError(what, mend, where(self.text, at, self.path), at)

    def space(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        end = found.end() if found else at
        if self.text.startswith(("//", "/*"), end):
            self.fail(end, msg("JSON has no comments."), msg("Take the comment out."))
        return end

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        if depth > MAX_DEPTH:
            self.fail(at, msg("The file is nested deeper than {limit}.", limit=MAX_DEPTH))
        head = self.text[at : at + 1]
        if head == "{":
            return self.object(at, depth)
        if head == "[":
            return self.array(at, depth)
        return self.scalar(at)

    def scalar(self, at: int) -> tuple[Scalar, int]:
        found = (_STRING if self.text.startswith('"', at) else _SCALAR).match(self.text, at)
        if found is None:
            self.fail(at, msg("A JSON value is expected here."))
        try:
            return Scalar(json.loads(found.group()), at, found.end()), found.end()
        except ValueError:
            self.fail(at, msg("This number is too long."))

    def object(self, at: int, depth: int) -> tuple[Object, int]:
        members: list[Member] = []
        here = self.space(at + 1)
        while not self.text.startswith("}", here):
            if members:
                here = self.comma(here, "}")
            key, after = self.key(here)
            if any(member.key == key for member in members):
                self.fail(here, msg("The key {key} stands here twice.", key=ascii(key)))
            colon = self.space(after)
            if not self.text.startswith(":", colon):
                self.fail(colon, msg("A colon is expected after the key."))
            value, end = self.value(self.space(colon + 1), depth + 1)
            members.append(Member(key, value, here))
            here = self.space(end)
        return Object(tuple(members), at, here + 1), here + 1

    def array(self, at: int, depth: int) -> tuple[Array, int]:
        items: list[Node] = []
        here = self.space(at + 1)
        while not self.text.startswith("]", here):
            if items:
                here = self.comma(here, "]")
            value, end = self.value(here, depth + 1)
            items.append(value)
            here = self.space(end)
        return Array(tuple(items), at, here + 1), here + 1

    def comma(self, at: int, close: str) -> int:
        if not self.text.startswith(",", at):
            self.fail(at, msg("A comma or {close} is expected here.", close=close))
        after = self.space(at + 1)
        if self.text.startswith(close, after):
            self.fail(at, msg("There is a comma after the last entry."), msg("Take the comma out."))
        return after

    def key(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self.text, at)
        if found is None:
            self.fail(at, msg("A key in double quotation marks is expected here."))
        return str(json.loads(found.group())), found.end()
