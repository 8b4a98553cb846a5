"""Text that is clearly meant for another shell than bash.

Invariant: only commands and their words count, never quoted text, comments or here-documents; what an
ordinary bash command may look like is not foreign.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from ringwall.model.analysis import Doubt
from ringwall.model.text import msg
from ringwall.shell.ast import Declaration, Literal, Script, Simple, Word
from ringwall.shell.simple import nodes

_NAMES = MappingProxyType(
    {
        "zsh": (
            "setopt",
            "unsetopt",
            "noglob",
            "nocorrect",
            "zmodload",
            "zstyle",
            "autoload",
            "repeat",
            "foreach",
        ),
        "fish": ("and", "or", "begin", "end", "psub"),
        "PowerShell": ("%", "iex", "iwr", "irm", "gci", "ForEach-Object", "Where-Object"),
        "cmd.exe": ("del", "erase", "rd", "ren", "xcopy"),
    }
)
_SHELL_OF = MappingProxyType({name: shell for shell, names in _NAMES.items() for name in names})
_VERBS = (
    "Add|Clear|Copy|Export|ForEach|Format|Get|Import|Install|Invoke|Move|New|Out|Read|Remove|Rename|Resolve|"
    "Restart|Select|Set|Sort|Start|Stop|Test|Where|Write"
)
_CMDLET = re.compile(rf"(?:{_VERBS})-[A-Z][A-Za-z]+")
_PARAMETER = re.compile(r"-(?:Recurse|ErrorAction|LiteralPath|Confirm:\$false)", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:\\")
_VARIABLE = re.compile(r"%[A-Za-z_][A-Za-z0-9_]{2,}%")
_FISH_OPTION = re.compile(r"-(?:[a-zA-Z]*[gUlq][a-zA-Z]*|-(?:global|export|universal|local|query|erase))")
_MARKS = (":\\", "%", "-Recurse", "-recurse", "-Error", "-Literal", "-Confirm", "[System.", "2>|")
_ELEMENT = re.compile(r"\$[A-Za-z_]\w*\[-?[0-9]+\]")
"""An element of an array in zsh and fish; in bash the variable and a pattern behind it."""
_QUOTE = re.compile(r"[\"'\\]")
_GLOBAL_ALIAS = re.compile(r"-[a-zA-Z]*[gs][a-zA-Z]*")
FOREIGN_NAMES = frozenset((*_SHELL_OF, "set", "alias"))


def marked(text: str) -> bool:
    """Whether some word of the text may be foreign."""
    return any(mark in text for mark in _MARKS) or _ELEMENT.search(text) is not None


def foreign(script: Script) -> Doubt | None:
    """The doubt that a text which could be read as bash was written for another shell."""
    for node in nodes(script):
        shell = _shell(node) if isinstance(node, Simple) and node.words else None
        if shell is not None:
            reason = msg("this looks like {shell}, which bash would run differently", shell=shell)
            return Doubt("not_bash", reason, node.span)
    return None


def _shell(node: Simple | Declaration) -> str | None:
    name, *rest = (word.raw for word in node.words)
    if name in _SHELL_OF:
        return _SHELL_OF[name]
    if name == "set" and rest and _FISH_OPTION.fullmatch(rest[0]):
        return "fish"
    if name.startswith("=") and name[1:].isalnum():
        return "zsh"
    if name == "alias" and rest and _GLOBAL_ALIAS.fullmatch(rest[0]):
        return "zsh"
    if any(redirect.op == ">|" and redirect.fd == "2" for redirect in node.redirects):
        return "fish"
    if any(map(_element, node.words)):
        return "zsh"
    if (
        _CMDLET.fullmatch(name)
        or name.startswith(("$env:", "[System."))
        or (name[:1] == "$" and rest[:1] == ["="])
    ):
        return "PowerShell"
    for word in node.words:
        part = word.parts[0] if word.parts else None
        if not isinstance(part, Literal) or part.quoted:
            continue
        if _PARAMETER.fullmatch(word.raw):
            return "PowerShell"
        if _DRIVE.match(word.raw) or _VARIABLE.fullmatch(word.raw):
            return "cmd.exe"
    return None


def _element(word: Word) -> bool:
    """`$name[1]` in a word without quotes."""
    return _ELEMENT.search(word.raw) is not None and not _QUOTE.search(word.raw)
