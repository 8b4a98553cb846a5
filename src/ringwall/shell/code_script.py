"""Code in scripting languages → its acts, by tokens and a table of calls per language.

Invariant: a call is a name followed by its arguments; a name in a string or comment is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ringwall.model.analysis import HOLE
from ringwall.shell.acts import Act, destroys, running
from ringwall.shell.code_calls import GO, LUA, NODE, PERL, PHP, RUBY, R
from ringwall.shell.tokens import Syntax, Token, tokens


class Language(NamedTuple):
    """`calls` maps a name to what its arguments are: `shell` (a command, or a program and its words),
    `words` (a program and its words), an access and so on. A key that begins with a dot matches any
    receiver, one with a dot inside the end of a dotted name, else only the bare name. `bare`: arguments
    need no parentheses. `named`: a function may be given to another by its name in a string."""

    syntax: Syntax
    calls: Mapping[str, str]
    bare: bool = False
    named: bool = False


_JS = Syntax(quotes="\"'`", interpolating="`", opened=("${",), slash_pattern=True)
_RUBY = Syntax(("#",), ("=begin", "=end"), interpolating='"`', opened=("#{",), commands="`", percent=("%x",))
_PERL = Syntax(("#",), None, interpolating='"`', opened=("$", "@"), commands="`", percent=("qx", "q", "qq"))
_PHP = Syntax(("//", "#"), interpolating='"`', opened=("$", "{$"), commands="`")
_LUA = Syntax(("--",), ("--[[", "]]"))
_HASH = Syntax(("#",), None)
LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "node": Language(_JS, NODE),
        "ruby": Language(_RUBY, RUBY, bare=True),
        "perl": Language(_PERL, PERL, bare=True),
        "php": Language(_PHP, PHP, named=True),
        "lua": Language(_LUA, LUA),
        "r": Language(_HASH, R),
        "go": Language(Syntax(quotes='"`'), GO),
    }
)


def acts(text: str, language: Language) -> list[Act]:
    """The acts of a script."""
    found = tokens(text, language.syntax)
    bound = _bound(found)
    out: list[Act] = []
    for index, token in enumerate(found):
        if token.kind == "command":
            out.append(running(token.text, None, token.line))
        elif token.kind == "name" and not _continues(found, index):
            out.extend(_call(found, index, language, bound, text))
        elif language.named and token.kind == "string" and language.calls.get(token.text) == "delete":
            out.append(Act("delete", HOLE, line=token.line))
    return out


def _bound(found: Sequence[Token]) -> dict[str, str]:
    """Names that are assigned one literal string."""
    bound: dict[str, str] = {}
    for index in range(len(found) - 2):
        name, equals, value = found[index : index + 3]
        if name.kind == "name" and equals.text == "=" and value.kind == "string":
            after = found[index + 3].text if index + 3 < len(found) else "\n"
            whole = after in (";", "\n", ",", "}")
            bound[name.text] = value.text if whole and name.text not in bound else HOLE
    return bound


def _continues(found: Sequence[Token], index: int) -> bool:
    """Whether the name at `index` is a later part of a dotted name that was looked at already."""
    return (
        index > 0
        and found[index - 1].text in (".", ">", ":")
        and index > 1
        and found[index - 2].kind == "name"
    )


def _call(
    found: Sequence[Token], index: int, language: Language, bound: Mapping[str, str], text: str
) -> list[Act]:
    names = [found[index].text]
    after_chain = found[index - 1].text == "." if index else False
    at = index + 1
    while at < len(found):
        step = _separator(found, at)
        if not step or at + step >= len(found) or found[at + step].kind != "name":
            break
        names.append(found[at + step].text)
        at += step + 1
    kind = _kind(names, language.calls, after_chain, text)
    if not kind and (len(names) > 1 or after_chain) and destroys(names[-1]) and found[at : at + 1]:
        return [Act("destroys", names[-1], line=found[index].line)] if found[at].text == "(" else []
    if not kind or at >= len(found):
        return []
    arguments = _arguments(found, at, language.bare, bound)
    if arguments is None:
        return []
    return _acts_of(kind, arguments, found[index].line)


def _separator(found: Sequence[Token], at: int) -> int:
    """How many tokens join two parts of a dotted name here: `.`, `?.`, `::`, `->`."""
    pair = found[at].text + (found[at + 1].text if at + 1 < len(found) else "")
    if pair in ("?.", "::", "->"):
        return 2
    return 1 if found[at].text == "." else 0


def _kind(names: Sequence[str], calls: Mapping[str, str], after_chain: bool, text: str) -> str:
    last = names[-1]
    whole = ".".join(names)
    kind = ""
    if len(names) > 1:
        kind = calls.get(".".join(names[-2:])) or calls.get(".".join(names[-3:])) or calls.get("." + last, "")
    elif after_chain:
        kind = calls.get("." + last, "")
    else:
        kind = calls.get(last) or calls.get("." + last, "")
    if kind.endswith("?"):
        kind = kind[:-1]
        if kind in ("shell", "words"):
            return kind if "child_process" in text or "execa" in text else ""
        if kind == "opaque":
            return kind if "eval" in text or "Function" in text else ""
        if kind == "eval":
            return kind
        return kind if "fs" in text or not whole else ""
    return kind


def _arguments(
    found: Sequence[Token], at: int, bare: bool, bound: Mapping[str, str]
) -> list[list[Token]] | None:
    """The arguments of a call as token runs, names that are bound to a string replaced by it."""
    parenthesised = found[at].text == "("
    if not parenthesised and not (bare and (found[at].kind in ("string", "name", "command"))):
        return None
    level = 0
    arguments: list[list[Token]] = [[]]
    for token in found[at + 1 if parenthesised else at :]:
        text = token.text
        if token.kind == "mark":
            if text in "([{":
                level += 1
            elif text in ")]}":
                level -= 1
                if level < 0:
                    break
            elif (
                (text == "," and level == 0)
                or (text == "\n" and not parenthesised)
                or (text == ";" and level == 0)
            ):
                if text != ",":
                    break
                arguments.append([])
                continue
            if text == "\n":
                continue
        if token.kind == "name" and text in bound:
            token = Token("string", bound[text], token.line)
        arguments[-1].append(token)
    return arguments


def _text(argument: Sequence[Token]) -> str | None:
    """A literal text, unknown parts as `HOLE`; None where nothing is literal."""
    if not any(token.kind == "string" for token in argument):
        return None
    pieces: list[str] = []
    for token in argument:
        if token.kind == "string":
            pieces.append(token.text)
        elif token.kind == "mark" and token.text in "+.":
            continue
        elif not pieces or pieces[-1] != HOLE:
            pieces.append(HOLE)
    return "".join(pieces)


def _listed(argument: Sequence[Token]) -> list[str] | None:
    """A literal list of words."""
    if not argument or argument[0].text not in "[{" or argument[0].kind != "mark":
        return None
    words: list[str] = []
    run: list[Token] = []
    for token in [*argument[1:-1], Token("mark", ",", 0)]:
        if token.kind == "mark" and token.text == ",":
            if run:
                words.append(_text(run) or HOLE)
            run = []
        else:
            run.append(token)
    return words


_DECODERS = frozenset(
    ("atob", "Buffer", "fromCharCode", "base64_decode", "gzinflate", "str_rot13", "hex2bin", "decode64",
     "decode_base64", "unpack", "pack", "urldecode", "unescape")
)  # fmt: skip


def _acts_of(kind: str, arguments: list[list[Token]], line: int) -> list[Act]:
    texts = [_text(argument) for argument in arguments]
    first = texts[0] if texts else None
    match kind:
        case "shell":
            words = [first or HOLE] + [text or HOLE for text in texts[1:]]
            if len(arguments) > 1 and texts[1] is not None and _listed(arguments[1]) is None and first:
                return [running(None, tuple(words), line)]
            listed = _listed(arguments[0])
            return [running(None, tuple(listed), line) if listed else running(first, None, line)]
        case "words":
            listed = _listed(arguments[0])
            if listed:
                return [running(None, tuple(listed), line)]
            if first is None:
                return [Act("unknown", line=line)]
            rest = _listed(arguments[1]) if len(arguments) > 1 else []
            if rest is None:
                rest = [text or HOLE for text in texts[1:]]
            if " " in first.strip() and not rest:
                return [running(first, None, line)]
            return [running(None, (first, *rest), line)]
        case "eval":
            if not arguments[0] or arguments[0][0].text == "{":
                return []
            if any(token.text in _DECODERS for token in arguments[0] if token.kind == "name"):
                return [Act("hidden", "eval", line=line)]
            return [] if first is not None and HOLE not in first else [Act("opaque", "eval", line=line)]
        case "opaque" | "unknown":
            return [Act(kind, line=line)]
        case "module":
            return [Act("opaque", line=line)] if first is None and arguments[0] and False else []
        case "file":
            return [Act("file", first or HOLE, line=line)]
        case "copy":
            return [Act("write", (texts[1] if len(texts) > 1 else None) or HOLE, line=line)]
        case "move":
            moved = (texts[1] if len(texts) > 1 else None) or HOLE
            return [Act("delete", first or HOLE, line=line), Act("write", moved, line=line)]
        case "fetch":
            flat = [token.text.upper() for argument in arguments[1:] for token in argument]
            sends = any(word in flat for word in ("POST", "PUT", "PATCH", "DELETE"))
            return [Act("network.send" if sends else "network.read", first or "", line=line)]
        case "open":
            mode = texts[1] if len(texts) > 1 else "r"
            writes = mode is None or any(letter in mode for letter in "wax+")
            if first and first.startswith("|"):
                return [running(first[1:], None, line)]
            return [Act("write" if writes else "read", first or HOLE, line=line)]
        case "perlopen":
            return _perl_open(texts, line)
        case "process.kill" | "network.read" | "network.send":
            return [Act(kind, first or "", line=line)]
    return [Act(kind, text or HOLE, line=line) for text in (texts if kind == "delete" else texts[:1])]


def _perl_open(texts: list[str | None], line: int) -> list[Act]:
    """`open(F, ">file")`, `open(F, "cmd |")`, `open(my $f, "-|", "cmd", …)`."""
    if len(texts) < 2 or texts[1] is None:
        return []
    mode, rest = texts[1].strip(), [text or HOLE for text in texts[2:]]
    if mode in ("-|", "|-"):
        return [
            running(None, tuple(rest), line)
            if len(rest) > 1
            else running(rest[0] if rest else None, None, line)
        ]
    if mode.startswith("|") or mode.endswith("|"):
        return [running(mode.strip("| "), None, line)]
    if mode.startswith((">", "+>", "+<")):
        return [Act("write", mode.lstrip("+<> ") or (rest[0] if rest else HOLE), line=line)]
    return [Act("read", mode.lstrip("< ") or (rest[0] if rest else HOLE), line=line)]
