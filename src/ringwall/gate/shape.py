"""When two command lines are the same command: by what bash makes of them, not by their text.

Invariant: equal shapes run the same words in the same folder with the same redirects, assignments and
joints; spacing, quoting style and a `cd` at the front make no difference. What is not read with certainty
has no shape.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ringwall.model.canonical import digest
from ringwall.shell.ast import Group, Literal, Node, Sequence, Simple, Word
from ringwall.shell.read import read

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \t\n_./:,=@%+-;&|()<>\"'")
"""Characters that mean the same in quotes and, where a word may hold them at all, outside."""
_PLACES = frozenset({"span", "raw"})


@lru_cache(maxsize=512)
def shape_of(text: str, cwd: str) -> str | None:
    """The digest of a command line that is started in `cwd`, or None where it is not plain bash or the
    folder is not known."""
    if not cwd.startswith("/"):
        return None
    reading = read(text, _no_second_reader)
    body = reading.script.body if reading.script is not None else None
    if reading.doubts or body is None:
        return None
    folder, node = _peeled(body, posixpath.normpath(cwd))
    return digest([folder, _plain(node)])


@lru_cache(maxsize=512)
def last_words(text: str) -> tuple[str, ...] | None:
    """The words of the last command of the line, where all of them are plain: whoever runs the line runs
    these."""
    script = read(text, _no_second_reader).script
    node = script.body if script is not None else None
    while isinstance(node, Sequence | Group):
        node = node.items[-1] if isinstance(node, Sequence) else node.body
    if not isinstance(node, Simple):
        return None
    words = tuple(_text(word) for word in node.words)
    return None if None in words or not words else tuple(word for word in words if word is not None)


def one_command(text: str, cwd: str) -> bool:
    """Whether the line is a single simple command with nothing around it but a `cd` at the front."""
    reading = read(text, _no_second_reader)
    body = reading.script.body if reading.script is not None else None
    if reading.doubts or body is None:
        return False
    _, node = _peeled(body, cwd)
    return isinstance(node, Simple) and not node.assigns and not node.redirects


def _no_second_reader(text: str) -> None:
    return None


def _peeled(node: Node, folder: str) -> tuple[str, Node]:
    """The folder after leading `cd … &&`, and what is left; a subshell around all of it is opened."""
    while True:
        if isinstance(node, Group) and node.kind == "subshell" and not node.redirects:
            node = node.body
            continue
        if not isinstance(node, Sequence) or len(node.items) < 2 or node.operators[1] != "&&":
            return folder, node
        target = _cd(node.items[0])
        if target is None:
            return folder, node
        folder = posixpath.normpath(posixpath.join(folder, target))
        rest = node.items[1:]
        node = rest[0] if len(rest) == 1 else Sequence(rest, ("", *node.operators[2:]), node.span)


def _cd(node: Node) -> str | None:
    """Where a plain `cd DIR` goes."""
    if not isinstance(node, Simple) or node.assigns or node.redirects or len(node.words) != 2:
        return None
    name, target = (_text(word) for word in node.words)
    if name != "cd" or not target or target == "-" or target.startswith(("~", "-")):
        return None
    return target


def _text(word: Word) -> str | None:
    if not all(isinstance(part, Literal) for part in word.parts):
        return None
    text = "".join(part.text for part in word.parts if isinstance(part, Literal))
    return text if _PLAIN.issuperset(text) else None


def _plain(value: Any) -> Any:
    """A node as JSON values, without its places."""
    if isinstance(value, Word):
        return ["Word", *_parts(value)]
    if isinstance(value, Struct):
        fields = (name for name in value.__struct_fields__ if name not in _PLACES)
        return [type(value).__name__, *(_plain(getattr(value, name)) for name in fields)]
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _parts(word: Word) -> Iterator[Any]:
    """The parts of a word, neighbouring literals joined where quotes make no difference to them."""
    text = ""
    for part in word.parts:
        if isinstance(part, Literal) and _PLAIN.issuperset(part.text):
            text += part.text
            continue
        if text:
            yield text
            text = ""
        yield _plain(part)
    if text or not word.parts:
        yield text
