"""A proposal as a page shows it before it is decided.

Invariant: everything that will be done is there in full; what is left out is only said twice.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ringwall.approvals.proposal import Proposal
from ringwall.model.decision import RuleRef
from ringwall.model.effects import EFFECTS
from ringwall.model.text import Text, msg

_MOST_PAIRS = 40_000
"""Pairs of lines that are compared with each other; comparing lines that repeat takes the cube of them."""

_CHANGES = (("old_string", "new_string"), ("old_str", "new_str"), ("old_text", "new_text"))


@dataclass(frozen=True, slots=True)
class Field:
    """One field of what the tool is given; `diff` are the lines of a change (sign, text) in its place."""

    name: str
    text: str = ""
    diff: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One thing that will be done."""

    name: str
    meaning: Text | str
    target: str
    certain: bool
    via: str


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage said."""

    stage: str
    verdict: str
    code: str
    reason: str
    rule: str
    shadowed: tuple[str, ...]
    advice: str
    decides: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with its trace, as the journal and the proposals keep it."""

    effects: tuple[EffectLine, ...]
    reason: str
    code: str
    advice: str
    doubts: tuple[str, ...]
    steps: tuple[Step, ...]
    silent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal and what a person reads of it."""

    proposal: Proposal
    tool: str
    fields: tuple[Field, ...]
    cwd: str
    preview: tuple[str, ...]
    judged: Judged
    bound: tuple[Text, ...]


def card(proposal: Proposal) -> Card:
    """The proposal's content, made ready for the templates."""
    content = proposal.content
    return Card(
        proposal,
        tool=str(content.get("tool", proposal.kind)),
        fields=fields(content.get("input", {})),
        cwd=str(content.get("cwd", "")),
        preview=tuple(map(str, content.get("preview", ()))),
        judged=judged(content.get("trace", {})),
        bound=tuple(_bound(content.get("bound", {}))),
    )


def fields(given: Mapping[str, Any]) -> tuple[Field, ...]:
    """What a tool is given. A replacement is shown as the change that it makes."""
    left = dict(given)
    found: list[Field] = []
    for before, after in _CHANGES:
        if isinstance(left.get(before), str) and isinstance(left.get(after), str):
            lines = tuple(_diff(left.pop(before), left.pop(after)))
            found.append(Field(f"{before} → {after}", diff=lines))
    return (*(Field(str(name), _text(value)) for name, value in left.items()), *found)


def judged(trace: Mapping[str, Any]) -> Judged:
    """A trace, made ready for the templates."""
    opinions, winner = trace.get("trace", ()), trace.get("winner", -1)
    effects = dict.fromkeys(map(_effect, trace.get("effects", ())))
    return Judged(
        effects=tuple(effects),
        reason=str(trace.get("reason") or ""),
        code=str(trace.get("code") or ""),
        advice=str(trace.get("advice") or ""),
        doubts=tuple(str(doubt.get("reason", "")) for doubt in trace.get("doubts", ())),
        steps=tuple(_step(opinion, at == winner) for at, opinion in enumerate(opinions)),
        silent=tuple(trace.get("silent", ())),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def _diff(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Lines with their sign; all of both texts, for a part that is left out may be the part that matters."""
    old, new = before.split("\n"), after.split("\n")
    for tag, a, b, c, d in _opcodes(old, new):
        if tag == "equal":
            yield from ((" ", line) for line in old[a:b])
        else:
            yield from (("-", line) for line in old[a:b])
            yield from (("+", line) for line in new[c:d])


def _opcodes(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """What became of which lines; between what both begin and end with, all of them where they are many."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    a, b, c, d = head, len(old) - tail, head, len(new) - tail
    found = [("replace", a, b, c, d)]
    if (b - a) * (d - c) <= _MOST_PAIRS:
        matcher = difflib.SequenceMatcher(None, old[a:b], new[c:d], autojunk=False)
        found = [(tag, i + a, j + a, k + c, m + c) for tag, i, j, k, m in matcher.get_opcodes()]
    return [("equal", 0, a, 0, c), *found, ("equal", b, len(old), d, len(new))]


def _effect(effect: Mapping[str, Any]) -> EffectLine:
    name = str(effect["name"])
    known = EFFECTS.get(name)
    return EffectLine(
        name,
        known.meaning if known else name,
        str(effect.get("target", "")),
        bool(effect.get("certain", True)),
        " → ".join(effect.get("via", ())),
    )


def _step(opinion: Mapping[str, Any], decides: bool) -> Step:
    return Step(
        opinion["stage"],
        opinion["verdict"],
        opinion["code"],
        opinion["reason"],
        _rule(opinion.get("rule")),
        tuple(map(_rule, opinion.get("shadowed", ()))),
        opinion.get("advice") or "",
        decides,
    )


def _rule(ref: Mapping[str, Any] | None) -> str:
    return str(RuleRef(**ref)) if ref else ""


def _bound(bound: Mapping[str, Any]) -> Iterator[Text]:
    for path, digest in bound.get("files", ()):
        yield msg("{path} as it is now ({digest})", path=path, digest=digest[:19])
    for name, path, _stamp in bound.get("programs", ()):
        yield msg("the program {name} that lies at {path} now", name=name, path=path)
    if bound.get("commits"):
        yield msg("the commits, branches and tags that there are now")
    if bound.get("policy"):
        yield msg("the policy that is in force now")
