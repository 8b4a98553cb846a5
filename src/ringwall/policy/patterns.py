"""The patterns of permission rules, each with its compiled form.

Invariant: a pattern is compiled once, when it is made; equality ignores the compiled form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ringwall.model.analysis import Invocation
from ringwall.model.decision import RuleRef
from ringwall.model.text import Text
from ringwall.model.verdict import Verdict
from ringwall.policy.globs import path_regex, text_regex

NEVER = re.compile(r"(?!)")


def _compiled(fold_case: bool, pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL | (re.IGNORECASE if fold_case else 0))


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """`Bash(…)`. `prefix` is true for `:*` and a trailing ` *`; `invocation` is the pattern's text read by
    the same knowledge as real commands; `words` are its words as written. An empty pattern (`Bash`) matches
    every command."""

    text: str
    invocation: Invocation | None
    prefix: bool
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PathPattern:
    """`Read(…)`, `Edit(…)`, `Write(…)`: `access` is `read` or `write`; `glob` is gitignore-like, anchored at
    `base` (absolute; empty: matches at any depth). An empty glob matches every path."""

    access: str
    glob: str
    base: str
    fold_case: bool = False
    regex: re.Pattern[str] = field(init=False, repr=False, compare=False, default=NEVER)

    def __post_init__(self) -> None:
        start = f"{re.escape(self.base.rstrip('/'))}/" if self.base else "(?:.*/)?"
        body = f"{start}{path_regex(self.glob.rstrip('/'))}(?:/.*)?" if self.glob else ".*"
        object.__setattr__(self, "regex", _compiled(self.fold_case, body))

    @property
    def absolute(self) -> str:
        """The whole glob, base included."""
        return (
            f"{self.base.rstrip('/')}/{self.glob.rstrip('/')}" if self.base else f"**/{self.glob.rstrip('/')}"
        )


@dataclass(frozen=True, slots=True)
class DomainPattern:
    """`WebFetch(domain:…)`: that host; after `*.` its subdomains. Empty matches every host."""

    domain: str


@dataclass(frozen=True, slots=True)
class ToolPattern:
    """A tool by name, `*` globs allowed: `mcp__server`, `mcp__server__*`, `WebSearch`, `Agent`."""

    glob: str
    regex: re.Pattern[str] = field(init=False, repr=False, compare=False, default=NEVER)

    def __post_init__(self) -> None:
        whole_server = self.glob.startswith("mcp__") and self.glob.count("__") == 1
        body = text_regex(self.glob) + ("(?:__.*)?" if whole_server else "")
        object.__setattr__(self, "regex", _compiled(False, body))


@dataclass(frozen=True, slots=True)
class EffectPattern:
    """`Effect(name)` or `Effect(name:target)`; `target` is a glob, empty for any. `path` is the target of an
    effect that happens at a path, read as in `Edit(…)`."""

    name: str
    target: str
    path: PathPattern | None = None
    regex: re.Pattern[str] = field(init=False, repr=False, compare=False, default=NEVER)

    def __post_init__(self) -> None:
        object.__setattr__(self, "regex", _compiled(False, text_regex(self.target)))


Pattern = CommandPattern | PathPattern | DomainPattern | ToolPattern | EffectPattern


@dataclass(frozen=True, slots=True)
class Rule:
    """One permission rule. `reason` is shown when the rule decides."""

    verdict: Verdict
    pattern: Pattern
    ref: RuleRef
    reason: Text | None = None

    @property
    def broad(self) -> bool:
        """Whether it speaks about a whole tool (`Bash`, `Read`, `*`): a yes to the tool, no precise word."""
        match self.pattern:
            case CommandPattern(invocation=invocation):
                return invocation is None
            case PathPattern(glob=glob):
                return not glob.strip("*/")
            case DomainPattern(domain=domain):
                return not domain
            case ToolPattern(glob=glob):
                return not glob.strip("*")
            case _:
                return False
