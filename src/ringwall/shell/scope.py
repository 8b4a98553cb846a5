"""Questions about a piece of syntax tree as a whole.

Invariant: the answers need no evaluation; they hold whatever the words turn out to be.
"""

from __future__ import annotations

from collections.abc import Iterator

from ringwall.shell.ast import (
    Branch,
    Declaration,
    Function,
    Group,
    Literal,
    Loop,
    Node,
    Pipeline,
    Sequence,
    Simple,
    Word,
)

_READERS = frozenset(("read", "mapfile", "readarray", "getopts", "printf", "let", "unset"))


def nodes_of(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, those in substitutions not counted."""
    pending: list[Node] = [node]
    while pending:
        current = pending.pop()
        yield current
        if isinstance(current, Pipeline):
            pending.extend(current.commands)
        elif isinstance(current, Sequence):
            pending.extend(current.items)
        elif isinstance(current, Group | Function):
            pending.append(current.body)
        elif isinstance(current, Branch):
            pending.extend((*current.tests, *current.bodies))
        elif isinstance(current, Loop):
            pending.extend((current.body,) if current.test is None else (current.test, current.body))


def plain(word: Word) -> str:
    """The text of a word that is literal, else empty."""
    return "".join(part.text if isinstance(part, Literal) else "" for part in word.parts)


def changed_names(node: Node) -> set[str]:
    """The variables that `node` may assign."""
    names: set[str] = set()
    for current in nodes_of(node):
        if isinstance(current, Simple | Declaration):
            names.update(assign.name for assign in current.assigns)
        if isinstance(current, Simple) and current.words and plain(current.words[0]) in _READERS:
            names.update(text for text in map(plain, current.words[1:]) if text.isidentifier())
        if isinstance(current, Loop) and current.variable:
            names.add(current.variable)
    return names


def _calls(node: Node, name: str) -> int:
    return sum(
        isinstance(current, Simple) and bool(current.words) and plain(current.words[0]) == name
        for current in nodes_of(node)
    )


def multiplies(name: str, body: Node) -> bool:
    """Whether a function starts itself beside itself: in a pipe or in the background."""
    for current in nodes_of(body):
        if isinstance(current, Pipeline) and _calls(current, name):
            return True
        if isinstance(current, Sequence) and any(
            operator == "&" and _calls(item, name)
            for item, operator in zip(current.items, current.operators[1:], strict=False)
        ):
            return True
    return False


def _named(node: Node) -> str:
    return plain(node.words[0]) if isinstance(node, Simple) and node.words else ""


def breaks(body: Node) -> bool:
    """Whether a loop's body may end the loop early."""
    return any(_named(node) in ("break", "continue") for node in nodes_of(body))


_ENDLESS = {"while": ("true", ":", "[", "1"), "until": ("false",)}
_PAUSES = frozenset(("sleep", "read", "inotifywait", "select"))


def floods(loop: Loop) -> bool:
    """Whether a loop that never ends starts background jobs and never waits for them."""
    if loop.test is None or not _never_ends(loop.kind, loop.test):
        return False
    starts = any(
        isinstance(node, Sequence) and "&" in node.operators[1:] for node in nodes_of(loop.body)
    ) or (isinstance(loop.body, Sequence) and "&" in loop.body.operators)
    last = loop.body.items[-1] if isinstance(loop.body, Sequence) else loop.body
    return starts and _named(last) != "wait" and not any(_named(n) in _PAUSES for n in nodes_of(loop.body))


def _never_ends(kind: str, test: Node) -> bool:
    if isinstance(test, Branch):
        return kind == "while" and not test.bodies and not any("$" in word.raw for word in test.words)
    if not isinstance(test, Simple):
        return False
    words = [plain(word) for word in test.words]
    return (words[:1] == ["["] and words[1:] in (["true", "]"], ["1", "]"])) or (
        len(words) == 1 and words[0] in _ENDLESS.get(kind, ()) and words[0] != "["
    )


_SURE = frozenset(("true", ":", "echo", "printf", "export", "set", "unset", "declare", "cd", "mkdir"))


def assigns(node: Node) -> bool:
    """Whether `node` only assigns variables."""
    if isinstance(node, Simple):
        return bool(node.assigns) and not node.words
    return isinstance(node, Declaration)


def may_fail(node: Node) -> bool:
    """Whether what follows `node` after `&&` may well not be reached."""
    return not assigns(node) and _named(node) not in _SURE


def left_by(node: Node) -> str:
    """The command by which `node` ends what it stands in: `exit`, `return`, `continue`, `break`."""
    if isinstance(node, Simple):
        name = plain(node.words[0]) if node.words else ""
        return name if name in ("exit", "return", "continue", "break") else ""
    if isinstance(node, Sequence):
        return left_by(node.items[-1]) if node.items and node.operators[-1] not in ("||", "&") else ""
    return left_by(node.body) if isinstance(node, Group) and node.kind == "group" else ""
