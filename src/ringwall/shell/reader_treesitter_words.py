"""tree-sitter's reading of words: quotes, expansions and substitutions.

Invariant: every substitution inside a word is in the word; text between the children that tree-sitter
names is taken from the source, so that nothing it leaves out is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as Many
from contextlib import contextmanager
from typing import Protocol

from tree_sitter import Node

from ringwall.shell import ast
from ringwall.shell.bounds import MOST_NESTING, TooDeep
from ringwall.shell.reader_treesitter_parse import Parsed
from ringwall.shell.words import (
    add_unquoted,
    ansi_c,
    backticked,
    double_quoted,
    raw_of,
    with_braces,
)

_OPERATOR = re.compile(r":[-=+?]|##|%%|//|\^\^|,,|[-=+?#%/^,:@]")
WORDS = frozenset(
    ("word", "string", "raw_string", "ansi_c_string", "translated_string", "number", "concatenation", "$",
     "simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion",
     "brace_expression", "extglob_pattern", "==", "=~")
)  # fmt: skip
_ATOMS = WORDS | {"regex", "variable_name", "subscript", "test_operator"}
_EXPANSIONS = frozenset(
    ("simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion")
)
_NOT_BARE = re.compile(r"[\\$`]")
NOT_PLAIN = re.compile(r"[\\{$`\s]")
_MISSED = re.compile(r"(?<!\\)(?:\$[\w({@*#?!$-]|`)")
_UNQUOTED_BLANK = re.compile(r"(?<!\\)[ \t\n]")


class _Unescape(Protocol):
    def __call__(self, text: str, parts: list[ast.Part], /) -> None: ...


def _add_double_quoted(text: str, parts: list[ast.Part]) -> None:
    if text:
        parts.append(ast.Literal(double_quoted(text), True))


class Words:
    """The walk over words of `text`; `sure` is lost where tree-sitter may be wrong."""

    __slots__ = (
        "bare", "commands", "nesting", "odd", "opened", "parts", "seen", "stolen", "sure", "text", "ticks",
    )  # fmt: skip

    def __init__(self, text: str, parsed: Parsed) -> None:
        self.text = text
        self.seen = parsed.seen
        self.ticks = parsed.ticks
        self.opened: set[ast.Span] = set()
        self.bare = not _NOT_BARE.search(text)
        self.sure = parsed.certain and not parsed.root.has_error
        self.parts = parsed.root.descendant_count
        self.odd = False
        self.nesting = 0
        self.commands = 0
        self.stolen: set[ast.Span] = set()

    def block(self, nodes: Many[Node], span: ast.Span) -> ast.Node | None:
        raise NotImplementedError

    def reread(self, text: str, span: ast.Span) -> ast.Script:
        raise NotImplementedError

    # ---- places

    def span(self, node: Node) -> ast.Span:
        return node.start_byte, node.end_byte

    def raw(self, start: int, end: int) -> str:
        return raw_of(self.text[start:end])

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One level further in; recursion has a bound of its own, whatever the stack would bear."""
        self.nesting += 1
        if self.nesting > MOST_NESTING:
            raise TooDeep
        yield
        self.nesting -= 1

    # ---- words

    def spread(self, node: Node) -> ast.Word:
        """A word of a command: its braces expand."""
        start, end = span = node.start_byte, node.end_byte
        raw = self.text[start:end]
        if node.type == "word" and not NOT_PLAIN.search(raw):
            return ast.Word((ast.Literal(raw),), span, raw)
        parts: list[ast.Part] = []
        self.add(node, parts)
        self.whole(node)
        return ast.Word(with_braces(parts, span) if "{" in raw else tuple(parts), span, raw_of(raw))

    def word(self, node: Node) -> ast.Word:
        """A word in which braces are ordinary characters."""
        parts: list[ast.Part] = []
        self.add(node, parts)
        self.whole(node)
        start, end = node.start_byte, node.end_byte
        return ast.Word(tuple(parts), (start, end), self.raw(start, end))

    def whole(self, node: Node) -> None:
        """An unquoted blank inside a word means that tree-sitter joined two."""
        for piece in (node,) if node.type == "word" else node.children:
            if piece.type == "word" and _UNQUOTED_BLANK.search(self.seen, piece.start_byte, piece.end_byte):
                self.sure = False

    def add(self, node: Node, parts: list[ast.Part]) -> None:
        """Append the parts of an unquoted word node."""
        add = _PARTS.get(node.type)
        if add is not None:
            add(self, node, parts)
        else:
            self.between(node.children, node.start_byte, node.end_byte, parts, add_unquoted)

    def between(
        self, children: Many[Node], start: int, end: int, parts: list[ast.Part], literal: _Unescape
    ) -> None:
        """Append the parts of a stretch of text: the named children that are expansions or quotes, and the
        text between them."""
        at = start
        for child in children:
            kind = child.type
            if kind in _PARTS:
                if child.start_byte > at:
                    self.literal(at, child.start_byte, parts, literal)
                if literal is add_unquoted:
                    _PARTS[kind](self, child, parts)
                else:
                    self.quoted(child, parts)
                at = child.end_byte
            elif child.child_count and child.is_named:
                self.between(child.children, at, child.end_byte, parts, literal)
                at = child.end_byte
        if end > at:
            self.literal(at, end, parts, literal)

    def literal(self, start: int, end: int, parts: list[ast.Part], add: _Unescape) -> None:
        """Append text between expansions; what looks like one there was missed by tree-sitter."""
        for tick in self.ticks:
            if start <= tick[0] and tick[1] <= end:
                self.literal(start, tick[0], parts, add)
                parts.append(ast.CommandSub(self.ticked(tick), add is not add_unquoted))
                start = tick[1]
        text = self.text[start:end]
        if _MISSED.search(text):
            self.sure = False
        add(text, parts)

    def ticked(self, tick: ast.Span) -> ast.Script:
        """The command in backticks; where bash takes backslashes from it, its spans are not the input's."""
        self.opened.add(tick)
        start, end = tick[0] + 1, tick[1] - 1
        text = self.text[start:end]
        if "\\" in text:
            self.sure = False
            return self.reread(backticked(text), (start, end))
        return self.reread(" " * start + text, (start, end))

    def gaps(self, children: Many[Node]) -> None:
        """Only blanks, line ends and continued lines may stand between the parts of a statement; the dash
        before a here-document is put back."""
        at = -1
        behind = ""
        for child in children:
            start = child.start_byte
            if 0 <= at < start:
                gap = self.text[at:start]
                if gap != " " and gap.replace("\\\n", "").strip(" \t\n"):
                    dash = (
                        gap.strip(" \t") == "-" and behind == "command" and child.type == "heredoc_redirect"
                    )
                    self.sure = self.sure and dash
            at, behind = child.end_byte, child.type

    def quoted(self, node: Node, parts: list[ast.Part]) -> None:
        """Append an expansion that stands in double quotes or a here-document."""
        kind = node.type
        if kind == "simple_expansion":
            parts.append(self.parameter(node, True))
        elif kind == "expansion":
            parts.append(self.expansion(node, True))
        elif kind == "command_substitution":
            parts.append(ast.CommandSub(self.substitution(node), True))
        elif kind == "arithmetic_expansion":
            parts.append(self.arithmetic(node, True))
        elif kind == "string":
            self.string(node, parts)
        elif node.child_count:
            self.between(node.children, node.start_byte, node.end_byte, parts, _add_double_quoted)
        else:
            self.literal(node.start_byte, node.end_byte, parts, _add_double_quoted)

    def string(self, node: Node, parts: list[ast.Part]) -> None:
        start, end = node.start_byte + 1, node.end_byte - 1
        before = len(parts)
        if node.child_count <= 3 and "$" not in self.text[start:end] and "`" not in self.text[start:end]:
            _add_double_quoted(self.text[start:end], parts)
        else:
            self.between(node.children[1:-1], start, end, parts, _add_double_quoted)
        if len(parts) == before:
            parts.append(ast.Literal("", True))

    def raw_string(self, node: Node, parts: list[ast.Part]) -> None:
        parts.append(ast.Literal(self.text[node.start_byte + 1 : node.end_byte - 1], True))

    def ansi_c_string(self, node: Node, parts: list[ast.Part]) -> None:
        parts.append(ast.Literal(ansi_c(self.text[node.start_byte + 2 : node.end_byte - 1]), True))

    def plain(self, node: Node, parts: list[ast.Part]) -> None:
        if node.child_count:
            self.between(node.children, node.start_byte, node.end_byte, parts, add_unquoted)
        else:
            self.literal(node.start_byte, node.end_byte, parts, add_unquoted)

    def concatenation(self, node: Node, parts: list[ast.Part]) -> None:
        at = node.start_byte
        children = node.children
        for child in children:
            if child.start_byte != at:
                self.sure = False
            at = child.end_byte
        self.between(children, node.start_byte, node.end_byte, parts, add_unquoted)

    def dollar(self, node: Node, parts: list[ast.Part]) -> None:
        self.sure = False
        add_unquoted(self.text[node.start_byte : node.end_byte], parts)

    # ---- expansions

    def add_parameter(self, node: Node, parts: list[ast.Part]) -> None:
        parts.append(self.parameter(node, False))

    def add_expansion(self, node: Node, parts: list[ast.Part]) -> None:
        parts.append(self.expansion(node, False))

    def add_command(self, node: Node, parts: list[ast.Part]) -> None:
        parts.append(ast.CommandSub(self.substitution(node)))

    def add_process(self, node: Node, parts: list[ast.Part]) -> None:
        parts.append(ast.ProcessSub(self.substitution(node), self.text[node.start_byte]))

    def add_arithmetic(self, node: Node, parts: list[ast.Part]) -> None:
        parts.append(self.arithmetic(node, False))

    def parameter(self, node: Node, quoted: bool) -> ast.Part:
        name = self.text[node.start_byte + 1 : node.end_byte]
        if _UNQUOTED_BLANK.search(name):
            self.sure = False
        return ast.Param(name, "", None, quoted)

    def expansion(self, node: Node, quoted: bool) -> ast.Part:
        start, end = node.start_byte + 2, node.end_byte - 1
        children = node.children
        if self.ticks and "'" in self.text[start:end] and any(start <= tick[0] < end for tick in self.ticks):
            self.sure = False
        name = next(
            (c for c in children if c.type in ("variable_name", "special_variable_name", "subscript")), None
        )
        with self.deeper():
            if name is None:
                self.sure = False
                return ast.Unknown(self.text[start - 2 : end + 1], tuple(self.embedded(node)))
            prefix = self.text[start : name.start_byte]
            at = name.end_byte
            title = self.text[name.start_byte : at]
            if name.child_count and self.embedded(name):
                return ast.Unknown(self.text[start - 2 : end + 1], tuple(self.embedded(node)))
            operator = _OPERATOR.match(self.text, at, end)
            if prefix:
                op = "length" if prefix == "#" else "indirect" if operator is None else "names"
            elif operator is None:
                op = ""
                self.sure = self.sure and at == end
            else:
                op, at = operator[0], operator.end()
            if at == end and op in ("", "length", "indirect"):
                return ast.Param(title, op, None, quoted)
            parts: list[ast.Part] = []
            behind = [child for child in children if child.start_byte >= at]
            self.between(behind, at, end, parts, _add_double_quoted if quoted else add_unquoted)
        return ast.Param(title, op, ast.Word(tuple(parts), (at, end), self.raw(at, end)), quoted)

    def substitution(self, node: Node) -> ast.Script:
        children = node.children
        start, end = children[0].end_byte, node.end_byte - 1
        if self.text.startswith("$((", node.start_byte):
            self.sure = False
        if children[0].type == "`":
            self.sure = False
        with self.deeper():
            return ast.Script(self.block(children[1:-1], (start, end)), (start, end))

    def arithmetic(self, node: Node, quoted: bool) -> ast.Part:
        children = node.children
        text = self.text[children[0].end_byte : children[-1].start_byte]
        return ast.Arithmetic(text, tuple(self.embedded(node)), quoted)

    def embedded(self, node: Node) -> list[ast.Word]:
        """The expansions and substitutions inside a node, each as a word."""
        words: list[ast.Word] = []
        pending = list(reversed(node.children))
        while pending:
            child = pending.pop()
            kind = child.type
            if kind in _EXPANSIONS or kind in ("string", "variable_assignment"):
                if kind == "variable_assignment":
                    pending.extend(reversed(child.children))
                else:
                    words.append(self.word(child))
            else:
                pending.extend(reversed(child.children))
        return words + self.ticks_beside(words, node)

    def ticks_beside(self, words: list[ast.Word], node: Node) -> list[ast.Word]:
        """The substitutions in backticks inside a node that none of `words` holds."""
        return [
            ast.Word((ast.CommandSub(self.ticked(tick)),), tick, self.raw(*tick))
            for tick in self.ticks
            if node.start_byte <= tick[0]
            and tick[1] <= node.end_byte
            and not any(word.span[0] <= tick[0] and tick[1] <= word.span[1] for word in words)
        ]

    def atoms(self, node: Node) -> list[ast.Word]:
        """The words of `[ … ]`, which tree-sitter reads as an expression."""
        words: list[ast.Word] = []
        pending = list(reversed(node.children))
        while pending:
            child = pending.pop()
            if child.type in _ATOMS or not child.child_count:
                if child.type in ("<", ">", "&&", "||", "(", ")"):
                    self.sure = False
                if child.end_byte > child.start_byte:
                    words.append(self.spread(child))
            else:
                pending.extend(reversed(child.children))
        return words


_PARTS = {
    "word": Words.plain,
    "number": Words.plain,
    "string": Words.string,
    "raw_string": Words.raw_string,
    "ansi_c_string": Words.ansi_c_string,
    "simple_expansion": Words.add_parameter,
    "expansion": Words.add_expansion,
    "command_substitution": Words.add_command,
    "process_substitution": Words.add_process,
    "arithmetic_expansion": Words.add_arithmetic,
    "concatenation": Words.concatenation,
    "$": Words.dollar,
}
