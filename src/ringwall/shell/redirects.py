"""Redirects: where a command's input comes from and where its output goes.

Invariant: every file that is opened for writing is an effect, and what is written to it is remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ringwall.model.analysis import HOLE
from ringwall.shell.ast import Redirect, Span
from ringwall.shell.environment import Value
from ringwall.shell.expand import value_of
from ringwall.shell.placing import place_effects
from ringwall.shell.streams import EMPTY, NETWORK, Stream, joined

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

_SOCKETS = ("/dev/tcp/", "/dev/udp/")
_NOWHERE = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin"))


class Opened(NamedTuple):
    """A file that a redirect opens, from the directory in which it does."""

    redirect: Redirect
    target: Value
    span: Span
    directory: str


def opened_by(walk: Walk, redirects: tuple[Redirect, ...], stdin: Stream) -> tuple[Stream, list[Opened]]:
    """Standard input after `redirects`, and the files that they open."""
    opened: list[Opened] = []
    for redirect in redirects:
        op = redirect.op
        if op in ("<<", "<<-"):
            body = value_of(redirect.body, walk) if redirect.body is not None else Value("")
            stdin = _given(walk, redirect.fd, Stream(body.text, body.network), stdin)
            continue
        target = value_of(redirect.target, walk)
        path = target.text
        if op == "<<<":
            stdin = _given(walk, redirect.fd, Stream(path + "\n", target.network), stdin)
        elif op == "<&" and path.isdigit():
            stdin = walk.env.files.get(f"/dev/fd/{path}", stdin)
        elif op not in (">&", "<&") or not (path == "-" or path.rstrip("-").isdigit()):
            opened.append(Opened(redirect, target, walk.frame.span or redirect.target.span, walk.env.cwd))
            if path.startswith(_SOCKETS):
                stdin = NETWORK if op != ">" else stdin
            elif op == "<":
                stdin = _given(walk, redirect.fd, walk.content(path), stdin)
    return stdin, opened


def _given(walk: Walk, fd: str, content: Stream, stdin: Stream) -> Stream:
    """Standard input after `fd` was opened for `content`; other descriptors are remembered by number."""
    if fd in ("", "0"):
        return content
    if fd.startswith("{"):
        walk.descriptors += 1
        number = str(62 + walk.descriptors)
        walk.env.assign(fd.strip("{}"), Value(number))
        fd = number
    walk.env.files[f"/dev/fd/{fd}"] = content
    return stdin


def poured(walk: Walk, output: Stream, opened: list[Opened], command: int = -1) -> Stream:
    """Emit what opening files does and remember what is written; what is left for standard output."""
    for redirect, target, span, directory in opened:
        path = target.text
        standard = redirect.op != "<" and (redirect.fd in ("", "1") or redirect.op.startswith("&"))
        if path.startswith(_SOCKETS):
            walk.emit("network.send", path[9:], span=span, command=command)
        elif path not in _NOWHERE and not path.startswith("/dev/fd/"):
            after, walk.env.cwd = walk.env.cwd, directory
            access = "read" if redirect.op == "<" else "write"
            place_effects(walk, access, path, span, recursive=False, filled=target.filled, command=command)
            if standard and HOLE not in path:
                before = walk.settled(walk.content(path)) if redirect.op in (">>", "&>>") else EMPTY
                walk.env.files[walk.env.absolute(path)] = joined(before, output)
            walk.env.cwd = after
        if standard and path not in ("/dev/stdout", "/dev/tty"):
            output = EMPTY
    return output
