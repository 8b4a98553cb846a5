"""Program code in other languages: its acts become effects and commands.

Invariant: code of a language that is not read is `code.opaque`; code without a risky call adds nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE
from ringwall.shell import carriers, code_python
from ringwall.shell.acts import Act
from ringwall.shell.code_literals import commands, starts_processes
from ringwall.shell.code_script import LANGUAGES
from ringwall.shell.code_script import acts as script_acts
from ringwall.shell.code_small import SMALL
from ringwall.shell.expand import Field
from ringwall.shell.placing import place_effects
from ringwall.shell.streams import EMPTY

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

_NAMES = {
    "python3": "python", "python2": "python", "py": "python", "javascript": "node", "js": "node",
    "ts": "node", "typescript": "node", "deno": "node", "bun": "node", "rb": "ruby", "pl": "perl",
    "gawk": "awk", "mawk": "awk", "psql": "sql", "mysql": "sql", "sqlite": "sql", "sqlite3": "sql",
    "rscript": "r", "luajit": "lua",
}  # fmt: skip
_MARKS = "()=\"'`;{}[]"
_UNREAD = frozenset(("opaque", "hidden", "unknown"))
_STARTS = frozenset(("shell", "argv"))
_PLACED = frozenset(("read", "write", "delete", "delete.recursive"))


def acts_of(language: str, text: str) -> list[Act] | None:
    """The acts of `text`; None for a language that is not read, or text that is not of it."""
    name = language.lower()
    name = _NAMES.get(name, name)
    if name == "python":
        return code_python.acts(text)
    small = SMALL.get(name)
    if small is not None:
        return small(text)
    script = LANGUAGES.get(name)
    return script_acts(text, script) if script is not None else None


def run(walk: Walk, language: str, text: str, index: int) -> None:
    """Walk code; the running frame says where it stands."""
    frame = walk.frame
    span = frame.span or (0, 0)
    small = _NAMES.get(language, language) in SMALL
    if not small:
        carriers.runs(walk, language, span, 0, index)
    found = acts_of(language, text)
    if not frame.label and not small and not any(mark in text for mark in _MARKS):
        _mistaken(walk, text)
    if found is None:
        walk.emit("code.opaque", language, certain=False, span=span, command=index)
        if not frame.label:
            _suspected(walk, text)
        return
    kinds = {act.kind for act in found}
    if not frame.label and (kinds & _UNREAD or (not kinds & _STARTS and starts_processes(text))):
        _suspected(walk, text)
    if not frame.label and {"opaque", "network.read"} <= kinds:
        walk.emit("download.exec", language, certain=False, span=span, command=index)
    for act in found:
        via = (*frame.via, f"{frame.label}:{act.line}") if frame.label else frame.via
        walk.frame = frame._replace(via=via, label="", depth=frame.depth + 1)
        _perform(walk, act, index, bool(frame.label))
    walk.frame = frame


def _suspected(walk: Walk, code: str) -> None:
    """Commands among the literals of code that is not read whole."""
    frame, env = walk.frame, walk.env
    for text in commands(code):
        walk.env = env.fork()
        walk.text(text, frame._replace(certain=False, depth=frame.depth + 1))
    walk.env, walk.frame = env, frame


def _mistaken(walk: Walk, text: str) -> None:
    """Text that is hardly of its language may be meant for a shell."""
    frame, env = walk.frame, walk.env
    walk.env = env.fork()
    walk.text(text, frame._replace(certain=False, depth=frame.depth + 1))
    walk.env = env


def _perform(walk: Walk, act: Act, index: int, on_disk: bool) -> None:
    span = walk.frame.span or (0, 0)
    before = walk.env
    walk.env = before.fork()
    if act.kind == "shell":
        walk.text(act.text, walk.frame, EMPTY)
    elif act.kind == "argv":
        walk.run([Field(word, span, False, False) for word in act.words], EMPTY, 0)
    elif act.kind == "code":
        run(walk, act.language, act.text, index)
    elif act.kind == "file":
        if HOLE not in act.text:
            walk.emit("code.run", act.text, span=span, command=index)
    elif act.kind in _PLACED:
        _place(walk, act, index, on_disk)
    elif act.kind == "unknown":
        if not on_disk:
            walk.emit("code.opaque", act.text, span=span, command=index)
    elif act.kind == "hidden":
        walk.emit("code.opaque", act.text, span=span, command=index)
        walk.emit("download.exec", "decoded text", certain=False, span=span, command=index)
    elif act.kind == "destroys":
        if not on_disk:
            walk.emit("data.destroy", act.text, certain=False, span=span, command=index)
    elif act.kind == "opaque":
        walk.emit("code.opaque", act.text, certain=not on_disk, span=span, command=index)
    else:
        walk.emit(act.kind, act.text, span=span, command=index)
    walk.env = before


def _place(walk: Walk, act: Act, index: int, on_disk: bool) -> None:
    """A path in code. In a file of the project a path that is not known at all is not placed."""
    span, path = walk.frame.span or (0, 0), act.text
    if on_disk and HOLE in path:
        if act.kind != "read":
            walk.emit(act.kind, path, certain=False, span=span, command=index)
        return
    if path.startswith("~"):
        path = walk.surroundings.places.home + path[1:]
    access, _, more = act.kind.partition(".")
    place_effects(walk, access, path, span, recursive=bool(more), command=index)
