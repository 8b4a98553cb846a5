"""The simple commands of a script, as both readers must agree on them.

Invariant: two scripts have the same multiset exactly when bash would be given the same simple commands,
wherever they stand: in lists, bodies, substitutions, here-documents, redirects and assignments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ringwall.shell.ast import (
    Arithmetic,
    Assign,
    Brace,
    Branch,
    CommandSub,
    Declaration,
    Function,
    Group,
    Loop,
    Param,
    Pipeline,
    ProcessSub,
    Redirect,
    Script,
    Sequence,
    Simple,
    Unknown,
    Word,
)


class Raw(NamedTuple):
    """One simple command as written."""

    words: tuple[str, ...]
    assigns: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()


def simple_commands(script: Script) -> Counter[Raw]:
    """The multiset of simple commands of `script`; redirects of compound commands stand without words."""
    return Counter(map(_raw, _walk(script)))


def nodes(script: Script | None) -> Iterator[Simple | Declaration]:
    """The simple commands of `script`, in no particular order."""
    if script is not None:
        yield from (node for node in _walk(script) if isinstance(node, Simple | Declaration))


def _walk(script: Script) -> Iterator[Simple | Declaration | Group | Branch | Loop]:
    """Simple commands, and compound commands with redirects."""
    pending: list[object] = [script.body] if script.body is not None else []
    while pending:
        item = pending.pop()
        if isinstance(item, Simple | Declaration) or (
            isinstance(item, Group | Branch | Loop) and item.redirects
        ):
            yield item
        pending.extend(_inside(item))


def _inside(item: object) -> Iterator[object]:
    """What stands directly inside a node, word or part and may hold commands."""
    match item:
        case Word(parts=parts):
            yield from (part for part in parts if type(part) in _DEEP)
        case (
            Simple(assigns=assigns, words=words, redirects=redirects)
            | Declaration(assigns=assigns, words=words, redirects=redirects)
        ):
            yield from words
            for assign in assigns:
                yield from _values(assign)
            yield from _targets(redirects)
        case Pipeline(commands=nodes) | Sequence(items=nodes):
            yield from nodes
        case Group(body=body, redirects=redirects):
            yield body
            yield from _targets(redirects)
        case Branch(words=words, tests=tests, bodies=bodies, redirects=redirects):
            yield from (*words, *tests, *bodies)
            yield from _targets(redirects)
        case Loop(words=optional, test=test, body=body, redirects=redirects):
            yield from optional or ()
            if test is not None:
                yield test
            yield body
            yield from _targets(redirects)
        case Function(body=body):
            yield body
        case CommandSub(script=script) | ProcessSub(script=script):
            if script.body is not None:
                yield script.body
        case Param(arg=arg):
            if arg is not None:
                yield arg
        case Arithmetic(words=words) | Unknown(words=words) | Brace(words=words):
            yield from words


_DEEP = (CommandSub, ProcessSub, Param, Arithmetic, Unknown, Brace)


def _values(assign: Assign) -> Iterator[Word]:
    if assign.value is not None:
        yield assign.value
    if assign.index is not None:
        yield assign.index
    yield from assign.array or ()


def _targets(redirects: tuple[Redirect, ...]) -> Iterator[Word]:
    for redirect in redirects:
        yield redirect.target
        if redirect.body is not None:
            yield redirect.body


def _raw(node: Simple | Declaration | Group | Branch | Loop) -> Raw:
    redirects = tuple(map(_redirect, node.redirects))
    if not isinstance(node, Simple | Declaration):
        return Raw((), (), redirects)
    words = tuple([word.raw for word in node.words])
    if isinstance(node, Declaration):
        words = (node.keyword, *words)
    return Raw(words, tuple(map(_assign, node.assigns)), redirects)


def _assign(assign: Assign) -> str:
    index = "" if assign.index is None else f"[{assign.index.raw}]"
    if assign.array is not None:
        value = f"({' '.join(word.raw for word in assign.array)})"
    else:
        value = "" if assign.value is None else assign.value.raw
    return f"{assign.name}{index}{'+' if assign.append else ''}={value}"


def _redirect(redirect: Redirect) -> str:
    return f"{redirect.fd}{redirect.op} {redirect.target.raw}"
