"""Small languages that can run commands: awk, sed, SQL shells, expect, editors, debuggers, AppleScript.

Invariant: only forms that run, write or destroy are looked for; the rest of the text is data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
    for index, token in enumerate(found):
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
        elif token.kind == "string":
            if before == "|" or (
                after == "|" and index + 2 < len(found) and found[index + 2].text == "getline"
            ):
                out.append(running(token.text, None, token.line))
            elif before == ">" and printing:
                out.append(Act("write", token.text, line=token.line))
        elif token.text in ("\n", ";", "}"):
            printing = False
    return out


def sed(text: str) -> list[Act]:
    """`e command`, the `e` flag of `s`, `w file` and the `w` flag."""
    out: list[Act] = []
    for number, line in enumerate(text.replace(";", "\n").split("\n"), 1):
        rest = line.strip().lstrip("0123456789,$!~+ ")
        if rest.startswith("/"):
            rest = rest.rpartition("/")[2].strip() if rest[-1:] != "/" else ""
        if rest.startswith("e ") or rest == "e":
            out.append(running(rest[2:], None, number))
        elif rest.startswith("w "):
            out.append(Act("write", rest[2:].strip(), line=number))
        elif len(rest) > 3 and rest[0] == "s" and not rest[1].isalnum():
            flags = rest.rpartition(rest[1])[2]
            name, _, path = flags.partition("w ")
            if "e" in name.strip():
                out.append(running(_replacement(rest), None, number))
            if path:
                out.append(Act("write", path.strip(), line=number))
    return out


def _replacement(command: str) -> str:
    """What `s/pattern/replacement/` puts there, as far as it is written out."""
    text = re.sub(r"\\[0-9&]|(?<!\\)&", HOLE, command[2:].partition(command[1])[2])
    return text.rpartition(command[1])[0]


_READS = (".read ", "\\i ", "\\ir ", "\\include ", "source ", "\\. ")
_DESTROYS = ("drop ", "truncate ", "delete from", "alter table", "revoke ", "flush ", "purge ")


def sql(text: str) -> list[Act]:
    r"""`DROP`, `TRUNCATE`, `DELETE`, a change of every row; the shells' own `\!` and `system`."""
    out: list[Act] = []
    for statement in text.split(";"):
        plain = statement.strip()
        lower = plain.lower() + " "
        if lower.startswith(_DESTROYS) or (lower.startswith("update ") and " where " not in lower):
            out.append(Act("data.destroy", plain[:80]))
        elif plain.startswith(("\\!", ".shell ", ".system ")):
            out.append(running(plain.partition(" ")[2] if plain[0] == "." else plain[2:], None, 1))
        elif lower.startswith(_READS):
            file = plain.partition(" ")[2].strip().strip("'\"")
            words = None if file.startswith("|") else ("psql", "-f", file)
            out.append(running(file[1:], words, 1))
        elif lower.startswith("system "):
            out.append(running(plain[7:], None, 1))
        elif "program '" in lower and lower.startswith("copy"):
            out.append(running(plain[lower.index("program '") + 9 :].partition("'")[0], None, 1))
    return out


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
