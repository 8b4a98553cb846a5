"""Small languages that can run commands: awk, sed, SQL shells, expect, editors, debuggers, AppleScript.

Invariant: only forms that run, write or destroy are looked for; the rest of the text is data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from ringwall.model.analysis import HOLE
from ringwall.shell.acts import Act, running
from ringwall.shell.tokens import Syntax, tokens

_AWK = Syntax(("#",), None, quotes='"', slash_pattern=True)


def awk(text: str) -> list[Act]:
    """`system("…")`, `"…" | getline`, `print | "…"`, `print > "…"`."""
    found = tokens(text, _AWK)
    out: list[Act] = []
    printing = False
    depth = 0
    for index, token in enumerate(found):
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "mark" else 0
        before = found[index - 1].text if index else ""
        after = found[index + 1].text if index + 1 < len(found) else ""
        if token.kind == "name":
            printing = printing or token.text in ("print", "printf")
            if token.text == "system" and after == "(":
                argument = found[index + 2] if index + 2 < len(found) else None
                end = found[index + 3].text if index + 3 < len(found) else ""
                known = argument is not None and argument.kind == "string"
                command = (argument.text if argument and known else "") + ("" if end == ")" else HOLE)
                out.append(running(command if known else None, None, token.line))
            elif (before == "|" and token.text != "getline" and printing) or (
                token.text == "getline" and before == "|" and index > 1 and found[index - 2].kind != "string"
            ):
                out.append(Act("unknown", line=token.line))
            elif before == ">" and printing and not depth:
                out.append(Act("write", HOLE, line=token.line))
            elif token.text in ("@load", "@include"):
                out.append(Act("unknown", line=token.line))
        elif token.kind == "string":
            if before == "|":
                out.append(running(f"echo {HOLE} | {token.text}", None, token.line))
            elif after == "|" and index + 2 < len(found) and found[index + 2].text == "getline":
                out.append(running(token.text, None, token.line))
            elif before == ">" and printing:
                out.append(Act("write", token.text, line=token.line))
        elif token.text in ("\n", ";", "}"):
            printing = False
        elif token.text == "(" and before == ">" and printing and depth == 1:
            out.append(Act("write", HOLE, line=token.line))
    return out


def sed(text: str) -> list[Act]:
    """`e command`, the `e` flag of `s`, `w file` and the `w` flag."""
    out: list[Act] = []
    at = 0
    while found := _SED.match(text, at):
        at = found.end()
        line = text.count("\n", 0, found.start("word")) + 1
        word, rest = found["word"], _LINE.match(text, at)
        assert rest is not None  # noqa: S101 - it matches anything
        if word in "sy" and (parts := _sed_parts(text, at)):
            flags = _FLAGS.match(text, parts)
            assert flags is not None  # noqa: S101 - it matches anything
            if word == "s" and "e" in flags["letters"]:
                out.append(running(_replacement(text[found.start("word") : parts]), None, line))
            if word == "s" and flags["file"] is not None:
                out.append(Act("write", flags["file"].strip(), line=line))
            at = flags.end()
        elif word in "wW":
            out.append(Act("write", rest[0].strip(), line=line))
            at = rest.end()
        elif word == "e":
            out.append(running(rest[0].strip(), None, line))
            at = rest.end()
        elif word in "aicrR#":
            at = rest.end()
        elif word in ":btT" and (label := _LABEL.match(text, at)):
            at = label.end()
    return out


_SED = re.compile(
    rf"(?:[\s;{{}}0-9,$!~+{HOLE}]|/(?:\\.|[^/\\])*/[IM]*|\\(?P<mark>.)(?:\\.|(?!(?P=mark)).)*(?P=mark)[IM]*)*"
    r"(?P<word>[^\s;{}])",
    re.DOTALL,
)
"""Addresses and blocks, and the letter of the command that follows."""
_LINE = re.compile(r"(?:\\\n|[^\n])*")
_LABEL = re.compile(r"[^\n;}]*")
_FLAGS = re.compile(r"(?P<letters>[gpiImMe0-9 ]*)(?:w(?P<file>[^\n]*))?")


def _sed_parts(text: str, at: int) -> int:
    """Where both parts of `s/…/…/`, whose first mark stands at `at`, have ended; 0 where they do not."""
    mark = re.escape(text[at : at + 1])
    part = rf"(?:\\.|(?!{mark}).)*"
    found = re.compile(f"{mark}{part}{mark}{part}{mark}", re.DOTALL).match(text, at) if mark else None
    return found.end() if found else 0


def _replacement(command: str) -> str:
    """What `s/pattern/replacement/` puts there, as far as it is written out."""
    text = re.sub(r"\\[0-9&]|(?<!\\)&", HOLE, command[2:].partition(command[1])[2])
    return text.rpartition(command[1])[0]


_READS = (".read ", "\\i ", "\\ir ", "\\include ", "source ", "\\. ")
_WRITES = (".output ", ".once ", ".save ", ".backup ", ".clone ", ".log ", ".open ", "\\o ", "\\w ", "tee ")
_LOADS = (".load ", ".import ", ".restore ", ".archive ", ".ar ", ".excel ", ".www ", ".edit ")
_REACHING = ("writefile(", "load_extension(", "edit(")
_DESTROYS = ("drop ", "truncate ", "delete from", "alter table", "revoke ", "flush ", "purge ")


def sql(text: str) -> list[Act]:
    r"""`DROP`, `TRUNCATE`, `DELETE`, a change of every row; the shells' own `\!` and `system`."""
    out: list[Act] = []
    for plain in _statements(text):
        lower = plain.lower() + " "
        if lower.startswith(_DESTROYS) or (lower.startswith("update ") and " where " not in lower):
            out.append(Act("data.destroy", plain[:80]))
        elif plain.startswith(("\\!", ".shell ", ".system ")):
            out.append(running(plain.partition(" ")[2] if plain[0] == "." else plain[2:], None, 1))
        elif lower.startswith(_WRITES):
            file = plain.split()[-1].strip("'\"")
            out.append(running(plain.partition("|")[2], None, 1) if "|" in plain else Act("write", file))
        elif lower.startswith(_LOADS) or any(name in lower for name in _REACHING):
            out.append(Act("unknown"))
        elif lower.startswith(_READS):
            file = plain.partition(" ")[2].strip().strip("'\"")
            words = None if file.startswith("|") else ("psql", "-f", file)
            out.append(running(file[1:], words, 1))
        elif lower.startswith("system "):
            out.append(running(plain[7:], None, 1))
        elif "program '" in lower and lower.startswith("copy"):
            out.append(running(plain[lower.index("program '") + 9 :].partition("'")[0], None, 1))
    return out


def _statements(text: str) -> Iterator[str]:
    """Each statement, and each of the shells' own commands, which end with their line."""
    for statement in text.split(";"):
        rest = statement.strip()
        while rest.startswith((".", "\\")):
            line, _, rest = rest.partition("\n")
            yield line.strip()
            rest = rest.strip()
        if rest:
            first, _, later = rest.partition("\n.")
            yield first
            yield from _statements(f".{later}") if later else ()


def tcl(text: str) -> list[Act]:
    """expect and Tcl: `spawn …`, `exec …`, `system …`."""
    out: list[Act] = []
    for number, line in enumerate(text.replace(";", "\n").split("\n"), 1):
        word, _, rest = line.strip().lstrip("[").partition(" ")
        if word in ("spawn", "exec", "system"):
            rest = rest.strip().removeprefix("-noecho ").removeprefix("--").strip().rstrip("]")
            out.append(running(rest.strip('{}"'), None, number))
        elif word == "file" and rest.startswith("delete"):
            out.extend(
                Act("delete.recursive", path, line=number) for path in rest.split()[1:] if path[0] != "-"
            )
    return out


def vim(text: str) -> list[Act]:
    """Ex commands: `!command`, `r !command`, `w file`, `call system('…')`."""
    out: list[Act] = []
    for number, line in enumerate(text.replace("|", "\n").split("\n"), 1):
        rest = (
            line.strip().lstrip(":+").removeprefix("silent").lstrip("! ")
            if "silent" in line
            else line.strip().lstrip(":+")
        )
        mark = rest.find("!")
        head = rest[:mark].strip() if mark >= 0 else ""
        if "silent" in line and rest:
            out.append(running(rest, None, number))
        elif (
            mark >= 0
            and head.strip("%0123456789,.$") in ("", "r", "read", "w", "write")
            and rest[mark + 1 :].strip()
        ):
            out.append(running(rest[mark + 1 :], None, number))
        for call in ("system(", "systemlist(", "delete("):
            at = rest.find(call)
            if at >= 0:
                argument = rest[at + len(call) :].lstrip()
                quote = argument[:1]
                known = argument[1:].partition(quote)[0] if quote in ("'", '"') else None
                if call == "delete(":
                    out.append(Act("delete.recursive", known or HOLE, line=number))
                else:
                    out.append(running(known, None, number))
        if rest.startswith(("lua ", "py3 ", "python3 ", "perl ", "ruby ")):
            out.append(Act("unknown", line=number))
    return out


def applescript(text: str) -> list[Act]:
    """`do shell script "…"`."""
    found = tokens(text, Syntax(("--",), None, quotes='"'))
    out: list[Act] = []
    for index, token in enumerate(found[:-1]):
        if token.text == "script" and index and found[index - 1].text == "shell":
            value = found[index + 1]
            out.append(running(value.text if value.kind == "string" else None, None, token.line))
    return out


_LISP_CALL = re.compile(
    r"\((?:(shell-command|shell-command-to-string|async-shell-command|compile)|(delete-file|delete-directory))"
    r'\s+"((?:[^"\\]|\\.)*)"'
)


def elisp(text: str) -> list[Act]:
    """`(shell-command "…")`, `(delete-file "…")`."""
    return [
        running(call[3].replace('\\"', '"'), None, 1) if call[1] else Act("delete.recursive", call[3])
        for call in _LISP_CALL.finditer(text)
    ]


def debugger(text: str) -> list[Act]:
    """gdb and lldb: `shell …`, `!…`, `platform shell …`, `pipe … | …`."""
    out: list[Act] = []
    for number, line in enumerate(text.split("\n"), 1):
        head, _, rest = line.strip().removeprefix("platform ").partition(" ")
        if head in ("shell", "make"):
            out.append(running(rest if head == "shell" else line, None, number))
        elif head[:1] == "!":
            out.append(running(line.strip()[1:], None, number))
        elif head in ("pipe", "|") and "|" in rest:
            out.append(running(rest.partition("|")[2], None, number))
    return out


SMALL: Mapping[str, Callable[[str], list[Act]]] = MappingProxyType(
    {
        "awk": awk,
        "sed": sed,
        "sql": sql,
        "tcl": tcl,
        "expect": tcl,
        "vim": vim,
        "ex": vim,
        "applescript": applescript,
        "elisp": elisp,
        "gdb": debugger,
        "osascript": applescript,
    }
)
