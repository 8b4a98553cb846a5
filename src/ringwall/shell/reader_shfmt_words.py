"""shfmt's reading of words, assignments and redirects.

Invariant: literals are taken from the text that was read, by their places, never from shfmt's rendering.
"""

from __future__ import annotations

import re
from typing import Any

from ringwall.shell import ast
from ringwall.shell.bounds import MOST_NESTING, TooDeep
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
_EXPANSIONS = frozenset(("ParamExp", "CmdSubst", "ProcSubst", "ArithmExp", "DblQuoted", "ExtGlob"))


class NotUnderstoodError(Exception):
    """The JSON holds what this reader does not know."""


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


class Words:
    """The walk over words. `ticks` counts the backticks that the walk is inside of."""

    __slots__ = ("nesting", "places", "text", "ticks")

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
        if self.ticks > 1 and self.text.startswith("`", end):
            closing = (1 << self.ticks - 1) - 1
            text = text[: max(len(text.rstrip("\\")), len(text) - closing)]
        for _ in range(self.ticks):
            text = backticked(text)
        return text

    def block(self, statements: list[Json], span: ast.Span) -> ast.Node:
        raise NotImplementedError

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
        written = node.get("Parts", ())
        for part in written:
            if part["Type"] == "Lit":
                text = self.source(part)
                if part is written[-1]:
                    text = text[: text.rfind("\n") + 1]
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
                if quoted and ("$" in text[1:] or "`" in text):
                    raise NotUnderstoodError("SglQuoted")  # bash expands it there, shfmt does not
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
        if (
            "Index" not in node
            and text[head : head + len(op)] == op
            and "$" not in text[1:]
            and "`" not in text
        ):
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
                    pending.extend(
                        reversed([value for value in item.values() if isinstance(value, dict | list)])
                    )
        return words
