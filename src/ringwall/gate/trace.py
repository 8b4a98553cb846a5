"""A decision for programs and for people, with its whole trace.

Invariant: nothing of the trace is left out; texts are rendered in the caller's language, names and codes
never are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ringwall.model.decision import Decision, Opinion, RuleRef
from ringwall.model.effects import Effect
from ringwall.model.text import Text, Translate


@dataclass(frozen=True, slots=True)
class Row:
    """One opinion, for showing. `decided` marks the one that won, `shadowed` the rules that lost."""

    stage: str
    verdict: str
    code: str
    reason: Text
    rule: str
    effect: str
    shadowed: tuple[str, ...]
    advice: Text | None
    decided: bool


def rows(decision: Decision) -> tuple[Row, ...]:
    """The opinions in the order they were given."""
    return tuple(
        Row(
            stage=opinion.stage,
            verdict=opinion.verdict.value,
            code=opinion.code,
            reason=opinion.reason,
            rule=str(opinion.rule) if opinion.rule else "",
            effect=_effect_text(opinion.effect),
            shadowed=tuple(str(ref) for ref in opinion.shadowed),
            advice=opinion.advice,
            decided=at == decision.winner,
        )
        for at, opinion in enumerate(decision.opinions)
    )


def as_json(decision: Decision, translate: Translate | None = None) -> dict[str, Any]:
    """The decision as plain JSON values (DESIGN §11), with `trace` and `silent` beside the answer."""
    deciding = decision.deciding
    return {
        "verdict": decision.verdict.value,
        "stage": deciding.stage,
        "code": deciding.code,
        "rule": _rule(deciding.rule),
        "effects": [_effect(effect) for effect in decision.analysis.effects],
        "reason": deciding.reason.render(translate),
        "advice": deciding.advice.render(translate) if deciding.advice else None,
        "doubts": [
            {"code": doubt.code, "reason": doubt.reason.render(translate), "span": list(doubt.span)}
            for doubt in decision.analysis.doubts
        ],
        "trace": [_opinion(opinion, translate) for opinion in decision.opinions],
        "winner": decision.winner,
        "silent": list(decision.silent),
        "policy_digest": decision.policy_digest,
    }


def _opinion(opinion: Opinion, translate: Translate | None) -> dict[str, Any]:
    return {
        "stage": opinion.stage,
        "verdict": opinion.verdict.value,
        "code": opinion.code,
        "reason": opinion.reason.render(translate),
        "rule": _rule(opinion.rule),
        "effect": _effect(opinion.effect) if opinion.effect else None,
        "shadowed": [_rule(ref) for ref in opinion.shadowed],
        "advice": opinion.advice.render(translate) if opinion.advice else None,
        "binding": opinion.binding,
    }


def _rule(ref: RuleRef | None) -> dict[str, Any] | None:
    if ref is None:
        return None
    return {"text": ref.text, "file": ref.file, "line": ref.line, "layer": ref.layer}


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "name": effect.name,
        "target": effect.target,
        "certain": effect.certain,
        "span": list(effect.span),
        "field": effect.field,
        "command": effect.command,
        "via": list(effect.via),
    }


def _effect_text(effect: Effect | None) -> str:
    if effect is None:
        return ""
    text = f"{effect.name} {effect.target}".rstrip()
    return text if effect.certain else f"{text}?"
