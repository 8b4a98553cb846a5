"""tree-sitter's reading of assignments, redirects and here-documents.

Invariant: a here-document ends where bash ends it, or the reading is not sure; what tree-sitter took for a
redirect's target or descriptor and is not goes back to the command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence as Many
from itertools import pairwise

from tree_sitter import Node

from ringwall.shell import ast
from ringwall.shell.reader_treesitter_words import Words
from ringwall.shell.words import add_unquoted, bare_delimiter, here_document

REDIRECTS = frozenset(("file_redirect", "heredoc_redirect", "herestring_redirect"))
_BEFORE_REDIRECT = frozenset("0123456789}")
_UNCLEAR = re.compile(r"[\\$`]")
_DESCRIPTOR = re.compile(r"(?<![^\s;&|(])(?:[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})\Z")


def _add_here_document(text: str, parts: list[ast.Part]) -> None:
    if text:
        parts.append(ast.Literal(here_document(text), True))


class Redirects(Words):
    """The walk over what surrounds the words of a command."""

    __slots__ = ()

    # ---- assignments

    def assign(self, node: Node) -> ast.Assign:
        children = node.children
        name, operator = children[0], children[1]
        index = None
        title = name
        if name.type == "subscript":
            title = name.children[0]
            bounds = (title.end_byte + 1, name.end_byte - 1)
            index = self.stretch(name.children[2:-1], bounds)
        append = operator.type == "+="
        text = self.text[title.start_byte : title.end_byte]
        self.sure = self.sure and text.isidentifier() and text.isascii()
        if len(children) < 3:
            return ast.Assign(text, None, append, index)
        value = children[2]
        if value.type == "array":
            listed = value.children[1:-1]
            if any(one.end_byte == other.start_byte for one, other in pairwise(listed)):
                self.sure = False
            words = tuple(self.spread(child) for child in listed if child.type != "comment")
            return ast.Assign(text, None, append, index, words)
        self.sure = self.sure and len(children) == 3
        return ast.Assign(text, self.stretch(children[2:], (operator.end_byte, node.end_byte)), append, index)

    def stretch(self, nodes: Many[Node], span: ast.Span) -> ast.Word:
        """Several nodes, and what is between them, as one word."""
        parts: list[ast.Part] = []
        self.between(nodes, span[0], span[1], parts, add_unquoted)
        return ast.Word(tuple(parts), span, self.raw(*span))

    # ---- redirects

    def redirect(self, node: Node) -> tuple[list[ast.Redirect], list[Node]]:
        """A redirect, and the words behind its target that tree-sitter gave to it."""
        fd = op = ""
        self.gaps(node.children)
        targets: list[Node] = []
        words: list[Node] = []
        for child in node.children:
            kind = child.type
            if kind == "file_descriptor":
                fd = self.descriptor(child, words)
            elif not targets and (not child.is_named or kind == "ERROR"):
                op += self.operator(child)
            else:
                targets.append(child)
        start = node.start_byte
        if start and not fd and self.text[start - 1] in _BEFORE_REDIRECT:
            fd = self.touching_descriptor(start)
        if op in (">&-", "<&-"):
            place = node.end_byte - 1
            closing = ast.Word((ast.Literal("-"),), (place, place + 1), "-")
            return [ast.Redirect(op[:-1], closing, fd)], words + targets
        if not targets:
            self.sure = False
            return [], words
        self.sure = self.sure and "\n" not in self.raw(start, targets[0].start_byte)
        target, rest = self.target(targets)
        return [ast.Redirect(op, target, fd)], words + rest

    def target(self, nodes: list[Node]) -> tuple[ast.Word, list[Node]]:
        """The first word of `nodes`, which tree-sitter may have cut, and the others."""
        own = 1
        while own < len(nodes) and nodes[own].start_byte == nodes[own - 1].end_byte:
            own += 1
        if own == 1:
            return self.word(nodes[0]), nodes[1:]
        self.sure = False
        return self.stretch(nodes[:own], (nodes[0].start_byte, nodes[own - 1].end_byte)), nodes[own:]

    def operator(self, node: Node) -> str:
        """An operator as written; tree-sitter may have been shown `<` for `<<`."""
        start, end = node.start_byte, node.end_byte
        if self.seen[:end].endswith(" <"):
            for written in ("<<", "<<-"):
                if self.text.endswith(written, 0, end):
                    return written
        return self.text[start:end]

    def touching_descriptor(self, end: int) -> str:
        """The number or `{name}` right before a redirect, which tree-sitter left among the words."""
        match = _DESCRIPTOR.search(self.text, max(0, end - 64), end)
        if match is None:
            return ""
        self.sure = False
        self.stolen.add(match.span())
        return match[0]

    def descriptor(self, node: Node, words: list[Node]) -> str:
        """The number before a redirect; tree-sitter also takes words such as `-` and `-200` for one."""
        text = self.text[node.start_byte : node.end_byte]
        if text.isdigit():
            return text
        self.sure = False
        words.append(node)
        return ""

    def here_document(self, node: Node) -> tuple[ast.Redirect, list[Node], list[Node]]:
        """A here-document, the words behind its delimiter that belong to the command, and all else there."""
        fd, op, closed = "", "<<", len(self.text)
        target = ast.Word((), (node.start_byte, node.end_byte), "")
        body: ast.Word | None = None
        words: list[Node] = []
        behind: list[Node] = []
        spilled = False
        for index, child in enumerate(node.children):
            kind = child.type
            spilled = spilled or (kind == "word" and self.text[child.start_byte] == "\n")
            if spilled and kind != "heredoc_end":
                continue
            if kind == "file_descriptor":
                fd = self.descriptor(child, words)
            elif kind in ("<<", "<<-"):
                op = kind
            elif kind == "heredoc_start":
                parts: list[ast.Part] = []
                raw = self.raw(child.start_byte, child.end_byte)
                self.sure = self.sure and raw.isascii() and not _UNCLEAR.search(raw)
                target = ast.Word(tuple(parts), self.span(child), raw)
            elif kind == "heredoc_body":
                body = self.document(child, op, target.raw)
            elif kind == "pipeline":
                behind.extend(child.children)
            elif kind == "heredoc_end":
                closed = child.start_byte
            elif kind not in ("ERROR", "comment"):
                (words if node.field_name_for_child(index) == "argument" else behind).append(child)
        bare = bare_delimiter(target.raw)
        target = ast.Word((ast.Literal(bare, bare != target.raw),), target.span, target.raw)
        end = self.closing(target, op)
        self.sure = self.sure and closed == end and not spilled
        if spilled and bare != target.raw and end >= 0:
            body = self.verbatim(self.text.find("\n", target.span[1]) + 1, end)
        return ast.Redirect(op, target, fd, body), words, behind

    def verbatim(self, start: int, end: int) -> ast.Word:
        """The body of a here-document that tree-sitter takes for words: its first line begins with `\\`."""
        return ast.Word((ast.Literal(self.text[start:end], True),), (start, end), "")

    def closing(self, target: ast.Word, op: str) -> int:
        """Where bash sees the here-document's last line; -1 where that is not certain."""
        text, bare = self.text, target.raw
        quoted = bare != bare_delimiter(bare)
        bare = bare_delimiter(bare)
        at = text.find("\n", target.span[1]) + 1
        if not bare or not at:
            return -1
        while at < len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line = text[at:end]
            if op == "<<-":
                at += len(line) - len(line.lstrip("\t"))
                line = line.lstrip("\t")
            if line == bare:
                return at
            if not quoted and line.endswith("\\"):
                return -1
            at = end + 1
        return -1

    def document(self, node: Node, op: str, delimiter: str) -> ast.Word:
        start, end = span = node.start_byte, node.end_byte
        parts: list[ast.Part] = []
        if bare_delimiter(delimiter) != delimiter:
            parts.append(ast.Literal(self.text[start:end], True))
        else:
            self.between(node.children, start, end, parts, _add_here_document)
        if op == "<<-":
            parts = [
                ast.Literal(re.sub(r"(?m)^\t+", "", part.text), True) if type(part) is ast.Literal else part
                for part in parts
            ]
        return ast.Word(tuple(parts), span, "")
