"""What is known of the data that flows between commands.

Invariant: a stream's text is what the command will really print, or None; never a guess. Text may hold
`HOLE` where a part is not known.
"""

from __future__ import annotations

import base64
import binascii
import codecs
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ringwall.model.analysis import HOLE

LIMIT = 65_536
"""Texts longer than this are not computed with."""


class Stream(NamedTuple):
    """`text` is None where it is not known; `network` says that it may come from the network, or was decoded
    from what nobody could read; `source` is the absolute path of a file whose content it is, not read yet."""

    text: str | None = None
    network: bool = False
    source: str = ""


EMPTY = Stream("")
UNKNOWN = Stream()
NETWORK = Stream(None, True)

Filter = Callable[[Sequence[str], str], str | None]
"""Arguments (without the name) and standard input → standard output, None where it is not known."""


def output_of(argv: Sequence[str], stdin: Stream) -> Stream:
    """The standard output of a program that only depends on its arguments and its input."""
    program = argv[0].rpartition("/")[2]
    source = SOURCES.get(program)
    if source is not None:
        return Stream(source(argv[1:], ""))
    transform = FILTERS.get(program)
    if transform is not None and stdin is not EMPTY and stdin.text is not None and len(stdin.text) <= LIMIT:
        return Stream(transform(argv[1:], stdin.text), stdin.network)
    return NETWORK if stdin.network or decodes(program, argv) else UNKNOWN


_DECODERS = frozenset(("base64", "gbase64", "base32", "basenc", "xxd", "uudecode", "openssl", "gpg", "rot13"))
_DECODING = frozenset(("-d", "-D", "--decode", "-di", "-id", "-r", "-rp", "-pr", "--decrypt"))


def decodes(program: str, argv: Sequence[str]) -> bool:
    """Whether a program turns text that says nothing into text that does."""
    return program == "uudecode" or (program in _DECODERS and not _DECODING.isdisjoint(argv))


def joined(first: Stream, second: Stream) -> Stream:
    """What two commands print one after the other."""
    if first is EMPTY:
        return second
    if second is EMPTY:
        return first
    network = first.network or second.network
    if first.text is None or second.text is None or len(first.text) + len(second.text) > LIMIT:
        return Stream(None, network)
    return Stream(first.text + second.text, network)


# ---- programs that print what they are told


def _echo(args: Sequence[str], _: str) -> str | None:
    newline, escapes, at = "\n", False, 0
    while at < len(args) and len(args[at]) > 1 and args[at][0] == "-" and not args[at][1:].strip("neE"):
        newline = "" if "n" in args[at] else newline
        escapes = "e" in args[at] or (escapes and "E" not in args[at])
        at += 1
    text = " ".join(args[at:])
    return (unescape(text) if escapes else text) + newline


def _printf(args: Sequence[str], _: str) -> str | None:
    if args and args[0] == "--":
        args = args[1:]
    if not args or args[0] == "-v":
        return ""
    template, values = unescape(args[0]), list(args[1:])
    if HOLE in template:
        return None
    out: list[str] = []
    while True:
        before = len(values)
        piece = _formatted(template, values)
        if piece is None or len(out) > LIMIT:
            return None
        out.append(piece)
        if not values or len(values) == before:
            return "".join(out)


def _formatted(template: str, values: list[str]) -> str | None:
    pieces = template.split("%")
    out, at = [pieces[0]], 1
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if not piece:  # "%%"
            out.append("%" + (pieces[at] if at < len(pieces) else ""))
            at += 1
            continue
        spec = piece.lstrip("-+ #0123456789.")
        if not spec or (spec[0] not in "sbdiqcxXo"):
            return None
        value = values.pop(0) if values else ""
        if piece[0] != spec[0] and HOLE not in value:
            return None
        out.append((_conversion(spec[0], value)) + spec[1:])
    return "".join(out)


def _conversion(kind: str, value: str) -> str:
    if HOLE in value:
        return HOLE
    match kind:
        case "b":
            return unescape(value)
        case "c":
            return value[:1]
        case "x" | "X" | "o":
            return format(int(value), kind) if value.isdigit() and len(value) < 18 else HOLE
        case "d" | "i":
            return value or "0"
        case _:
            return value


def unescape(text: str) -> str:
    r"""Backslash escapes as `echo -e`, `printf` and `$'…'` know them; unknown ones are kept."""
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while (mark := text.find("\\", at)) >= 0 and mark + 1 < len(text):
        value, end = escape_at(text, mark)
        out += (text[at:mark], value)
        at = end
    return "".join(out) + text[at:]


def escape_at(text: str, mark: int) -> tuple[str, int]:
    """The value of the escape that begins at `mark`, and where it ends."""
    kind, at = text[mark + 1], mark + 2
    if kind in _ESCAPES:
        return _ESCAPES[kind], at
    width, base, digits = _NUMERIC.get(kind, (0, 8, ""))
    if kind in "1234567":
        width, base, digits, at = 3, 8, _OCTAL, at - 1
    end = at
    while end < len(text) and end - at < width and text[end] in digits:
        end += 1
    if end > at:
        return _character(text[at:end], base, kind), end
    return "\\" + kind, mark + 2


_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    "e": "\x1b", "E": "\x1b", "\\": "\\", '"': '"', "'": "'", "?": "?",
}  # fmt: skip
_HEX = "0123456789abcdefABCDEF"
_OCTAL = "01234567"
_NUMERIC = {"x": (2, 16, _HEX), "u": (4, 16, _HEX), "U": (8, 16, _HEX), "0": (3, 8, _OCTAL)}


def _character(digits: str, base: int, kind: str) -> str:
    code = int(digits, base)
    if kind not in "uU":
        code &= 0xFF
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else HOLE


# ---- programs that turn their input into their output


def _cat(args: Sequence[str], text: str) -> str | None:
    return text if all(argument in ("-", "-u") for argument in args) else None


def _base64(args: Sequence[str], text: str) -> str | None:
    if not args or args[0] not in ("-d", "-D", "--decode", "-di", "-id") or len(args) > 1:
        return None
    return decoded_base64(text)


def decoded_base64(text: str) -> str | None:
    """The text that a base64 text stands for, or None where it is not one."""
    if HOLE in text:
        return None
    compact = "".join(text.split())
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None


def _xxd(args: Sequence[str], text: str) -> str | None:
    flags = set("".join(a[1:] for a in args if a.startswith("-")))
    if "r" not in flags or "p" not in flags or any(not a.startswith("-") for a in args) or HOLE in text:
        return None
    return decoded_hex(text)


def decoded_hex(text: str) -> str | None:
    """The text that hexadecimal digits stand for, or None."""
    try:
        return bytes.fromhex("".join(text.split())).decode("utf-8")
    except ValueError:
        return None


def _rev(args: Sequence[str], text: str) -> str | None:
    return None if args else "\n".join(line[::-1] for line in text.split("\n"))


def _tac(args: Sequence[str], text: str) -> str | None:
    return None if args else "".join(reversed(text.splitlines(keepends=True)))


def _tr(args: Sequence[str], text: str) -> str | None:
    if args and args[0] == "-d" and len(args) == 2:
        dropped = _characters(args[1])
        return None if dropped is None else "".join(c for c in text if c not in dropped)
    if len(args) != 2 or args[0].startswith("-"):
        return None
    old, new = _characters(args[0]), _characters(args[1])
    if not old or not new:
        return None
    new = new + new[-1] * (len(old) - len(new))
    return text.translate(dict(zip(map(ord, old), new, strict=False)))


_CLASSES = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:digit:]": "0123456789",
    "[:space:]": " \t\n\r\f\v",
}


def _characters(spec: str) -> str | None:
    if HOLE in spec:
        return None
    for name, members in _CLASSES.items():
        spec = spec.replace(name, members)
    if "[:" in spec:
        return None
    spec = unescape(spec)
    out: list[str] = []
    at = 0
    while at < len(spec):
        if at + 2 < len(spec) and spec[at + 1] == "-" and ord(spec[at]) <= ord(spec[at + 2]) < 256:
            out.extend(map(chr, range(ord(spec[at]), ord(spec[at + 2]) + 1)))
            at += 3
        else:
            out.append(spec[at])
            at += 1
    return "".join(out)


def _rot13(args: Sequence[str], text: str) -> str | None:
    return None if args else codecs.encode(text, "rot13")


def _counted(args: Sequence[str], default: int = 10) -> int | None:
    """The N of `head` and `tail`: `-n N`, `-nN`, `-N`; None for anything else."""
    spec = "".join(args).removeprefix("-n").removeprefix("-") if args else str(default)
    return int(spec) if spec.isdigit() and len(spec) < 9 else None


def _head(args: Sequence[str], text: str) -> str | None:
    count = _counted(args)
    return None if count is None else "".join(text.splitlines(keepends=True)[:count])


def _tail(args: Sequence[str], text: str) -> str | None:
    count = _counted(args)
    return None if count is None else "".join(text.splitlines(keepends=True)[-count:] if count else [])


def _same(_: Sequence[str], text: str) -> str | None:
    return text


def _nothing(_: Sequence[str], __: str) -> str | None:
    return ""


SOURCES: Mapping[str, Filter] = MappingProxyType(
    {"echo": _echo, "printf": _printf, "true": _nothing, ":": _nothing, "false": _nothing, "sleep": _nothing}
)
FILTERS: Mapping[str, Filter] = MappingProxyType(
    {
        "cat": _cat,
        "base64": _base64,
        "gbase64": _base64,
        "xxd": _xxd,
        "rev": _rev,
        "tac": _tac,
        "tr": _tr,
        "rot13": _rot13,
        "head": _head,
        "tail": _tail,
        "tee": _same,
    }
)
