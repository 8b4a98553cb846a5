"""The text of a permission rule, read into its pattern.

Invariant: a text becomes a pattern or a reason why not; a rule that could never match is refused.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ringwall.model.analysis import Invocation
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.policy.names import AT_PATHS, KNOWN
from ringwall.policy.patterns import (
    CommandPattern,
    DomainPattern,
    EffectPattern,
    PathPattern,
    Pattern,
    ToolPattern,
)
from ringwall.policy.rule_paths import path_pattern

READERS = frozenset({"Read", "NotebookRead", "LS"})
WRITERS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
TOOLS = frozenset(
    {
        "Agent", "AskUserQuestion", "BashOutput", "CronCreate", "CronDelete", "CronList",
        "EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep",
        "KillBash", "KillShell", "LSP", "ListMcpResources", "ListMcpResourcesTool", "Monitor",
        "PowerShell", "ReadMcpResource", "ReadMcpResourceTool", "SendMessage", "Skill",
        "SlashCommand", "Sleep", "StructuredOutput", "Task", "TaskCreate", "TaskGet", "TaskList",
        "TaskOutput", "TaskStop", "TaskUpdate", "TeamCreate", "TeamDelete", "TodoRead", "TodoWrite",
        "ToolSearch", "WebFetch", "WebSearch", "Workflow",
    }
)  # fmt: skip
SAME_TOOL = {"Task": "Agent"}
"""Former names of tools; actions carry the present one."""
_RULE = re.compile(r"(?P<tool>[^()\s]+?)(?:\((?P<inside>.*)\))?", re.DOTALL)
_OPERATORS = re.compile(r"&&|\|\||[;|\n]|(?<![<>0-9])&(?!>)|[<>]|`|\$\(")
_DOMAIN = re.compile(r"(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]|(?:[0-9]{1,3}\.){3}[0-9]{1,3}")


class CommandReading(Protocol):
    """What reading a Bash pattern yields; a `CommandPattern` is one."""

    @property
    def invocation(self) -> Invocation | None: ...

    @property
    def prefix(self) -> bool: ...


ReadCommand = Callable[[str], CommandReading]


@dataclass(frozen=True, slots=True)
class RuleFault(Exception):
    """Why a text is no rule."""

    code: str
    what: Text
    repair: Text


def read_rule(text: str, places: Places, read_command: ReadCommand, allowing: bool) -> Pattern:
    """The pattern of a rule. Raises `RuleFault`."""
    found = _RULE.fullmatch(text)
    if found is None or not text.strip() or text != text.strip():
        raise RuleFault(
            "rule_syntax",
            msg("{text} is not a rule.", text=repr(text)),
            msg("Write Tool or Tool(what), as in Bash(npm test:*)."),
        )
    tool, inside = found["tool"], found["inside"]
    if inside is not None and not inside.strip():
        raise RuleFault(
            "rule_syntax",
            msg("Nothing stands between the parentheses."),
            msg("Leave them away or fill them."),
        )
    if tool == "Bash":
        return _command(inside, read_command)
    if tool in READERS or tool in WRITERS:
        access = "read" if tool in READERS else "write"
        return PathPattern(access, "", "") if inside is None else _path(access, inside, places, allowing)
    if tool == "WebFetch":
        return _domain(inside)
    if tool == "Effect":
        return _effect(inside, places, allowing)
    return _tool(tool, inside)


def _command(inside: str | None, read_command: ReadCommand) -> CommandPattern:
    if inside is None or inside.strip() in ("*", ":*"):
        return CommandPattern(inside or "", None, True)
    text, prefix = inside.strip(), False
    for ending in (":*", " *"):
        if text.endswith(ending):
            text, prefix = text.removesuffix(ending).rstrip(), True
            break
    if _OPERATORS.search(_unquoted(text)):
        raise RuleFault(
            "never_matches",
            msg(
                "A Bash rule is matched against one simple command, and {text} is more than one.",
                text=repr(inside),
            ),
            msg("Write one rule per command, without redirects."),
        )
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        raise RuleFault("rule_syntax", msg("A quote is not closed."), msg("Close the quote.")) from None
    if not words or not words[0]:
        raise RuleFault(
            "rule_syntax", msg("No command is named."), msg("Name a command, or write Bash for all.")
        ) from None
    if re.match(r"[A-Za-z_][A-Za-z_0-9]*=", words[0]):
        raise RuleFault(
            "never_matches",
            msg("A command is matched without the assignments before it."),
            msg("Leave {word} away.", word=words[0]),
        )
    reading = read_command(text)
    if reading.invocation is None:
        raise RuleFault(
            "rule_syntax",
            msg("{text} cannot be read as a command.", text=repr(text)),
            msg("Write it as you would type it."),
        )
    return CommandPattern(
        inside, reading.invocation, prefix or reading.prefix or words[-1].endswith("*"), words
    )


def _unquoted(text: str) -> str:
    return re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.", "_", text)


def _path(access: str, inside: str, places: Places, allowing: bool) -> PathPattern:
    try:
        return path_pattern(access, inside, places, allowing)
    except ValueError as fault:
        raise RuleFault(
            "never_matches",
            msg("The path {path} can never match: {why}.", path=repr(inside), why=fault.args[0]),
            msg("Write it from the project root (/src/**), from home (~/x) or absolute (//etc/x)."),
        ) from None


def _domain(inside: str | None) -> DomainPattern:
    if inside is None or inside.strip() in ("*", "domain:*"):
        return DomainPattern("")
    kind, _, domain = inside.partition(":")
    domain = domain.strip().rstrip(".").lower()
    if kind.strip() != "domain" or not _DOMAIN.fullmatch(domain):
        raise RuleFault(
            "never_matches",
            msg("WebFetch rules name a host, and {text} does not.", text=repr(inside)),
            msg("Write WebFetch(domain:example.com) or WebFetch(domain:*.example.com)."),
        )
    return DomainPattern(domain.strip("[]"))


def _effect(inside: str | None, places: Places, allowing: bool) -> EffectPattern:
    name, colon, target = (inside or "").partition(":")
    if name not in KNOWN:
        raise RuleFault(
            "unknown_effect", msg("There is no effect {name}.", name=repr(name)), nearest(name, KNOWN)
        )
    if colon and not target.strip():
        raise RuleFault(
            "rule_syntax",
            msg("No target stands after the colon."),
            msg("Leave the colon away or name a target."),
        )
    if target and not target.strip("*"):
        target = ""
    if target and name in AT_PATHS:
        return EffectPattern(name, target, _path("write", target, places, allowing))
    return EffectPattern(name, target)


def _tool(tool: str, inside: str | None) -> ToolPattern:
    known = tool in TOOLS or tool.startswith("mcp__") or "*" in tool
    if not known:
        names = TOOLS | READERS | WRITERS | {"Bash", "Effect"}
        raise RuleFault(
            "unknown_tool", msg("There is no tool {tool}.", tool=repr(tool)), nearest(tool, names)
        )
    if inside is not None and inside.strip() != "*":
        raise RuleFault(
            "never_matches",
            msg("Rules on {tool} name the tool alone.", tool=tool),
            msg("Write {tool} without parentheses.", tool=tool),
        )
    if tool.startswith("mcp__") and not tool.removeprefix("mcp__").strip("_"):
        raise RuleFault(
            "rule_syntax", msg("No server is named."), msg("Write mcp__server or mcp__server__tool.")
        )
    return ToolPattern(SAME_TOOL.get(tool, tool))


def nearest(word: str, known: frozenset[str] | set[str]) -> Text:
    """A repair that names the nearest known words."""
    folded = {name.lower(): name for name in sorted(known)}
    found = difflib.get_close_matches(word.lower(), folded, n=3, cutoff=0.6)
    if found:
        return msg("Did you mean {names}?", names=", ".join(folded[name] for name in found))
    return msg("See docs/policy.md for the names.")
