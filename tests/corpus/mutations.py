"""Other ways to write a command: those that mean the same, and those that make it data.

Invariant: `same` never changes what bash runs; `data` never lets it run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringwall.shell.ast import Literal, Simple
from ringwall.shell.read import read

_WORD = re.compile(r"[A-Za-z0-9_./:@%,+=-]+")
_BUILTINS = frozenset(
    (".", ":", "alias", "bg", "bind", "break", "builtin", "case", "cd", "command", "continue", "coproc",
     "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false", "fc",
     "fg", "for", "function", "getopts", "hash", "help", "history", "if", "jobs", "kill", "let", "local",
     "logout", "mapfile", "popd", "printf", "pushd", "pwd", "read", "readarray", "readonly", "return",
     "select", "set", "shift", "shopt", "source", "suspend", "test", "time", "times", "trap", "true",
     "type", "typeset", "ulimit", "umask", "unalias", "unset", "until", "wait", "while", "[")
)  # fmt: skip
_ANY_ORDER = frozenset(("rm", "cp", "mv", "chmod", "chown", "mkdir", "shred", "rmdir", "ls", "wc"))


def words_of(command: str) -> tuple[str, ...]:
    """The words of a text that is one command of literal words; empty for all other texts."""
    reading = read(command, lambda _: None)
    body = reading.script.body if reading.script is not None and not reading.doubts else None
    if not isinstance(body, Simple) or body.assigns or body.redirects or not body.words:
        return ()
    words = tuple(word.raw for word in body.words)
    literal = all(isinstance(part, Literal) for word in body.words for part in word.parts)
    return words if literal and _WORD.fullmatch(words[0]) and "\n" not in command else ()


def same(command: str) -> Iterator[str]:
    """Texts by which bash runs the same command."""
    words = words_of(command)
    if not words:
        return
    name, rest = words[0], words[1:]
    runnable = name not in _BUILTINS
    yield " ".join((f"{name[:1]}''{name[1:]}", *rest))
    yield " ".join((f"{name[:-1]}'{name[-1:]}'", *rest))
    yield " ".join((f'"{name}"', *rest))
    if name[0].isalpha():
        yield " ".join((f"\\{name}", *rest))
    yield " ".join((name, *(f'"{word}"' if _WORD.fullmatch(word) else word for word in rest)))
    yield " ".join((name, *(word[:1] + "''" + word[1:] if _WORD.fullmatch(word) else word for word in rest)))
    yield " \\\n  ".join(words)
    yield "  \t".join(words)
    yield f"{name[:1]}\\\n{name[1:]} {' '.join(rest)}"
    yield f"{command} "
    yield f"true; {command}"
    yield f"true && {command}"
    yield f"{{ {command}\n}}"
    yield f"({command})"
    yield f"if true; then {command}\nfi"
    yield f"X=1 {command}"
    yield f"f() {{ {command}\n}}; f"
    yield f"eval {quoted(command)}"
    yield f"bash -c {quoted(command)}"
    yield f"sh <<'END_OF_TEXT'\n{command}\nEND_OF_TEXT"
    yield f"{command} 2>&1 | cat"
    yield f">/dev/null {command}"
    if runnable:
        yield f"env {command}"
        yield f"env -u X A=1 {command}"
        yield f"command {command}"
        yield f"nice -n 5 timeout 60 {command}"
        if "/" not in name:
            yield f"/usr/bin/{command}"
    if name in _ANY_ORDER and rest and all(_plain_flag(word) or word[0] != "-" for word in rest):
        flags = [word for word in rest if word[0] == "-"]
        operands = [word for word in rest if word[0] != "-"]
        yield " ".join((name, *operands, *flags))
        yield " ".join((name, *reversed(flags), *operands))
        yield " ".join((name, *(f"-{letter}" for flag in flags for letter in flag[1:]), *operands))
        if flags:
            yield " ".join((name, "-" + "".join(flag[1:] for flag in flags), *operands))


def _plain_flag(word: str) -> bool:
    return re.fullmatch(r"-[rRfvidlaLPp]+", word) is not None


def data(command: str) -> Iterator[str]:
    """Texts in which the command only is written down."""
    flat = command.replace("\n", " ")
    yield f"ls # {flat}"
    yield f"# {flat}\nls"
    yield f"echo {quoted(command)}"
    yield f"printf '%s\\n' {quoted(command)}"
    yield f"git commit -m {quoted(command)}"
    yield f"git commit --allow-empty -m fix -m {quoted(command)}"
    yield f"grep -rn -e {quoted(command)} src"
    yield f'MESSAGE={quoted(command)}; echo "$MESSAGE"'
    yield f"cat > notes.txt <<'END_OF_TEXT'\n{command}\nEND_OF_TEXT"
    yield f"git commit -F - <<'END_OF_TEXT'\n{command}\nEND_OF_TEXT"
    yield f"git commit -m \"$(cat <<'END_OF_TEXT'\n{command}\nEND_OF_TEXT\n)\""
    yield f": {quoted(command)}"


def quoted(text: str) -> str:
    """`text` as one word."""
    return "'" + text.replace("'", "'\\''") + "'"
