"""What a policy is once it is loaded.

Invariant: an untrusted project layer holds only what tightens; the layers stand weakest first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ringwall.model.analysis import Invocation
from ringwall.model.decision import RuleRef
from ringwall.model.text import Text
from ringwall.model.verdict import Verdict


class LayerName(StrEnum):
    """Weakest first (DESIGN §4)."""

    PRESET = "preset"
    PROJECT = "project"
    USER = "user"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """`Bash(…)`. `prefix` is true for `:*` and a trailing ` *`; `invocation` is the pattern's text read by
    the same knowledge as real commands. An empty pattern (`Bash`) matches every command."""

    text: str
    invocation: Invocation | None
    prefix: bool


@dataclass(frozen=True, slots=True)
class PathPattern:
    """`Read(…)`, `Edit(…)`, `Write(…)`: `access` is `read` or `write`; `glob` is gitignore-like, anchored at
    `base` (absolute; empty: matches at any depth)."""

    access: str
    glob: str
    base: str


@dataclass(frozen=True, slots=True)
class DomainPattern:
    """`WebFetch(domain:…)`: the host and, after `*.`, its subdomains. Empty matches every host."""

    domain: str


@dataclass(frozen=True, slots=True)
class ToolPattern:
    """A tool by name, `*` globs allowed: `mcp__server`, `mcp__server__*`, `WebSearch`, `Agent`."""

    glob: str


@dataclass(frozen=True, slots=True)
class EffectPattern:
    """`Effect(name)` or `Effect(name:target)`; `target` is a glob, empty for any."""

    name: str
    target: str


Pattern = CommandPattern | PathPattern | DomainPattern | ToolPattern | EffectPattern


@dataclass(frozen=True, slots=True)
class Rule:
    """One permission rule. `reason` is shown when the rule decides."""

    verdict: Verdict
    pattern: Pattern
    ref: RuleRef
    reason: Text | None = None


class Approval(StrEnum):
    """What autonomy says about an effect."""

    AUTO_APPROVE = "auto_approve"
    REQUIRE_APPROVAL = "require_approval"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Autonomy:
    """One line of autonomy: `effect` is a name or `*`; `role` and `agent` are names or `*`."""

    effect: str
    approval: Approval
    ref: RuleRef
    role: str = "*"
    agent: str = "*"


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of policy. `trusted` is false for a project layer whose digest no person has trusted; what
    it would loosen was dropped at load and is counted in `dropped`."""

    name: LayerName
    rules: tuple[Rule, ...] = ()
    autonomy: tuple[Autonomy, ...] = ()
    roles: tuple[tuple[str, str, RuleRef], ...] = ()  # (effect, least role, where)
    limits: tuple[tuple[str, RuleRef], ...] = ()  # effects that this layer adds to the limits
    protected: tuple[str, ...] = ()  # globs of protected branches
    trusted: bool = True
    dropped: tuple[RuleRef, ...] = ()
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """All layers, weakest first. `digest` covers everything that can change a verdict."""

    preset: str
    layers: tuple[Layer, ...]
    digest: str
    protected: tuple[str, ...] = ("main", "master", "release/*", "production")

    def layer(self, name: LayerName) -> Layer | None:
        return next((layer for layer in self.layers if layer.name is name), None)
