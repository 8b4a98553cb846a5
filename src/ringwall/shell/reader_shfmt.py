"""shfmt's reading of a text, from the JSON that `shfmt --to-json` prints for it.

Invariant: every statement and every word of the JSON is in the tree; a kind of node that is not known here
makes the reading fail instead of being left out.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ringwall.shell import ast
from ringwall.shell.bounds import MOST_NESTING, TooDeep
from ringwall.shell.lists import joined
from ringwall.shell.reader_shfmt_words import Json, NotUnderstoodError, Words
from ringwall.shell.words import raw_of

_DECODER = msgspec.json.Decoder()
_PLACES = ("Pos", "End")


def read_second(text: str, output: bytes) -> ast.Script:
    """The tree for `text` from what shfmt printed. Raises `NotUnderstoodError` and `TooDeep`."""
    try:
        document = _DECODER.decode(output)
        builder = _Builder(text)
        span = (0, len(text))
        return ast.Script(joined(builder.statements(document.get("Stmts", ())), span), span)
    except RecursionError:
        raise TooDeep from None
    except (msgspec.DecodeError, KeyError, AttributeError, TypeError, IndexError) as error:
        raise NotUnderstoodError from error


class _Builder(Words):
    """The walk over statements."""

    __slots__ = ()

    def block(self, statements: list[Json], span: ast.Span) -> ast.Node:
        self.nesting += 1
        if self.nesting > MOST_NESTING:
            raise TooDeep
        node = joined(self.statements(statements), span) or ast.Simple((), (), (), span)
        self.nesting -= 1
        return node

    def statements(self, statements: list[Json]) -> list[ast.Node | str]:
        """Commands and the operators between them, flat and in order."""
        tokens: list[ast.Node | str] = []
        pending: list[Json | str] = []
        for statement in reversed(statements):
            pending.append("&" if statement.get("Background") else ";")
            pending.append(statement)
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                tokens.append(item)
                continue
            command = item.get("Cmd")
            if (
                command
                and command["Type"] == "BinaryCmd"
                and not item.get("Negated")
                and not item.get("Redirs")
            ):
                pending.extend((command["Y"], command["Op"], command["X"]))
            else:
                tokens.append(self.statement(item))
        if tokens and tokens[-1] == ";":
            tokens.pop()
        return tokens

    def statement(self, statement: Json) -> ast.Node:
        span = self.span(statement)
        redirects = tuple([self.redirect(r) for r in statement.get("Redirs", ())])
        command = statement.get("Cmd")
        node: ast.Node
        if command is None:
            node = ast.Simple((), (), redirects, span)
        else:
            build = _COMMANDS.get(command["Type"])
            if build is None:
                raise NotUnderstoodError(command["Type"])
            node = build(self, command, redirects, self.span(command))
        return ast.Group("not", node, (), span) if statement.get("Negated") else node

    def call(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        assigns = tuple([self.assign(a) for a in node.get("Assigns", ())])
        return ast.Simple(assigns, tuple([self.spread(w) for w in node.get("Args", ())]), redirects, span)

    def binary(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        inner = joined(self.statements([{"Cmd": node, **{k: node[k] for k in _PLACES}}]), span)
        if inner is None:
            raise NotUnderstoodError
        return ast.Group("group", inner, redirects, span) if redirects else inner

    def declaration(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        assigns: list[ast.Assign] = []
        words: list[ast.Word] = []
        for argument in node.get("Args", ()):
            if not argument.get("Naked"):
                assigns.append(self.assign(argument))
            elif "Value" in argument:
                words.append(self.spread(argument["Value"]))
            else:
                words.append(self.literal_word(argument["Name"]))
        keyword = node["Variant"]["Value"]
        return ast.Declaration(keyword, tuple(assigns), tuple(words), redirects, span)

    def let(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        start = span[0]
        words = [ast.Word((ast.Literal("let"),), (start, start + 3), "let")]
        for expression in node["Exprs"]:
            place, raw = self.span(expression), raw_of(self.source(expression))
            words.append(ast.Word((ast.Unknown(raw, tuple(self.embedded(expression))),), place, raw))
        return ast.Simple((), tuple(words), redirects, span)

    def group(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        kind = "group" if node["Type"] == "Block" else "subshell"
        return ast.Group(kind, self.block(node.get("Stmts", ()), span), redirects, span)

    def conditional(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        test = self.block(node.get("Cond", ()), span)
        bodies: list[ast.Node] = []
        clause: Json | None = node
        while clause is not None:
            if clause is not node and clause.get("Cond"):
                bodies.append(self.block(clause["Cond"], span))
            bodies.append(self.block(clause.get("Then", ()), span))
            clause = clause.get("Else")
        return ast.Branch("if", (), (test,), tuple(bodies), redirects, span)

    def case(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        words = [self.word(node["Word"])]
        bodies: list[ast.Node] = []
        for item in node.get("Items", ()):
            words.extend(self.word(pattern) for pattern in item.get("Patterns", ()))
            if item.get("Stmts"):
                bodies.append(self.block(item["Stmts"], span))
        return ast.Branch("case", tuple(words), (), tuple(bodies), redirects, span)

    def expression(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        kind = "test" if node["Type"] == "TestClause" else "arithmetic"
        return ast.Branch(kind, tuple(self.embedded(node)), (), (), redirects, span)

    def repeated(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        kind = "until" if node.get("Until") else "while"
        test, body = self.block(node.get("Cond", ()), span), self.block(node.get("Do", ()), span)
        return ast.Loop(kind, "", (), test, body, redirects, span)

    def each(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        loop = node["Loop"]
        body = self.block(node.get("Do", ()), span)
        if loop["Type"] != "WordIter":
            return ast.Loop("arithmetic", "", tuple(self.embedded(loop)), None, body, redirects, span)
        listed = loop.get("Items") or loop.get("InPos", {}).get("Line")
        words = tuple([self.spread(w) for w in loop.get("Items", ())]) if listed else None
        kind = "select" if node.get("Select") else "for"
        return ast.Loop(kind, loop["Name"]["Value"], words, None, body, redirects, span)

    def function(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        self.nesting += 1
        body = self.statement(node["Body"])
        self.nesting -= 1
        if redirects:
            body = ast.Group("group", body, redirects, span)
        return ast.Function(node["Name"]["Value"], body, span)

    def prefixed(self, node: Json, redirects: tuple[ast.Redirect, ...], span: ast.Span) -> ast.Node:
        """`time` and `coproc`."""
        kind = "time" if node["Type"] == "TimeClause" else "coproc"
        inner = node.get("Stmt")
        body = self.statement(inner) if inner else ast.Simple((), (), (), span)
        return ast.Group(kind, body, redirects, span)


_Build = Callable[[_Builder, Json, tuple[ast.Redirect, ...], ast.Span], ast.Node]
_COMMANDS: dict[str, _Build] = {
    "CallExpr": _Builder.call,
    "BinaryCmd": _Builder.binary,
    "DeclClause": _Builder.declaration,
    "LetClause": _Builder.let,
    "Block": _Builder.group,
    "Subshell": _Builder.group,
    "IfClause": _Builder.conditional,
    "CaseClause": _Builder.case,
    "TestClause": _Builder.expression,
    "ArithmCmd": _Builder.expression,
    "WhileClause": _Builder.repeated,
    "ForClause": _Builder.each,
    "FuncDecl": _Builder.function,
    "TimeClause": _Builder.prefixed,
    "CoprocClause": _Builder.prefixed,
}
