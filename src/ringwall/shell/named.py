"""Commands that are no programs: functions, aliases, and names that are not known.

Invariant: a function runs in the shell that calls it; what an unknown name may stand for is walked as
possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE, Invocation
from ringwall.model.text import msg
from ringwall.shell import carriers
from ringwall.shell.ast import Node, Simple
from ringwall.shell.environment import Value
from ringwall.shell.expand import Field
from ringwall.shell.frame import Frame
from ringwall.shell.scope import multiplies
from ringwall.shell.streams import UNKNOWN, Stream

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

MOST_CALLS = 12
_FORCED = frozenset(("-rf", "-fr", "-Rf", "-fR"))


def call(walk: Walk, name: str, body: Node, fields: list[Field], stdin: Stream, at: int) -> Stream:
    """Call a shell function."""
    arguments = [Value(f.text, f.filled, f.network) for f in fields[1:]]
    key = (name, tuple(value.text for value in arguments))
    if key in walk.calls:
        if multiplies(name, body) or walk.spawned > walk.calls[key]:
            walk.emit("catastrophic", name, span=fields[0].span, at=at)
        return UNKNOWN
    if len(walk.calls) >= MOST_CALLS:
        walk.doubt("too_deep", msg("functions call each other more than {bound} deep", bound=MOST_CALLS))
        return UNKNOWN
    env = walk.env
    before, env.arguments = env.arguments, arguments
    walk.calls[key] = walk.spawned
    env.locals = [*env.locals, {}]
    outer, walk.left = walk.left, []
    output = walk.node(body, stdin)
    walk.returned(outer)
    for local, value in env.locals[-1].items():
        if value is None:
            env.variables.pop(local, None)
        else:
            env.variables[local] = value
    env.locals = env.locals[:-1]
    del walk.calls[key]
    env.arguments = before
    return output


def alias(walk: Walk, node: Simple, fields: list[Field], stdin: Stream, at: int) -> None:
    """Aliases are expanded in interactive shells only: the expansion may run, so may the command."""
    name = node.words[0].raw
    rest = " ".join(carriers.quoted(field.text) for field in fields[1:])
    text = walk.env.aliases.pop(name)
    frame = walk.frame
    deeper = Frame((*frame.reached(at), "alias"), fields[0].span, frame.certain, frame.depth + 1)
    walk.text(f"{text} {rest}", deeper, stdin)
    walk.env.aliases[name] = text


def nameless(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream:
    """A command whose name is not known."""
    first = fields[0]
    if first.text or first.filled:
        argv = tuple(field.text for field in fields)
        index = walk.record(
            argv, Invocation(first.text, operands=argv[1:]), carriers.cover(fields), at, known=False
        )
        effect = "download.exec" if first.network else "code.opaque"
        walk.emit(effect, "", certain=False, span=first.span, at=at, command=index)
    if len(fields) > 1 and not first.text.strip(HOLE):
        frame, walk.frame = walk.frame, walk.frame._replace(certain=False)
        if first.loose:
            walk.run(fields[_first_said(fields) :], stdin, at)
        if any(field.text in _FORCED for field in fields):
            walk.run([first._replace(text="rm"), *fields[1:]], stdin, at)
        walk.frame = frame
    return Stream(None, stdin.network)


def misquoted(walk: Walk, name: str, fields: list[Field], stdin: Stream, at: int) -> None:
    """No program has blanks in its name: the whole line may be meant, by another shell or a caller."""
    frame, walk.frame = walk.frame, walk.frame._replace(certain=False)
    carriers.shell_text(walk, name, fields[:1], "", stdin, at)
    walk.frame = frame


def _first_said(fields: list[Field]) -> int:
    """The first field after the first that is more than an unknown word which may be nothing."""
    for index, field in enumerate(fields[1:-1], 1):
        if field.text.strip(HOLE) or not field.loose:
            return index
    return len(fields) - 1
