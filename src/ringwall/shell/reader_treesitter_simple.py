"""tree-sitter's reading of simple commands.

Invariant: between two words of a command stand only blanks and continued lines, or the reading is not sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence as Many

from tree_sitter import Node

from ringwall.shell import ast
from ringwall.shell.bounds import MOST_COMMANDS, TooMany
from ringwall.shell.dialect import FOREIGN_NAMES
from ringwall.shell.reader_treesitter_parse import LANGUAGE
from ringwall.shell.reader_treesitter_redirects import REDIRECTS, Redirects
from ringwall.shell.reader_treesitter_words import NOT_PLAIN, WORDS
from ringwall.shell.words import as_assignment, raw_of

_WORD, _STRING, _RAW_STRING, _COMMAND_NAME, _ASSIGNMENT = (
    LANGUAGE.id_for_node_kind(name, True)
    for name in ("word", "string", "raw_string", "command_name", "variable_assignment")
)
_RESERVED = frozenset(
    ("{", "}", "!", "[[", "]]", "((", "))", "if", "then", "elif", "else", "fi", "for", "while", "until",
     "select", "do", "done", "case", "esac", "in", "function", "coproc")
)  # fmt: skip
"""No command has such a name: where one seems to, the statement was misread."""


_CERTAIN = re.compile(r"[\w./:@%+,-]+", re.ASCII)


def certain(words: Many[ast.Word]) -> bool:
    """Whether words that tree-sitter put in a wrong place are words in any place."""
    return all(_CERTAIN.fullmatch(word.raw) for word in words)


class Commands(Redirects):
    """The walk over simple commands."""

    __slots__ = ()

    def script(self, nodes: Many[Node], span: ast.Span) -> ast.Script:
        return ast.Script(self.block(nodes, span), span)

    def command(self, node: Node) -> ast.Simple:
        assigns: list[ast.Assign] = []
        words: list[ast.Word] = []
        found: list[ast.Redirect] = []
        text, bare, not_plain = self.text, self.bare, NOT_PLAIN.search
        at, touch = -1, False
        for child in node.children:
            start, end = child.start_byte, child.end_byte
            if start - at != 1 or text[at] != " ":
                touch = self.touch(at, start) or touch
            at = end
            kind = child.kind_id
            if kind == _COMMAND_NAME:
                child = child.children[0]
                kind = child.kind_id
            raw = text[start:end]
            if kind == _WORD and not not_plain(raw):
                words.append(ast.Word((ast.Literal(raw),), (start, end), raw))
            elif (kind == _STRING and bare) or kind == _RAW_STRING:
                words.append(ast.Word((ast.Literal(raw[1:-1], True),), (start, end), raw_of(raw)))
            elif kind == _ASSIGNMENT:
                assigns.append(self.assign(child))
            elif child.type in REDIRECTS:
                extra, made, rest = self.redirects((child,))
                words.extend(extra)
                found.extend(made)
                self.sure = self.sure and certain(extra) and not rest
            elif child.type == "subshell":
                words.append(self.parenthesis(child))
            else:
                self.sure = self.sure and child.type in WORDS
                words.append(self.spread(child))
        if touch:
            self.sure = False
            words = self.untouched(words)
        return self.simple(assigns, words, found, (node.start_byte, node.end_byte))

    def touch(self, at: int, start: int) -> bool:
        """Whether two words touch; anything but blanks between them means that the tree is wrong."""
        if at < 0:
            return False
        gap = self.text[at:start].replace("\\\n", "")
        self.sure = self.sure and not gap.strip(" \t")
        return not gap

    def parenthesis(self, node: Node) -> ast.Word:
        """A parenthesis among words, which bash does not accept and other shells run."""
        self.sure = False
        span = self.span(node)
        with self.deeper():
            script = self.script(node.children[1:-1], span)
        return ast.Word((ast.CommandSub(script),), span, self.raw(*span))

    def simple(
        self,
        assigns: list[ast.Assign],
        words: list[ast.Word],
        redirects: list[ast.Redirect],
        span: ast.Span,
    ) -> ast.Simple:
        """A simple command; words before its name that assign are assignments."""
        self.commands += 1
        if self.commands > MOST_COMMANDS:
            raise TooMany
        if self.stolen:
            words = [word for word in words if word.span not in self.stolen]
        if words:
            name = words[0].raw
            if name in _RESERVED:
                self.sure = False
            elif name in FOREIGN_NAMES or name[:1] in "$=%" or name[:1].isupper():
                self.odd = True
        while words and "=" in words[0].raw and (assign := as_assignment(words[0])) is not None:
            self.sure = False
            assigns.append(assign)
            del words[0]
        return ast.Simple(tuple(assigns), tuple(words), tuple(redirects), span)

    def untouched(self, words: list[ast.Word]) -> list[ast.Word]:
        """Words that touch are one word."""
        merged: list[ast.Word] = []
        for word in words:
            if merged and not self.text[merged[-1].span[1] : word.span[0]].replace("\\\n", ""):
                last = merged.pop()
                self.sure = False
                word = ast.Word(
                    last.parts + word.parts,
                    (last.span[0], word.span[1]),
                    self.raw(last.span[0], word.span[1]),
                )
            merged.append(word)
        return merged

    def redirects(self, nodes: Many[Node]) -> tuple[list[ast.Word], tuple[ast.Redirect, ...], list[Node]]:
        """Words that belong to the command, its redirects, and the nodes behind a here-document."""
        words: list[ast.Word] = []
        redirects: list[ast.Redirect] = []
        rest: list[Node] = []
        for node in nodes:
            if node.type == "heredoc_redirect":
                inner, extra, behind = self.here_document(node)
                redirects.append(inner)
                self.sure = self.sure and not extra
                words.extend(self.spread(word) for word in extra)
                nested = [child for child in behind if child.type in REDIRECTS]
                if nested:
                    more, further, last = self.redirects(nested)
                    words.extend(more)
                    redirects.extend(further)
                    rest.extend(last)
                rest.extend(child for child in behind if child.type not in REDIRECTS)
            else:
                made, extra = self.redirect(node)
                redirects.extend(made)
                words.extend(self.spread(word) for word in extra)
        return words, tuple(redirects), rest

    def declaration(self, node: Node) -> ast.Node:
        assigns: list[ast.Assign] = []
        words: list[ast.Word] = []
        children = node.children
        for child in children[1:]:
            if child.type == "variable_assignment":
                assigns.append(self.assign(child))
            else:
                words.append(self.spread(child))
        keyword = children[0].type
        return ast.Declaration(keyword, tuple(assigns), tuple(self.untouched(words)), (), self.span(node))

    def unset(self, node: Node) -> ast.Node:
        words = self.untouched([self.spread(child) for child in node.children])
        return self.simple([], words, [], self.span(node))

    def assignment(self, node: Node) -> ast.Node:
        return ast.Simple((self.assign(node),), (), (), self.span(node))

    def assignments(self, node: Node) -> ast.Node:
        return ast.Simple(tuple(self.assign(child) for child in node.children), (), (), self.span(node))

    def test(self, node: Node) -> ast.Node:
        """`[[ … ]]`, and `[ … ]`, which is a simple command."""
        if node.children[0].type == "[":
            return self.simple([], self.untouched(self.atoms(node)), [], self.span(node))
        return ast.Branch("test", tuple(self.embedded(node)), (), (), (), self.span(node))
