"""What a policy is once it is loaded.

Invariant: an untrusted project layer holds only what tightens; the layers stand weakest first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ringwall.model.decision import RuleRef
from ringwall.policy.book import RuleBook, rule_book
from ringwall.policy.outlets import NO_OUTLETS, Outlets
from ringwall.policy.patterns import CommandPattern as CommandPattern
from ringwall.policy.patterns import DomainPattern as DomainPattern
from ringwall.policy.patterns import EffectPattern as EffectPattern
from ringwall.policy.patterns import PathPattern as PathPattern
from ringwall.policy.patterns import Pattern as Pattern
from ringwall.policy.patterns import Rule as Rule
from ringwall.policy.patterns import ToolPattern as ToolPattern
from ringwall.policy.prestep import NONE, Prestep
from ringwall.policy.wall import DEFAULTS, Wall


class LayerName(StrEnum):
    """Weakest first (DESIGN §4)."""

    PRESET = "preset"
    PROJECT = "project"
    USER = "user"
    SESSION = "session"


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


class Prompting(StrEnum):
    """Where a person is asked: `AUTO` at the host's prompt if somebody sees it, `HOST` always there, `WAIT`
    never there."""

    AUTO = "auto"
    HOST = "host"
    WAIT = "wait"


MOST_WAIT = 55
"""Seconds; every host's own limit for a hook is above it."""


@dataclass(frozen=True, slots=True)
class Approvals:
    """How a person is asked: where, and how many seconds a call waits for the answer."""

    prompt: Prompting = Prompting.AUTO
    wait: int = MOST_WAIT


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of policy. `trusted` is false for a layer that may only tighten: a project whose digest no
    person has trusted, or a file with errors. What it would loosen was dropped at load and is counted in
    `dropped`. `book` and `lines` are indexes of `rules` and `autonomy`."""

    name: LayerName
    rules: tuple[Rule, ...] = ()
    autonomy: tuple[Autonomy, ...] = ()
    roles: tuple[tuple[str, str, RuleRef], ...] = ()  # (effect, least role, where)
    limits: tuple[tuple[str, RuleRef], ...] = ()  # effects that this layer adds to the limits
    protected: tuple[str, ...] = ()  # globs of protected branches
    trusted: bool = True
    dropped: tuple[RuleRef, ...] = ()
    digest: str = ""
    book: RuleBook = field(init=False, repr=False, compare=False, default_factory=RuleBook)
    lines: dict[str, tuple[Autonomy, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    least: dict[str, tuple[str, RuleRef]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        lines: dict[str, list[Autonomy]] = {}
        for line in self.autonomy:
            lines.setdefault(line.effect, []).append(line)
        ordered = {
            effect: tuple(sorted(found, key=lambda line: (line.agent == "*", line.role == "*")))
            for effect, found in lines.items()
        }
        object.__setattr__(self, "book", rule_book(self.rules))
        object.__setattr__(self, "lines", ordered)
        object.__setattr__(self, "least", {effect: (role, ref) for effect, role, ref in self.roles})


@dataclass(frozen=True, slots=True)
class Policy:
    """All layers, weakest first. `digest` covers everything that can change a verdict."""

    preset: str
    layers: tuple[Layer, ...]
    digest: str
    protected: tuple[str, ...] = ("main", "master", "release/*", "production")
    approvals: Approvals = Approvals()
    wall: Wall = DEFAULTS
    prestep: Prestep = NONE
    outlets: Outlets = NO_OUTLETS
    speaking: tuple[Layer, ...] = field(init=False, repr=False, compare=False, default=())  # with rules
    lines: dict[tuple[str, str, str], Autonomy | None] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )  # what `autonomy_of` found, by role, agent and effect
    least: dict[str, tuple[str, RuleRef] | None] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )  # what `least_role` found, by effect

    def __post_init__(self) -> None:
        object.__setattr__(self, "speaking", tuple(layer for layer in self.layers if not layer.book.empty))

    def layer(self, name: LayerName) -> Layer | None:
        return next((layer for layer in self.layers if layer.name is name), None)
