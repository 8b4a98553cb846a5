"""Loops: turn by turn where the values are known, else once for all turns.

Invariant: a variable that a loop of unknown length changes is unknown from its first turn on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE
from ringwall.shell.ast import Loop
from ringwall.shell.environment import SOMETHING, UNKNOWN, Value
from ringwall.shell.expand import fields_of
from ringwall.shell.redirects import opened_by, poured
from ringwall.shell.scope import breaks, changed_names, floods, nodes_of
from ringwall.shell.streams import EMPTY, Stream, joined
from ringwall.shell.streams import UNKNOWN as UNKNOWN_STREAM

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

MOST_TURNS = 32
MOST_WORK = 512
"""Commands that a loop runs in all its turns."""


def loop(walk: Walk, node: Loop, stdin: Stream) -> Stream:
    stdin, opened = opened_by(walk, node.redirects, stdin)
    outer, walk.left = walk.left, []
    output = _turns(walk, node, stdin)
    walk.returned(outer)
    return poured(walk, output, opened)


def _turns(walk: Walk, node: Loop, stdin: Stream) -> Stream:
    values = turns_of(walk, node)
    if values is not None:
        output = EMPTY
        broken = breaks(node.body)
        for value in values:
            walk.turns += 1
            walk.env.assign(node.variable, value)
            turn = walk.doubted if broken else walk.node
            output = joined(output, turn(node.body, stdin))
        return output
    output = UNKNOWN_STREAM
    if floods(node):
        walk.emit("catastrophic", node.kind, certain=False, span=node.span)
    for name in changed_names(node):
        walk.env.assign(name, UNKNOWN)
    for _ in range(2):  # the second turn starts where the first one ended
        directory = walk.env.cwd
        if node.variable:
            walk.env.assign(node.variable, SOMETHING)
        if node.test is not None:
            walk.node(node.test, stdin)
        walk.node(node.body, stdin)
        if walk.env.cwd == directory:
            break
        walk.env.cwd = HOLE
    return output


def turns_of(walk: Walk, node: Loop) -> list[Value] | None:
    """The values that a `for` goes through, None where they are not known or too many."""
    if node.kind not in ("for", "select"):
        return None
    if node.words is None:
        values = list(walk.env.arguments)
    else:
        values = [Value(f.text, f.filled, f.network) for f in fields_of(node.words, walk, walk.frame.span)]
    walk.turns += len(values)
    work = len(values) * sum(1 for _ in nodes_of(node.body))
    many = len(values) > MOST_TURNS or walk.turns > 4 * MOST_TURNS or work > MOST_WORK
    return None if many or any(v.text == HOLE for v in values) else values
