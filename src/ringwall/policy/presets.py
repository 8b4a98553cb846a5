"""The presets that come with Ringwall: readable policy files in the package.

Invariant: a preset that cannot be read stops the program; there is no verdict without one.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.model.toml_places import Path, line_of
from ringwall.model.verdict import Verdict
from ringwall.policy.model import Layer, LayerName
from ringwall.policy.patterns import EffectPattern, Rule
from ringwall.policy.permissions import rule_at
from ringwall.policy.problems import Problems
from ringwall.policy.rule_text import CommandReading
from ringwall.policy.source import PolicyFile
from ringwall.policy.toml_file import read_settings, read_toml

DEFAULT = "guarded"
NAMES = frozenset({"auto", "guarded", "strict", "walled"})
_STRICTER = frozenset(
    {
        ("auto", "guarded"),
        ("auto", "strict"),
        ("auto", "walled"),
        ("guarded", "strict"),
        ("guarded", "walled"),
    }
)


def stricter(one: str, other: str) -> bool:
    """Whether `other` is stricter than `one` in every respect; `strict` and `walled` do not compare."""
    return (one, other) in _STRICTER


@lru_cache(maxsize=8)
def preset_layer(name: str) -> Layer:
    """The layer of a preset, with what it extends."""
    file = preset_file(name)
    problems = Problems()
    settings = read_settings(file, LayerName.PRESET, NAMES, problems, extra=("extends", "permissions"))
    values, lines = read_toml(file, problems)
    rules = _rules(file, values, lines, problems)
    if problems.found:
        raise problems.found[0]
    base = preset_layer(values["extends"]) if "extends" in values else Layer(LayerName.PRESET)
    own = {(line.effect, line.role, line.agent) for line in settings.autonomy}
    inherited = tuple(line for line in base.autonomy if (line.effect, line.role, line.agent) not in own)
    return Layer(
        name=LayerName.PRESET,
        rules=base.rules + rules,
        autonomy=inherited + settings.autonomy,
        roles=base.roles + settings.roles,
        limits=base.limits + settings.limits,
        digest=file.digest + base.digest,
    )


def preset_file(name: str) -> PolicyFile:
    """The text of a preset, as it lies in the package."""
    content = files("ringwall.policy").joinpath("presets", f"{name}.toml").read_bytes()
    return PolicyFile(f"presets/{name}.toml", content)


def _rules(
    file: PolicyFile, values: dict[str, Any], lines: dict[Path, int], problems: Problems
) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for word, entries in values.get("permissions", {}).items():
        for number, entry in enumerate(entries):
            where = f"{file.name}:{line_of(lines, ('permissions', word, str(number), 'rule'))}:1"
            reason = Text(entry["reason"])
            rule = rule_at(
                entry["rule"],
                where,
                Verdict(word),
                LayerName.PRESET,
                _NOWHERE,
                _no_commands,
                problems,
                reason,
            )
            if rule is not None and isinstance(rule.pattern, EffectPattern):
                rules.append(rule)
            else:
                what = msg("Presets have only rules on effects.")
                problems.add("rule_syntax", what, msg("Write Effect(name)."), where)
    return tuple(rules)


_NOWHERE = Places(root="/", home="/")


def _no_commands(text: str) -> CommandReading:
    raise ValueError(text)
