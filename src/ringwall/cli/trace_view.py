"""The way of a decision through the stages, for people.

Invariant: every opinion is shown, the one that decided is marked, and so is each rule that spoke and lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ringwall.cli.catalogue import _, show
from ringwall.cli.output import VERDICT_STYLES, Line, Part, line, paragraph, styled_verdict
from ringwall.model.decision import RuleRef
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict

_STAGE = 12
_INDENT = 2 + _STAGE + 6 + 1


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage said, in the reader's words."""

    stage: str
    verdict: str
    code: str
    reason: str
    rule: str = ""
    advice: str = ""
    shadowed: tuple[str, ...] = ()


def steps_of(judged: Mapping[str, Any]) -> tuple[Step, ...]:
    """The opinions of a decision, as `gate.trace.as_json` gives it and the journal keeps it."""
    return tuple(
        Step(
            stage=opinion["stage"],
            verdict=opinion["verdict"],
            code=opinion["code"],
            reason=opinion["reason"],
            rule=_rule(opinion.get("rule")),
            advice=opinion.get("advice") or "",
            shadowed=tuple(map(_rule, opinion.get("shadowed", ()))),
        )
        for opinion in judged["trace"]
    )


def _rule(ref: Mapping[str, Any] | None) -> str:
    return str(RuleRef(**ref)) if ref else ""


def trace_shown(judged: Mapping[str, Any]) -> Iterator[Line]:
    """The verdict and why, then every stage in the order in which they spoke."""
    steps, winner = steps_of(judged), judged["winner"]
    deciding = steps[winner]
    style = VERDICT_STYLES[Verdict(deciding.verdict)]
    yield line(Part(deciding.verdict, style), "  ", Part(deciding.code, "bold"))
    yield from paragraph(deciding.reason, 2)
    if deciding.advice:
        yield from paragraph(show(msg("Instead: {advice}", advice=deciding.advice)), 2)
    yield line()
    yield line(Part(_("Stages"), "bold"))
    for index, step in enumerate(steps):
        yield from _step(step, index == winner)
    if silent := judged.get("silent"):
        yield from paragraph(msg("nothing to say: {stages}", stages=", ".join(silent)), 2, "dim")


def _step(step: Step, decides: bool) -> Iterator[Line]:
    mark = Part("▸ " if decides else "  ", "bold")
    yield line(mark, step.stage.ljust(_STAGE), styled_verdict(step.verdict), "  ", step.code)
    if not decides:
        yield from paragraph(step.reason, _INDENT, "dim")
    if step.rule:
        yield from paragraph(show(msg("rule: {rule}", rule=step.rule)), _INDENT, "dim")
    for rule in step.shadowed:
        yield from paragraph(show(msg("shadowed: {rule}", rule=rule)), _INDENT, "dim")
