"""Commands and the operators between them, grouped.

Invariant: `|` binds before `&&` and `||`, these before `;` and `&`; `!` and `time` take a whole pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence as Many

from ringwall.shell import ast

_PREFIXES = {"!": "not", "time": "time"}


def joined(tokens: Many[ast.Node | str], span: ast.Span) -> ast.Node | None:
    """Commands and operators, flat and in order, as bash groups them."""
    items: list[ast.Node] = []
    operators: list[str] = []
    operator = ""
    pipe: list[ast.Node] = []
    prefixes: list[str] = []
    open_pipe = True

    def close() -> None:
        if pipe or prefixes:
            items.append(_pipeline(pipe, prefixes, span))
            operators.append(operator)
            pipe.clear()
            prefixes.clear()

    for token in tokens:
        if not isinstance(token, str):
            if pipe and not open_pipe:
                close()
                operator = ";"
            pipe.append(token)
            open_pipe = False
        elif token in ("|", "|&"):
            open_pipe = True
        elif token in _PREFIXES:
            if pipe and not open_pipe:
                close()
                operator = ";"
            prefixes.append(_PREFIXES[token])
        else:
            close()
            operator, open_pipe = token, True
    close()
    if not items:
        return None
    operators[0] = ""
    if operator == "&" and len(tokens) and tokens[-1] == "&":
        operators.append("&")
    if len(items) == 1 and len(operators) == 1:
        return items[0]
    return ast.Sequence(tuple(items), tuple(operators), (items[0].span[0], items[-1].span[1]))


def _pipeline(pipe: list[ast.Node], prefixes: list[str], span: ast.Span) -> ast.Node:
    node: ast.Node
    if not pipe:
        node = ast.Simple((), (), (), span)
    elif len(pipe) == 1:
        node = pipe[0]
    else:
        node = ast.Pipeline(tuple(pipe), (pipe[0].span[0], pipe[-1].span[1]))
    for prefix in reversed(prefixes):
        node = ast.Group(prefix, node, (), node.span)
    return node
