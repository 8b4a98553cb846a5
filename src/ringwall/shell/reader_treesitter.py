"""tree-sitter's reading of a text: fast, never crashing, and repaired where it is known to be wrong.

Invariant: `sure` is true only when the tree holds nothing that tree-sitter is known to misread; the tree
itself is complete in either case as far as tree-sitter saw it.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from typing import Any, NamedTuple

from tree_sitter import Node

from ringwall.shell import ast
from ringwall.shell.bounds import MOST_NESTING, TooDeep
from ringwall.shell.lists import joined
from ringwall.shell.reader_treesitter_amend import amended
from ringwall.shell.reader_treesitter_parse import Parsed, parse
from ringwall.shell.reader_treesitter_redirects import REDIRECTS
from ringwall.shell.reader_treesitter_simple import Commands, certain

_OPERATORS = frozenset(("|", "|&", "&&", "||", ";", "&", "!"))
_FLAT = frozenset(("list", "pipeline", "negated_command", "redirected_statement"))
_CASE_ENDS = frozenset((";;", ";&", ";;&"))
_REREAD = frozenset(("time", "coproc"))
"""Reserved words that tree-sitter takes for the names of commands."""


_BEHIND_BRACE = " \t\n(\\"
"""Before anything else a brace is part of a word."""
_PIPES = ("|", "|&", "!")
"""Behind these bash may take `time` for a command."""


def _reread(command: ast.Simple) -> bool:
    """Whether the command begins with a reserved word; behind a redirect it is an ordinary one."""
    words, redirects = command.words, command.redirects
    return (
        bool(words)
        and words[0].raw in _REREAD
        and not command.assigns
        and not (redirects and redirects[0].target.span < words[0].span)
    )


class PlainReading(NamedTuple):
    """What tree-sitter made of a text."""

    script: ast.Script
    sure: bool
    odd: bool
    """Whether a command has a name that another shell would give a meaning."""
    parts: int
    """How many nodes the tree has."""


def read_plain(text: str) -> PlainReading:
    """Read `text`. Raises `BoundError`."""
    parsed = parse(text)
    reading = _walked(text, parsed)
    if reading.sure or (other := amended(parsed)) is None:
        return reading
    return _walked(text, other)


def _walked(text: str, parsed: Parsed) -> PlainReading:
    builder = Builder(text, parsed)
    script = builder.whole_script(parsed.root.children, (0, len(text)))
    return PlainReading(script, builder.sure, builder.odd, builder.parts)


class _Redirected(NamedTuple):
    """A mark among the nodes to flatten: these redirects belong to the command before them."""

    nodes: list[Node]


class Builder(Commands):
    """The walk over statements."""

    __slots__ = ()

    # ---- lists

    def reread(self, text: str, span: ast.Span) -> ast.Script:
        """The command that bash finds in backticks."""
        if self.nesting >= MOST_NESTING:
            raise TooDeep
        parsed = parse(text)
        inner = Builder(text, parsed)
        inner.nesting, inner.commands, inner.parts = self.nesting + 1, self.commands, inner.parts + self.parts
        script = inner.whole_script(parsed.root.children, span)
        self.commands, self.parts = inner.commands, inner.parts
        self.sure, self.odd = self.sure and inner.sure, self.odd or inner.odd
        return script

    def whole_script(self, nodes: Many[Node], span: ast.Span) -> ast.Script:
        """All of the text; each substitution in backticks must have come into it."""
        script = self.script(nodes, span)
        self.sure = self.sure and len(self.opened) == len(self.ticks)
        return script

    def block(self, nodes: Many[Node], span: ast.Span) -> ast.Node | None:
        """The statements among `nodes` as one node; None where there are none."""
        if len(nodes) == 1 and nodes[0].type == "command":
            command = self.command(nodes[0])
            if _reread(command):
                return joined(self.timed([command]), span)
            return command
        return joined(self.flat(nodes), span)

    def body(self, nodes: Many[Node], span: ast.Span) -> ast.Node:
        """The statements among `nodes`, where the grammar asks for at least one."""
        return self.block(nodes, span) or ast.Simple((), (), (), span)

    def flat(self, nodes: Many[Node]) -> list[ast.Node | str]:
        """Commands and the operators between them: tree-sitter nests lists, pipes and redirects wrongly."""
        tokens: list[ast.Node | str] = []
        self.gaps(nodes)
        pending: list[Node | _Redirected] = list(reversed(nodes))
        while pending:
            node = pending.pop()
            if type(node) is _Redirected:
                pending.extend(reversed(self.attach(node.nodes, tokens)))
                continue
            kind = node.type  # type: ignore[union-attr]
            if kind == "command":
                tokens.append(self.command(node))  # type: ignore[arg-type]
            elif kind in _OPERATORS:
                tokens.append(kind)
            elif kind in _FLAT or kind == "ERROR":
                children = node.children  # type: ignore[union-attr]
                self.gaps(children)
                redirects = [child for child in children if child.type in REDIRECTS]
                if redirects:
                    pending.append(_Redirected(redirects))
                    children = [child for child in children if child.type not in REDIRECTS]
                    if not children:
                        tokens.append(ast.Simple((), (), (), self.span(node)))  # type: ignore[arg-type]
                pending.extend(reversed(children))
            elif kind in REDIRECTS:
                pending.append(_Redirected([node]))  # type: ignore[list-item]
                tokens.append(ast.Simple((), (), (), self.span(node)))  # type: ignore[arg-type]
            else:
                build = _STATEMENTS.get(kind)
                if build is not None:
                    tokens.append(build(self, node))  # type: ignore[arg-type]
                elif kind not in ("comment", "\n"):
                    self.sure = False
        return self.timed(tokens)

    def attach(self, nodes: Many[Node], tokens: list[ast.Node | str]) -> list[Node]:
        """Give the last command its redirects; what stands behind a here-document's delimiter is returned."""
        words, redirects, rest = self.redirects(nodes)
        if not tokens or isinstance(tokens[-1], str):
            tokens.append(ast.Simple((), (), (), self.span(nodes[0])))
        last: Any = tokens[-1]
        tokens[-1] = self.redirected(last, [*words, *self.lost_dash(last.span[1], nodes[0])], redirects)
        return rest

    def lost_dash(self, after: int, redirect: Node) -> Many[ast.Word]:
        """The word `-` right before a here-document, which tree-sitter drops."""
        gap = self.text[after : self.text.find("<<", after)]
        if redirect.type != "heredoc_redirect" or gap.strip(" \t") != "-":
            return ()
        at = after + gap.index("-")
        return (ast.Word((ast.Literal("-"),), (at, at + 1), "-"),)

    def redirected(
        self, node: ast.Node, words: list[ast.Word], redirects: tuple[ast.Redirect, ...]
    ) -> ast.Node:
        """`node` with more redirects, and with the words that tree-sitter took for their targets."""
        end = max(r.target.span[1] for r in redirects) if redirects else node.span[1]
        span = (
            min(node.span[0], redirects[0].target.span[0]) if redirects else node.span[0],
            max(node.span[1], end),
        )
        match node:
            case ast.Simple(assigns=assigns, words=own, redirects=before):
                self.sure = self.sure and certain(words)
                everything = self.untouched(sorted((*own, *words), key=lambda word: word.span))
                return self.simple(list(assigns), everything, [*before, *redirects], span)
            case ast.Declaration(keyword=keyword, assigns=assigns, words=own, redirects=before):
                self.sure = self.sure and not words
                return ast.Declaration(keyword, assigns, (*own, *words), before + redirects, span)
        self.sure = self.sure and not words
        match node:
            case ast.Group(kind=kind, body=body, redirects=before) if kind not in ("time", "not", "coproc"):
                return ast.Group(kind, body, before + redirects, span)
            case ast.Branch(kind=kind, words=own, tests=tests, bodies=bodies, redirects=before):
                return ast.Branch(kind, own, tests, bodies, before + redirects, span)
            case ast.Loop(kind=kind, variable=name, words=own_words, test=test, body=body, redirects=before):
                return ast.Loop(kind, name, own_words, test, body, before + redirects, span)
            case ast.Function(name=name, body=inner):
                return ast.Function(name, self.redirected(inner, words, redirects), span)
        self.sure = False
        return ast.Group("group", node, redirects, span)

    def timed(self, tokens: list[ast.Node | str]) -> list[ast.Node | str]:
        """Take `time` and `coproc` from the commands that tree-sitter made of them."""
        out: list[ast.Node | str] = []
        for token in tokens:
            if type(token) is ast.Simple and _reread(token):
                out.extend(self.prefixed(token, out[-1] if out else None))
            else:
                out.append(token)
        return out

    def prefixed(self, command: ast.Simple, before: ast.Node | str | None) -> list[ast.Node | str]:
        """What the reserved word at the beginning of `command` makes of it."""
        words = list(command.words)
        kind = words.pop(0).raw
        if kind == "coproc":
            self.sure = False
            body = self.simple([], words, list(command.redirects), command.span)
            return [ast.Group(kind, body, (), command.span)]
        name = words[0].raw if words else "-"
        self.sure = self.sure and before not in _PIPES and certain(words[:1])
        self.sure = self.sure and name != kind and name[0] != "-"
        while words and words[0].raw in ("-p", "--"):
            self.sure = False
            words.pop(0)
        if not words and not command.redirects:
            return [kind]
        return [kind, self.simple([], words, list(command.redirects), command.span)]

    # ---- compound commands

    def compound(self, node: Node) -> ast.Node:
        children = node.children
        span = self.span(node)
        if children[0].type == "((":
            return ast.Branch("arithmetic", tuple(self.embedded(node)), (), (), (), span)
        self.sure = self.sure and len(children) > 2 and self.text[span[0] + 1] in _BEHIND_BRACE
        with self.deeper():
            return ast.Group("group", self.body(children[1:-1], span), (), span)

    def subshell(self, node: Node) -> ast.Node:
        span = self.span(node)
        with self.deeper():
            return ast.Group("subshell", self.body(node.children[1:-1], span), (), span)

    def conditional(self, node: Node) -> ast.Node:
        span = self.span(node)
        with self.deeper():
            pieces = [self.body(piece, span) for piece in self.clauses(node)]
        return ast.Branch("if", (), tuple(pieces[:1]), tuple(pieces[1:]), (), span)

    def clauses(self, node: Node) -> list[list[Node]]:
        """The statements between the reserved words of an `if`, `elif` or `else`."""
        clauses: list[list[Node]] = []
        for child in node.children:
            kind = child.type
            if kind in ("if", "then", "elif", "else"):
                clauses.append([])
            elif kind in ("elif_clause", "else_clause"):
                clauses.extend(self.clauses(child))
            elif kind != "fi" and clauses:
                clauses[-1].append(child)
        return clauses

    def case(self, node: Node) -> ast.Node:
        words: list[ast.Word] = []
        bodies: list[ast.Node] = []
        span = self.span(node)
        with self.deeper():
            for child in node.children:
                if child.type == "case_item":
                    closed = [c.type for c in child.children].index(")")
                    words.extend(self.word(c) for c in child.children[:closed] if c.is_named)
                    listed = [c for c in child.children[closed + 1 :] if c.type not in _CASE_ENDS]
                    body = self.block(listed, self.span(child))
                    bodies.extend([body] if body is not None else [])
                elif child.is_named and child.type != "comment":
                    words.append(self.word(child))
        return ast.Branch("case", tuple(words), (), tuple(bodies), (), span)

    def repeated(self, node: Node) -> ast.Node:
        """`while` and `until`."""
        span = self.span(node)
        children = node.children
        with self.deeper():
            test = self.body(children[1:-1], span)
            body = self.body(children[-1].children[1:-1], span)
        return ast.Loop(children[0].type, "", (), test, body, (), span)

    def each(self, node: Node) -> ast.Node:
        """`for` and `select` over words."""
        span = self.span(node)
        children = node.children
        listed = any(child.type == "in" for child in children)
        words = (
            tuple(self.untouched([self.spread(child) for child in node.children_by_field_name("value")]))
            if listed
            else None
        )
        with self.deeper():
            body = self.body(children[-1].children[1:-1], span)
        return ast.Loop(children[0].type, self.raw(*self.span(children[1])), words, None, body, (), span)

    def counted(self, node: Node) -> ast.Node:
        """The arithmetic `for`."""
        span = self.span(node)
        body = node.child_by_field_name("body")
        words = [word for child in node.children if child != body for word in self.embedded(child)]
        with self.deeper():
            inner = self.body(body.children[1:-1] if body is not None else (), span)
        return ast.Loop("arithmetic", "", tuple(words), None, inner, (), span)

    def function(self, node: Node) -> ast.Node:
        span = self.span(node)
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        tokens = self.flat([body]) if body is not None else []
        found = [child for child in node.children if child.type in REDIRECTS]
        if found and tokens:
            self.attach(found, tokens)
        inner = joined(tokens, span) or ast.Simple((), (), (), span)
        return ast.Function(self.raw(*self.span(name)) if name is not None else "", inner, span)


_STATEMENTS = {
    "declaration_command": Builder.declaration,
    "unset_command": Builder.unset,
    "variable_assignment": Builder.assignment,
    "variable_assignments": Builder.assignments,
    "test_command": Builder.test,
    "compound_statement": Builder.compound,
    "subshell": Builder.subshell,
    "if_statement": Builder.conditional,
    "case_statement": Builder.case,
    "while_statement": Builder.repeated,
    "for_statement": Builder.each,
    "c_style_for_statement": Builder.counted,
    "function_definition": Builder.function,
}
