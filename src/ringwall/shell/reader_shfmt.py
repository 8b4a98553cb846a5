"""shfmt's reading of a text, from the JSON that `shfmt --to-json` prints for it.

Invariant: every statement and every word of the JSON is in the tree; a kind of node that is not known here
makes the reading fail instead of being left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from ringwall.shell import ast
from ringwall.shell.bounds import MOST_NESTING, TooDeep
from ringwall.shell.lists import joined
from ringwall.shell.words import (
    add_unquoted,
    ansi_c,
    backticked,
    bare_delimiter,
    double_quoted,
    here_document,
    raw_of,
    with_braces,
)

Json = dict[str, Any]
_DECODER = msgspec.json.Decoder()
_PLACES = ("Pos", "End")


class NotUnderstoodError(Exception):
    """The JSON holds what this reader does not know."""


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


def _characters(text: str) -> list[int] | None:
    """For each byte of the UTF-8 form, and for its end, the character it belongs to."""
    if text.isascii():
        return None
    places: list[int] = []
    for index, character in enumerate(text):
        code = ord(character)
        places.extend([index] * (1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4))
    places.append(len(text))
    return places


class _Builder:
    """The walk over shfmt's nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places = _characters(text)
        self.nesting = 0
        self.ticks = 0

    def span(self, node: Json) -> ast.Span:
        start, end = node["Pos"]["Offset"], node["End"]["Offset"]
        if self.places is not None:
            return self.places[start], self.places[end]
        return start, end

    def source(self, node: Json) -> str:
        """A node as written; inside backticks, as the command that bash takes from them."""
        start, end = self.span(node)
        text = self.text[start:end]
        for _ in range(self.ticks):
            text = backticked(text)
        return text

    # ---- statements

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
            if command and command["Type"] == "BinaryCmd" and not item.get("Negated") and not item.get("Redirs"):
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

    # ---- redirects and assignments

    def redirect(self, node: Json) -> ast.Redirect:
        op = node["Op"]
        fd = node["N"]["Value"] if "N" in node else ""
        target = self.word(node["Word"])
        body = None
        if op in ("<<", "<<-"):
            bare = bare_delimiter(target.raw)
            quoted = bare != target.raw
            target = ast.Word((ast.Literal(bare, quoted),), target.span, target.raw)
            if "Hdoc" in node:
                body = self.document(node["Hdoc"], op, quoted)
        return ast.Redirect(op, target, fd, body)

    def document(self, node: Json, op: str, literal: bool) -> ast.Word:
        parts: list[ast.Part] = []
        for part in node.get("Parts", ()):
            if part["Type"] == "Lit":
                text = self.source(part)
                text = re.sub(r"(?m)^\t+", "", text) if op == "<<-" else text
                parts.append(ast.Literal(text if literal else here_document(text), True))
            else:
                self.part(part, parts, True)
        return ast.Word(tuple(parts), self.span(node), "")

    def assign(self, node: Json) -> ast.Assign:
        index = None
        if "Index" in node:
            place, raw = self.span(node["Index"]), raw_of(self.source(node["Index"]))
            index = ast.Word((ast.Unknown(raw, tuple(self.embedded(node["Index"]))),), place, raw)
        array = None
        if "Array" in node:
            array = tuple([self.element(e) for e in node["Array"].get("Elems", ())])
        value = self.word(node["Value"]) if "Value" in node else None
        return ast.Assign(node["Name"]["Value"], value, bool(node.get("Append")), index, array)

    def element(self, node: Json) -> ast.Word:
        """A word of an array; `[index]=value` is one word."""
        if "Index" not in node:
            return self.spread(node["Value"])
        words = [*self.embedded(node["Index"])]
        if "Value" in node:
            words.append(self.word(node["Value"]))
        start, end = self.span(node)
        start = self.text.rfind("[", 0, start + 1)
        raw = raw_of(self.text[start:end])
        return ast.Word((ast.Unknown(raw, tuple(words)),), (start, end), raw)

    # ---- words

    def spread(self, node: Json) -> ast.Word:
        """A word of a command: its braces expand."""
        word = self.word(node)
        if "{" in word.raw:
            return ast.Word(with_braces(list(word.parts), word.span), word.span, word.raw)
        return word

    def word(self, node: Json) -> ast.Word:
        parts: list[ast.Part] = []
        for part in node.get("Parts", ()):
            self.part(part, parts, False)
        return ast.Word(tuple(parts), self.span(node), raw_of(self.source(node)))

    def literal_word(self, node: Json) -> ast.Word:
        text = self.source(node)
        return ast.Word((ast.Literal(text),), self.span(node), raw_of(text))

    def part(self, part: Json, parts: list[ast.Part], quoted: bool) -> None:
        match part["Type"]:
            case "Lit":
                text = self.source(part)
                if quoted:
                    parts.append(ast.Literal(double_quoted(text), True))
                else:
                    add_unquoted(text, parts)
            case "SglQuoted":
                text = self.source(part)
                dollar = part.get("Dollar")
                parts.append(ast.Literal(ansi_c(text[2:-1]) if dollar else text[1:-1], True))
            case "DblQuoted":
                inner = part.get("Parts", ())
                for piece in inner:
                    self.part(piece, parts, True)
                if not inner:
                    parts.append(ast.Literal("", True))
            case "ParamExp":
                parts.append(self.parameter(part, quoted))
            case "CmdSubst":
                parts.append(ast.CommandSub(self.substitution(part), quoted))
            case "ProcSubst":
                parts.append(ast.ProcessSub(self.substitution(part), part["Op"][0]))
            case "ArithmExp":
                text = self.source(part)
                text = text[2:-1] if part.get("Bracket") else text[3:-2]
                parts.append(ast.Arithmetic(text, tuple(self.embedded(part)), quoted))
            case "ExtGlob":
                self.pattern(part, parts)
            case kind:
                raise NotUnderstoodError(kind)

    def pattern(self, part: Json, parts: list[ast.Part]) -> None:
        """An extended glob, which shfmt does not look into."""
        text = self.source(part)
        if "$" in text or "`" in text:
            raise NotUnderstoodError("ExtGlob")
        add_unquoted(text, parts)

    def substitution(self, node: Json) -> ast.Script:
        start, end = self.span(node)
        ticks = 1 if node.get("Backquotes") else 0
        span = (start + 2 - ticks, end - 1)
        self.ticks += ticks
        statements = node.get("Stmts", ())
        body = self.block(statements, span) if statements else None
        self.ticks -= ticks
        return ast.Script(body, span)

    def parameter(self, node: Json, quoted: bool) -> ast.Part:
        name = node["Param"]["Value"] if "Param" in node else ""
        self.nesting += 1
        if self.nesting > MOST_NESTING:
            raise TooDeep
        part = self.expansion(node, name, quoted)
        self.nesting -= 1
        return part

    def expansion(self, node: Json, name: str, quoted: bool) -> ast.Part:
        source = self.source(node)
        if not name or "Flags" in node or "NestedParam" in node or node.get("IsSet") or node.get("Width"):
            return ast.Unknown(source, tuple(self.embedded(node)))
        if "Index" in node:
            if inner := self.embedded(node["Index"]):
                inner.extend(self.embedded({k: v for k, v in node.items() if k != "Index"}))
                return ast.Unknown(source, tuple(inner))
            name = f"{name}[{self.source(node['Index'])}]"
        if node.get("Length"):
            return ast.Param(name, "length", None, quoted)
        if node.get("Excl"):
            plain = not any(key in node for key in ("Names", "Exp", "Repl", "Slice"))
            if plain:
                return ast.Param(name, "indirect", None, quoted)
            return ast.Unknown(source, tuple(self.embedded(node)))
        if "Exp" in node:
            word = node["Exp"].get("Word")
            if word is None:
                place = self.span(node)[1] - 1
                return ast.Param(name, node["Exp"]["Op"], ast.Word((), (place, place), ""), quoted)
            return ast.Param(name, node["Exp"]["Op"], self.argument(word, quoted), quoted)
        if "Slice" in node:
            return ast.Param(name, ":", self.region(node, node["Slice"], ":", quoted), quoted)
        if "Repl" in node:
            op = "//" if node["Repl"].get("All") else "/"
            return ast.Param(name, op, self.region(node, node["Repl"], op, quoted), quoted)
        return ast.Param(name, "", None, quoted)

    def argument(self, node: Json, quoted: bool) -> ast.Word:
        parts: list[ast.Part] = []
        for part in node.get("Parts", ()):
            self.part(part, parts, quoted)
        return ast.Word(tuple(parts), self.span(node), raw_of(self.source(node)))

    def region(self, node: Json, inner: Json, op: str, quoted: bool) -> ast.Word:
        """The text behind `op` in an expansion of several arguments, as one word."""
        start, end = self.span(node)
        head = 2 + len(node["Param"]["Value"])
        text = self.source(node)
        if "Index" not in node and text[head : head + len(op)] == op and "$" not in text[1:] and "`" not in text:
            value = text[head + len(op) : -1]
            parts: list[ast.Part] = [ast.Literal(value, quoted)] if value else []
        else:
            parts = [ast.Unknown(text, tuple(self.embedded(inner)))]
            value = text
        return ast.Word(tuple(parts), (start + head, end - 1), raw_of(value))

    def embedded(self, node: Any) -> list[ast.Word]:
        """The words below a node that hold more than literals."""
        words: list[ast.Word] = []
        pending = [node]
        while pending:
            item = pending.pop()
            if isinstance(item, list):
                pending.extend(reversed(item))
            elif isinstance(item, dict):
                if item.get("Type") in _EXPANSIONS and item is not node:
                    words.append(self.word({"Parts": [item], "Pos": item["Pos"], "End": item["End"]}))
                else:
                    pending.extend(reversed([value for value in item.values() if isinstance(value, dict | list)]))
        return words


_EXPANSIONS = frozenset(("ParamExp", "CmdSubst", "ProcSubst", "ArithmExp", "DblQuoted", "ExtGlob"))

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
