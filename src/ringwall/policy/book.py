"""The rules of one layer, laid out so that judging a call looks up few of them.

Invariant: an index of the layer's rules and lines and nothing else; it never leaves out a rule that could
match.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ringwall.model.verdict import Verdict
from ringwall.policy import names
from ringwall.policy.patterns import (
    CommandPattern,
    DomainPattern,
    EffectPattern,
    PathPattern,
    Rule,
    ToolPattern,
)

_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class RuleBook:
    """`effects` by exact effect name; `programs` by program; `any_program` rules whose program is a glob or
    open; `commands` all command rules; `tools` rules on tool names."""

    effects: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    programs: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    any_program: tuple[Rule, ...] = ()
    commands: tuple[Rule, ...] = ()
    tools: tuple[Rule, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.effects or self.commands or self.tools)


def rule_book(rules: tuple[Rule, ...]) -> RuleBook:
    """The index of `rules`."""
    effects: dict[str, list[Rule]] = {}
    programs: dict[str, list[Rule]] = {}
    any_program: list[Rule] = []
    commands: list[Rule] = []
    tools: list[Rule] = []
    for rule in rules:
        if isinstance(rule.pattern, CommandPattern):
            commands.append(rule)
            program = rule.pattern.invocation.program if rule.pattern.invocation else "*"
            if _GLOB & set(program):
                any_program.append(rule)
            else:
                programs.setdefault(program.rpartition("/")[2], []).append(rule)
        elif isinstance(rule.pattern, ToolPattern):
            tools.append(rule)
        for name in effect_names(rule):
            effects.setdefault(name, []).append(rule)
    return RuleBook(
        effects={name: tuple(found) for name, found in effects.items()},
        programs={name: tuple(found) for name, found in programs.items()},
        any_program=tuple(any_program),
        commands=tuple(commands),
        tools=tuple(tools),
    )


def effect_names(rule: Rule) -> tuple[str, ...]:
    """The effects that a rule can speak about by itself. To allow an edit is not to allow a deletion."""
    match rule.pattern:
        case PathPattern(access="read"):
            return names.READS
        case PathPattern():
            return names.WRITES if rule.verdict is Verdict.ALLOW else (*names.WRITES, *names.DELETES)
        case DomainPattern():
            return names.HOSTS
        case EffectPattern(name=name):
            return names.covered(name)
        case _:
            return ()
