"""Builtins that change the shell itself.

Invariant: afterwards the environment holds what bash's would, or `HOLE`. A builtin that runs other text
has walked it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE
from ringwall.shell import carriers, variables
from ringwall.shell.ast import Assign, Declaration
from ringwall.shell.environment import SOMETHING, UNKNOWN, UNSET, Value
from ringwall.shell.expand import Field, fields_of, value_of
from ringwall.shell.placing import place_effects
from ringwall.shell.streams import EMPTY, SOURCES, Stream

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

Builtin = Callable[["Walk", list[Field], Stream, int], Stream | None]
"""None: treat it as an ordinary command as well."""


# ---- assignments


def assign(walk: Walk, node: Assign, keep: bool) -> Value:
    """The value of an assignment; with `keep` the shell has it from now on."""
    env = walk.env
    if node.array is not None:
        fields = fields_of(node.array, walk, walk.frame.span)
        values = [Value(f.text, f.filled, f.network) for f in fields]
        if keep:
            before = env.arrays.get(node.name, []) if node.append else []
            env.variables.pop(node.name, None)
            env.arrays[node.name] = before + values
        return UNKNOWN
    value = value_of(node.value, walk, assigned=True) if node.value is not None else UNSET
    if node.append:
        before_value = env.get(node.name)
        value = Value(before_value.text + value.text, before_value.filled or value.filled, value.network)
    if node.index is not None:
        value_of(node.index, walk)
        if keep:
            env.arrays[node.name] = [*env.arrays.get(node.name, []), value, UNKNOWN]
        return UNKNOWN
    if keep:
        env.assign(node.name, value)
    return value


def declare(walk: Walk, node: Declaration, fields: list[Field]) -> None:
    """`export`, `local` and their kin."""
    assigned = {}
    for part in node.assigns:
        if node.keyword in ("local", "declare", "typeset"):
            walk.env.declare_local(part.name)
        assigned[part.name] = assign(walk, part, keep=part.array is not None or part.index is not None)
    for part in node.assigns:  # all words are expanded before the first assignment
        if part.array is None and part.index is None:
            walk.env.assign(part.name, assigned[part.name])
    if node.keyword == "readonly" or any(field.text == "-r" for field in fields):
        walk.env.fixed = walk.env.fixed | {part.name for part in node.assigns}
    for field in fields:
        if field.text.startswith("-"):
            continue
        if node.keyword == "local":
            walk.env.declare_local(field.text)
            walk.env.assign(field.text, UNSET)
        assigned.update(_from_text(walk, field))
    variables.open_variables(walk, assigned, walk.frame.span or node.span)
    words = (node.keyword, *(field.text for field in fields))
    carriers.observe(walk, words, walk.frame.span or node.span, node.span[0])


def _from_text(walk: Walk, field: Field) -> dict[str, Value]:
    name, equals, text = field.text.partition("=")
    if not equals or not name.isidentifier():
        return {}
    value = Value(text, field.filled, field.network)
    walk.env.assign(name, value)
    return {name: value}


def _export(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    assigned: dict[str, Value] = {}
    for field in fields[1:]:
        assigned.update(_from_text(walk, field))
    variables.open_variables(walk, assigned, fields[0].span)
    return None


def _unset(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    env = walk.env
    for field in fields[1:]:
        name = field.text
        env.functions.pop(name, None)
        env.arrays.pop(name, None)
        if name.isidentifier():
            env.assign(name, UNSET)
    return None


def _set(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    words = [field.text for field in fields]
    if "--" in words:
        rest = fields[words.index("--") + 1 :]
    else:
        at = next(
            (i for i, w in enumerate(words) if i and not w.startswith(("-", "+")) and words[i - 1] != "-o"), 0
        )
        rest = fields[at:] if at else []
        if not rest:
            return None
    walk.env.arguments = [Value(f.text, f.filled, f.network) for f in rest]
    return None


def _shift(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    arguments = walk.env.arguments
    count = fields[1].text if len(fields) > 1 else "1"
    known = count.isdigit() and len(count) < 6 and not any(HOLE in value.text for value in arguments)
    walk.env.arguments = arguments[int(count) :] if known else ([UNKNOWN] if arguments else [])
    return None


def _read(walk: Walk, fields: list[Field], stdin: Stream, _: int) -> Stream | None:
    names = [f.text for f in fields[1:] if f.text.isidentifier()]
    stdin = walk.settled(_descriptor(walk, fields, stdin))
    lines = stdin.text.split("\n") if stdin.text else []
    known = len(lines) in (1, 2) and HOLE not in lines[0] and not any(lines[1:])
    words = lines[0].split(None, len(names) - 1) if known and names else []
    for index, name in enumerate(names):
        if known:
            walk.env.assign(name, Value(words[index].rstrip() if index < len(words) else ""))
        else:
            walk.env.assign(name, Value(HOLE, False, stdin.network))
    return None


def _descriptor(walk: Walk, fields: list[Field], stdin: Stream) -> Stream:
    """The input of `read` and `mapfile`: with `-u N` an open descriptor."""
    for index, field in enumerate(fields[1:-1], 1):
        if field.text.startswith("-") and field.text.endswith("u"):
            return walk.env.files.get(f"/dev/fd/{fields[index + 1].text}", stdin)
    return stdin


def _mapfile(walk: Walk, fields: list[Field], stdin: Stream, _: int) -> Stream | None:
    name = fields[-1].text if len(fields) > 1 and fields[-1].text.isidentifier() else "MAPFILE"
    stdin = walk.settled(_descriptor(walk, fields, stdin))
    if stdin.text and HOLE not in stdin.text:
        walk.env.arrays[name] = [Value(line) for line in stdin.text.splitlines()]
    else:
        walk.env.arrays[name] = [Value(HOLE, True, stdin.network)]
    walk.env.variables.pop(name, None)
    return None


def _printf(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    words = [field.text for field in fields]
    if len(words) > 3 and words[1] == "-v" and words[2].isidentifier():
        text = SOURCES["printf"](words[3:], "")
        walk.env.assign(words[2], UNKNOWN if text is None else Value(text, bool(text.strip(HOLE))))
    return None


def _let(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    for field in fields[1:]:
        name = field.text.partition("=")[0].rstrip("+-*/%&|^<> ").lstrip("+-")
        if name.isidentifier():
            walk.env.assign(name, SOMETHING)
    return None


# ---- directories


def _cd(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream:
    output = carriers.look(walk, fields, stdin, at)
    operands = [f.text for f in fields[1:] if f.text not in ("--", "-L", "-P", "-e", "-LP")]
    env = walk.env
    target = operands[0] if operands else env.get("HOME").text
    if target == "-":
        env.cwd, env.previous = env.previous, env.cwd
    elif target:
        env.change_directory(target)
    return output


def _pushd(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream:
    output = carriers.look(walk, fields, stdin, at)
    operands = [f.text for f in fields[1:] if f.text not in ("--", "-n")]
    env = walk.env
    if operands and not operands[0].startswith(("+", "-")):
        env.visited.append(env.cwd)
        env.change_directory(operands[0])
    elif not operands and env.visited:
        env.visited[-1], env.cwd = env.cwd, env.visited[-1]
    else:
        env.cwd = HOLE
    return output


def _popd(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream:
    output = carriers.look(walk, fields, stdin, at)
    env = walk.env
    env.cwd = env.visited.pop() if env.visited and len(fields) == 1 else HOLE
    return output


# ---- text that runs in this shell


def _eval(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream:
    rest = fields[1:]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    carriers.observe(walk, tuple(f.text for f in fields), fields[0].span, at, quiet=True)
    return (
        carriers.shell_text(walk, " ".join(f.text for f in rest), rest, "eval", stdin, at) if rest else EMPTY
    )


def _source(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream:
    rest = fields[1:]
    while rest and rest[0].text.startswith("-") and rest[0].text != "-":
        rest = rest[2:] if rest[0].text == "-p" else rest[1:]
    index = carriers.observe(walk, tuple(f.text for f in fields), fields[0].span, at, quiet=True)
    if not rest:
        return EMPTY
    env, script = walk.env, rest[0]
    before = env.arguments
    if HOLE not in script.text:
        place_effects(walk, "read", script.text, script.span, recursive=False, at=at, command=index)
    if len(rest) > 1:
        env.arguments = [Value(f.text, f.filled, f.network) for f in rest[1:]]
    output = carriers.run_file(walk, "shell", rest[0], fields[0].text, stdin, at, index)
    if len(rest) > 1:
        env.arguments = before
    return output


def _trap(walk: Walk, fields: list[Field], _: Stream, at: int) -> Stream:
    rest = fields[1:]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    carriers.observe(walk, tuple(f.text for f in fields), fields[0].span, at)
    if len(rest) > 1 and rest[0].text not in ("", "-") and not rest[0].text.startswith("-"):
        before, walk.env = walk.env, walk.env.fork()
        carriers.shell_text(walk, rest[0].text, rest[:1], "trap", EMPTY, at)
        walk.env = before
    return EMPTY


def _alias(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    for field in fields[1:]:
        name, equals, text = field.text.partition("=")
        if equals and name:
            walk.env.aliases[name] = text
    return None


def _unalias(walk: Walk, fields: list[Field], _: Stream, __: int) -> Stream | None:
    for field in fields[1:]:
        walk.env.aliases.pop(field.text, None)
    return None


def _command(walk: Walk, fields: list[Field], stdin: Stream, at: int) -> Stream | None:
    """`command` and `builtin` run in this shell, past functions."""
    rest = fields[1:]
    while rest and rest[0].text in ("-p", "--"):
        rest = rest[1:]
    if not rest or rest[0].text.startswith("-"):
        return None
    frame, env = walk.frame, walk.env
    hidden, env.functions = env.functions, {}
    walk.frame = frame._replace(via=(*frame.via, fields[0].text))
    output = walk.run(rest, stdin, at)
    walk.frame = frame
    env.functions = hidden | env.functions
    return output


BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        ".": _source,
        "alias": _alias,
        "builtin": _command,
        "cd": _cd,
        "chdir": _cd,
        "command": _command,
        "declare": _export,
        "eval": _eval,
        "export": _export,
        "let": _let,
        "local": _export,
        "mapfile": _mapfile,
        "popd": _popd,
        "printf": _printf,
        "pushd": _pushd,
        "read": _read,
        "readarray": _mapfile,
        "readonly": _export,
        "set": _set,
        "shift": _shift,
        "source": _source,
        "trap": _trap,
        "typeset": _export,
        "unalias": _unalias,
        "unset": _unset,
    }
)
