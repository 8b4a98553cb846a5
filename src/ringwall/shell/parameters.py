"""`${name<op>argument}` on known values.

Invariant: an operation that is not modelled, or whose value is not known, yields `HOLE`.
"""

from __future__ import annotations

from ringwall.model.analysis import HOLE
from ringwall.shell.environment import SOMETHING, UNKNOWN, UNSET, Value


def modified(value: Value, defined: bool, op: str, argument: Value) -> Value:
    """The value of `${name<op>argument}`; `defined` says whether `value` is what the name really holds."""
    known = defined and HOLE not in value.text
    if op in (":-", "-", ":=", "="):
        return _default(value, known, argument)
    if op in (":+", "+"):
        if known:
            return argument if value.text else UNSET
        return argument if argument.text == "" else UNKNOWN
    if op in (":?", "?"):
        return value if known else Value(HOLE, True, value.network)
    if op in ("length", "#len"):
        return Value(str(len(value.text))) if known else SOMETHING
    if not known or HOLE in argument.text:
        return Value(HOLE, False, value.network)
    text = _changed(value.text, op, argument.text)
    return Value(HOLE, False, value.network) if text is None else Value(text, True, value.network)


def _default(value: Value, known: bool, argument: Value) -> Value:
    if known:
        return value if value.text else argument
    return Value(HOLE, argument.filled and bool(argument.text), value.network or argument.network)


def _changed(text: str, op: str, argument: str) -> str | None:
    match op:
        case "#" | "##" | "%" | "%%":
            return trimmed(text, argument, op)
        case "/" | "//":
            old, slash, new = argument.partition("/")
            if not old or not slash or any(c in old for c in "*?[\\#%") or len(text) * len(new) > 65_536:
                return None
            return text.replace(old, new, -1 if op == "//" else 1)
        case ":":
            return _slice(text, argument)
        case "^^":
            return text.upper()
        case ",,":
            return text.lower()
        case "^":
            return text[:1].upper() + text[1:]
        case ",":
            return text[:1].lower() + text[1:]
    return None


def _slice(text: str, spec: str) -> str | None:
    start, colon, length = (piece.strip() for piece in spec.partition(":"))
    if not start.lstrip("-").isdigit() or (colon and not length.lstrip("-").isdigit()):
        return None
    first = int(start)
    if first < 0:
        first += len(text)
    if first < 0:
        return ""
    if not colon:
        return text[first:]
    end = int(length)
    return text[first : first + end] if end >= 0 else text[first : len(text) + end]


def trimmed(text: str, pattern: str, op: str) -> str | None:
    """`text` without its shortest (`#`, `%`) or longest (`##`, `%%`) beginning or end that matches."""
    if "[" in pattern or "\\" in pattern or len(text) > 4096:
        return None
    cuts = range(len(text) + 1)
    if op in ("##", "%"):
        cuts = range(len(text), -1, -1)
    for cut in cuts:
        head, tail = text[:cut], text[cut:]
        if op[0] == "#" and matches(head, pattern):
            return tail
        if op[0] == "%" and matches(tail, pattern):
            return head
    return text


def matches(text: str, pattern: str) -> bool:
    """Whether a glob of literals, `*` and `?` matches all of `text`."""
    at = mark = 0
    star = -1
    for_pattern = 0
    while at < len(text):
        if (
            for_pattern < len(pattern)
            and pattern[for_pattern] in ("?", text[at])
            and pattern[for_pattern] != "*"
        ):
            at, for_pattern = at + 1, for_pattern + 1
        elif for_pattern < len(pattern) and pattern[for_pattern] == "*":
            star, mark, for_pattern = for_pattern, at, for_pattern + 1
        elif star >= 0:
            mark += 1
            at, for_pattern = mark, star + 1
        else:
            return False
    return not pattern[for_pattern:].strip("*")
