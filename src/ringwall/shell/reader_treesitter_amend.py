"""What tree-sitter cannot read, put in a form that it can.

Invariant: a text keeps its length and its places; what comes of it is never sure, so that it only counts
where the second reader finds the same commands in the text as it was written.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from ringwall.shell.reader_treesitter_parse import Parsed, tree_of

_BEFORE_COMPOUND = re.compile(
    r"(?<![^\s;&|({!])(?:time(?:[ \t]+-p)?|coproc(?:[ \t]+[A-Za-z_]\w*)?)"
    r"(?=[ \t]+(?:[{(!]|\[\[|(?:if|for|while|until|case|select)\b))"
)
"""`time` and `coproc` before a compound command: taken for the names of commands."""
_TEST = re.compile(r"(?<![^\s;&|({!])\[(?=[ \t][^\n;&|]*\\[<>()])")
r"""`[` with `\<` and the like before its `]`: an error; it is an ordinary command."""
_BRACES = re.compile(r"(?<![\w$}])\{([^\s{};&|()<>'\"$`\\]*,[^\s{};&|()<>'\"$`\\]*)\}")
"""An expansion of plain words: at the place of a command's name an error."""
_ASSIGNMENTS = re.compile(r"(?m)^[ \t]*(?:[A-Za-z_]\w*=[^\s]*[ \t]+)+[A-Za-z_]\w*=[^\s]*[ \t]*(\n)")
"""A line of assignments only: joined with the next line."""
_HERE = re.compile(r"(?<!<)<<(-?)[ \t]*(['\"]?)([A-Za-z_]\w*)\2(?![\w'\"])")
_TEXTS = frozenset(("heredoc_body", "string", "raw_string", "ansi_c_string"))


def amended(parsed: Parsed) -> Parsed | None:
    """The text with what tree-sitter is known to misread written otherwise; None where nothing is."""
    seen = _BEFORE_COMPOUND.sub(lambda m: " " * len(m[0]), parsed.seen)
    seen = _TEST.sub(".", seen)
    seen = _BRACES.sub(r".\1.", seen)
    for match in list(_ASSIGNMENTS.finditer(seen)):
        place = match.start(1)
        if not _within_text(parsed.root, place):
            seen = f"{seen[:place]};{seen[place + 1 :]}"
    seen = _one_document_a_line(seen)
    if seen == parsed.seen:
        return None
    root = tree_of(seen)
    return None if root.has_error else Parsed(root, seen, parsed.ticks, False)


def _one_document_a_line(seen: str) -> str:
    """Here-documents behind the first of their line become files that are read, their text blank lines."""
    lines = seen.split("\n")
    at = 0
    while at < len(lines):
        number, at = at, at + 1
        operators = list(_HERE.finditer(lines[number]))
        for match in operators:
            dash, quote, delimiter = match.groups()
            end = at
            while end < len(lines) and (lines[end].lstrip("\t") if dash else lines[end]) != delimiter:
                end += 1
            body = lines[at : end + 1]
            if end == len(lines) or (not quote and any("$" in line or "`" in line for line in body)):
                return seen
            if match is not operators[0]:
                lines[at : end + 1] = [" " * len(line) for line in body]
                start = match.start()
                sign = " " * (1 + len(dash)) + "<"
                lines[number] = lines[number][:start] + sign + lines[number][start + len(sign) :]
            at = end + 1
    return "\n".join(lines)


def _within_text(root: Node, place: int) -> bool:
    node = root.descendant_for_byte_range(place, place + 1)
    while node is not None and node.type not in _TEXTS:
        node = node.parent
    return node is not None
