"""Words → the fields that a command receives.

Invariant: a field holds exactly what bash would pass, with `HOLE` for every part that is not known; globs
stay as written, for what they match lies where they point.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ringwall.model.analysis import HOLE
from ringwall.shell.ast import (
    Arithmetic,
    Brace,
    CommandSub,
    Literal,
    Param,
    Part,
    ProcessSub,
    Script,
    Span,
    Unknown,
    Word,
)
from ringwall.shell.environment import SOMETHING, UNKNOWN, UNSET, Environment, Value
from ringwall.shell.parameters import modified
from ringwall.shell.streams import Stream

MOST_FIELDS = 512
MARK = "${__unknown__}"
"""Stands for `HOLE` in text that is handed to the reader, which takes no NUL."""


class Field(NamedTuple):
    """One word of argv. `loose`: unquoted and unknown, so it may be none or several words."""

    text: str
    span: Span
    loose: bool = False
    filled: bool = True
    network: bool = False


class Shell(Protocol):
    """What expansion needs of the walk."""

    env: Environment
    room: int  # characters that values may still add up to

    def captured(self, script: Script) -> Stream:
        """Walk a substituted script in a subshell; its standard output."""

    def connected(self, part: ProcessSub) -> str:
        """Walk a process substitution; the path that stands for it."""


def fields_of(words: tuple[Word, ...], shell: Shell, span: Span | None) -> list[Field]:
    """All fields of `words`; each has the span of its word, or `span` where the text is not the input's."""
    fields: list[Field] = []
    for word in words:
        parts = word.parts
        place = span or word.span
        if len(parts) == 1:
            part = parts[0]
            if type(part) is Literal and MARK not in part.text:
                text = part.text
                if text[:1] == "~" and not part.quoted:
                    text = home(text, shell.env)
                fields.append(Field(text, place))
                continue
        if len(fields) < MOST_FIELDS:
            _split(parts, place, shell, fields)
    return fields


def value_of(word: Word, shell: Shell, assigned: bool = False) -> Value:
    """The value of a word that is not split: an assignment's, a redirect's target, a here-document."""
    parts = word.parts
    if len(parts) == 1 and type(parts[0]) is Literal and MARK not in parts[0].text:
        literal = parts[0]
        if literal.quoted or "~" not in literal.text:
            return Value(literal.text)
    pieces: list[str] = []
    filled, network = True, False
    for index, part in enumerate(parts):
        value = _value(part, shell)
        text = value.text
        if type(part) is Literal and not part.quoted and "~" in text:
            if index == 0:
                text = home(text, shell.env)
            if assigned:
                text = ":".join([text.split(":")[0], *(home(t, shell.env) for t in text.split(":")[1:])])
        pieces.append(text)
        filled = filled and value.filled
        network = network or value.network
    return Value("".join(pieces), filled or any(p.strip(HOLE) for p in pieces), network)


def home(text: str, env: Environment) -> str:
    """Tilde expansion of a word's unquoted beginning."""
    if text[:1] != "~":
        return text
    name, slash, rest = text[1:].partition("/")
    if not name:
        place = env.get("HOME").text
    elif name == "+":
        place = env.cwd
    elif name == "-":
        place = env.previous
    elif name == "root":
        place = "/root"
    elif name.replace("_", "").replace("-", "").isalnum():
        place = f"/home/{name}"
    else:
        return text
    return place + slash + rest


# ---- one word into fields


class _Builder:
    """Fields under construction: text that belongs together grows, blanks of unquoted values end it."""

    __slots__ = ("exists", "fields", "filled", "loose", "network", "pieces", "place")

    def __init__(self, fields: list[Field], place: Span) -> None:
        self.fields = fields
        self.place = place
        self.fresh()

    def fresh(self) -> None:
        self.pieces: list[str] = []
        self.exists = self.loose = self.network = False
        self.filled = True

    def add(self, value: Value, exists: bool) -> None:
        self.pieces.append(value.text)
        self.exists = self.exists or exists or bool(value.text)
        self.filled = self.filled and value.filled
        self.network = self.network or value.network

    def close(self) -> None:
        if self.exists and len(self.fields) < MOST_FIELDS:
            text = "".join(self.pieces)
            loose = self.loose and HOLE in text
            self.fields.append(Field(text, self.place, loose, self.filled, self.network))
        self.fresh()


def _split(parts: tuple[Part, ...], place: Span, shell: Shell, fields: list[Field]) -> None:
    for index, part in enumerate(parts):
        if type(part) is Brace:
            before, after = parts[:index], parts[index + 1 :]
            for word in part.words:
                if len(fields) >= MOST_FIELDS:
                    break
                _split(before + word.parts + after, place, shell, fields)
            return
    builder = _Builder(fields, place)
    for index, part in enumerate(parts):
        if type(part) is Literal:
            text = part.text
            if index == 0 and not part.quoted:
                text = home(text, shell.env)
            elif MARK in text:
                text = text.replace(MARK, HOLE)
            builder.add(Value(text, MARK not in part.text), part.quoted)
        elif type(part) is Param and part.name in ("@", "*") and not part.op:
            _all(shell.env.arguments, part.quoted, part.name == "*", shell, builder)
        elif type(part) is Param and part.name.endswith(("[@]", "[*]")) and not part.op:
            values = shell.env.arrays.get(part.name[:-3], [UNKNOWN])
            _all(values, part.quoted, part.name.endswith("[*]"), shell, builder)
        else:
            value = _value(part, shell)
            if getattr(part, "quoted", True):
                builder.add(value, True)
            else:
                _blanks(value, shell.env.get("IFS").text, builder)
    builder.close()


def _all(values: list[Value], quoted: bool, star: bool, shell: Shell, builder: _Builder) -> None:
    """`$@`, `$*` and whole arrays."""
    shell.room -= sum(len(value.text) for value in values)
    if shell.room < 0:
        values = [UNKNOWN]
    if quoted and star:
        text = " ".join(v.text for v in values)
        builder.add(Value(text, all(v.filled for v in values), any(v.network for v in values)), True)
        return
    for index, value in enumerate(values):
        if index:
            builder.close()
        if quoted:
            builder.add(value, True)
            builder.loose = builder.loose or HOLE in value.text
        else:
            _blanks(value, shell.env.get("IFS").text, builder)


def _blanks(value: Value, separators: str, builder: _Builder) -> None:
    """Word splitting of an unquoted value."""
    text = value.text
    if HOLE in separators:
        separators = " \t\n"
    if not any(c in text for c in separators):
        builder.add(value, False)
        builder.loose = builder.loose or HOLE in text
        return
    for other in separators[1:]:
        text = text.replace(other, separators[0])
    for index, piece in enumerate(text.split(separators[0])):
        if index:
            builder.close()
        builder.add(Value(piece, value.filled or bool(piece.strip(HOLE)), value.network), False)
        builder.loose = builder.loose or HOLE in piece


# ---- one part


def _value(part: Part, shell: Shell) -> Value:
    if type(part) is Literal:
        text = part.text
        return Value(text.replace(MARK, HOLE), False) if MARK in text else Value(text)
    if type(part) is Param:
        value = _parameter(part, shell)
        shell.room -= len(value.text)
        return value if shell.room > 0 else UNKNOWN
    if type(part) is CommandSub:
        output = shell.captured(part.script)
        if output.text is None:
            return Value(HOLE, False, output.network)
        return Value(output.text.rstrip("\n"), bool(output.text.strip(HOLE)), output.network)
    if type(part) is ProcessSub:
        return Value(shell.connected(part))
    if type(part) is Arithmetic:
        for word in part.words:
            value_of(word, shell)
        text = part.text.strip()
        return Value(text) if text.isdigit() else SOMETHING
    if type(part) is Brace:
        return Value("{" + ",".join(word.raw for word in part.words) + "}")
    if type(part) is Unknown:
        for word in part.words:
            value_of(word, shell)
    return UNKNOWN


def _parameter(part: Param, shell: Shell) -> Value:
    env, name = shell.env, part.name
    if name == "__unknown__":
        return UNKNOWN
    if not part.op:
        return _plain(name, env)
    argument = value_of(part.arg, shell) if part.arg is not None else UNSET
    value = _plain(name, env)
    defined = name.isdigit() or name in ("@", "*") or env.defined(name)
    result = modified(value, defined, part.op, argument)
    if part.op in ("=", ":=") and name.isidentifier():
        env.assign(name, result)
    if part.op in ("indirect", "!") and value.text.isidentifier():
        return env.get(value.text)
    return result


def _plain(name: str, env: Environment) -> Value:
    if name.isdigit() and name != "0":
        index = int(name) if len(name) < 6 else 99_999
        for value in env.arguments[: index - 1]:
            if HOLE in value.text:  # may have been several words
                return UNKNOWN if not value.filled else SOMETHING
        if index <= len(env.arguments):
            return env.arguments[index - 1]
        return UNSET if env.arguments else UNKNOWN
    if name in ("@", "*"):
        values = env.arguments
        return Value(
            " ".join(v.text for v in values), all(v.filled for v in values), any(v.network for v in values)
        )
    if name == "#":
        return SOMETHING if any(HOLE in v.text for v in env.arguments) else Value(str(len(env.arguments)))
    base, bracket, index_text = name.partition("[")
    if bracket:
        return _element(base, index_text.rstrip("]"), env)
    array = env.arrays.get(name)
    if array is not None:
        return array[0] if array else UNSET
    return env.get(name)


def _element(name: str, index: str, env: Environment) -> Value:
    array = env.arrays.get(name)
    if array is None:
        return env.get(name) if index == "0" else UNKNOWN
    if index in ("@", "*"):
        return Value(" ".join(v.text for v in array), all(v.filled for v in array))
    if index.lstrip("-").isdigit() and len(index) < 6 and -len(array) <= int(index) < len(array):
        return array[int(index)]
    return UNKNOWN
