"""What a piece of program code does by literal calls.

Invariant: an act is made from a call that stands in the code; text in strings and comments makes none.
"""

from __future__ import annotations

from typing import NamedTuple

from ringwall.model.analysis import HOLE


class Act(NamedTuple):
    """`kind` is `shell` (text for a shell), `argv` (words), `code` (text in `language`), `file` (a script
    that runs), `read`, `write`, `delete`, `delete.recursive` (a path), `opaque` (text that is not known is
    evaluated), `hidden` (it is decoded first), `unknown` (a command that is not known is run), `destroys`
    (a client's method that says so), or an effect's name."""

    kind: str
    text: str = ""
    words: tuple[str, ...] = ()
    line: int = 1
    language: str = ""


_DESTROYS = ("delete", "drop", "destroy", "truncate", "purge", "wipe", "clear")
_HARMLESS = frozenset(
    (
        "clearTimeout",
        "clearInterval",
        "clearImmediate",
        "drop_duplicates",
        "clear_output",
        "dropna",
        "droplevel",
    )
)


def destroys(method: str) -> bool:
    """Whether a client's method says that it destroys something: `deleteIndex`, `drop_collection`."""
    for verb in _DESTROYS:
        if method.startswith(verb) and method not in _HARMLESS:
            rest = method[len(verb) :]
            return bool(rest) and (rest[0] == "_" or rest[0].isupper())
    return False


def running(text: str | None, words: tuple[str, ...] | None, line: int) -> Act:
    """A call that runs a command given as text or as words."""
    if words is not None:
        if not words or words[0] == HOLE:
            return Act("unknown", line=line)
        return Act("argv", words=words, line=line)
    if text is None or not text.replace(HOLE, "").strip():
        return Act("unknown", line=line)
    return Act("shell", text, line=line)
