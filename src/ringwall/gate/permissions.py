"""What the permission rules of all layers say, part by part.

Invariant: a part is one effect of one simple command, and the strictest decides. What only looks needs no
rule; once a rule allows a command of a chain, each other command needs one too (docs/adr/0008). With no rule
on any part the stage is silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ringwall.gate import autonomy
from ringwall.gate.situation import Situation
from ringwall.model.action import Kind
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import Effect
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy import verdicts
from ringwall.policy.model import Layer
from ringwall.policy.names import OBSERVE
from ringwall.policy.patterns import CommandPattern
from ringwall.policy.verdicts import Said, Word

STAGE = "permissions"


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """The word of the strictest part; silent where no rule matches any."""
    if not situation.policy.speaking:
        return None
    ruled: list[tuple[Effect | None, Word]] = []
    unruled: list[Effect] = []
    for effect, word in parts(analysis, situation):
        if word is not None:
            ruled.append((effect, word))
        elif effect is not None and effect.name != OBSERVE:
            unruled.append(effect)
    if not ruled:
        return None
    effect, word = max(ruled, key=lambda one: one[1].verdict.rank)
    strictest = _with_shadows(_spoken(word, effect), ruled)
    left = _left(ruled, unruled, situation) if unruled else None
    return _unruled(left, strictest) if left and left.verdict.rank > strictest.verdict.rank else strictest


def parts(analysis: Analysis, situation: Situation) -> Iterator[tuple[Effect | None, Word | None]]:
    """Each effect with the rule that speaks for it; what has no effect stands for itself."""
    layers, root = situation.policy.speaking, situation.places.root
    whole = [_of_call(layer, analysis) for layer in layers]
    by_command = [
        [said + verdicts.of_command(layer, one, root) for layer, said in zip(layers, whole, strict=True)]
        for one in analysis.commands
    ]
    left = set(range(len(by_command)))
    for effect in analysis.effects:
        left.discard(effect.command)
        said = by_command[effect.command] if 0 <= effect.command < len(by_command) else whole
        yield effect, verdicts.word_on(layers, said, effect, analysis)
    for index in sorted(left):
        yield None, verdicts.combined(layers, by_command[index])
    if not by_command and not analysis.effects:
        yield None, verdicts.combined(layers, whole)


def _of_call(layer: Layer, analysis: Analysis) -> tuple[Said, ...]:
    said = verdicts.of_tool(layer, analysis.action.tool) if layer.book.tools else ()
    if analysis.action.kind is Kind.SHELL and not analysis.commands:
        said += tuple((rule.verdict, rule) for rule in layer.book.commands if _whole_shell(rule.pattern))
    return said


def _whole_shell(pattern: object) -> bool:
    return isinstance(pattern, CommandPattern) and pattern.invocation is None


def _left(
    ruled: list[tuple[Effect | None, Word]], unruled: list[Effect], situation: Situation
) -> Opinion | None:
    """What becomes of the effects that no rule speaks about: in a chain that a rule allows in part, a command
    of its own needs a rule of its own; the rest is autonomy's."""
    commands = {effect.command for effect, _ in ruled if effect is not None}
    allowed = any(
        effect is not None and effect.name != OBSERVE and word.verdict is Verdict.ALLOW
        for effect, word in ruled
    )
    strictest: Opinion | None = None
    for effect in unruled:
        alone = allowed and effect.command >= 0 and effect.command not in commands
        found = _alone(effect) if alone else autonomy.of_effect(effect, situation) or _alone(effect)
        if strictest is None or found.verdict.rank > strictest.verdict.rank:
            strictest = found
    return strictest


def _alone(effect: Effect) -> Opinion:
    return Opinion(
        STAGE, Verdict.ASK, f"{STAGE}.part_without_rule", msg("no rule speaks about it"), effect=effect
    )


def _unruled(left: Opinion, ruled: Opinion) -> Opinion:
    return Opinion(
        stage=STAGE,
        verdict=left.verdict,
        code=f"{STAGE}.part_without_rule",
        reason=msg(
            "no rule allows the part that has {effect}, though one allows another part",
            effect=left.effect.name if left.effect else "?",
        ),
        rule=left.rule,
        effect=left.effect,
        shadowed=((ruled.rule,) if ruled.rule else ()) + ruled.shadowed,
        advice=msg("Run that part as a call of its own."),
    )


def _spoken(word: Word, effect: Effect | None) -> Opinion:
    return Opinion(
        stage=STAGE,
        verdict=word.verdict,
        code=f"{STAGE}.{word.verdict.value}",
        reason=_reason(word),
        rule=word.rule.ref,
        effect=effect,
        shadowed=tuple(rule.ref for rule in word.shadowed),
        advice=msg("Another way without this would pass.") if word.verdict is Verdict.DENY else None,
    )


def _reason(word: Word) -> Text:
    rule = word.rule
    if word.verdict is not rule.verdict:
        return msg("it may be what {rule} denies", rule=rule.ref.text)
    if rule.reason is not None:
        return rule.reason
    match rule.verdict:
        case Verdict.ALLOW:
            return msg("{rule} allows it", rule=rule.ref.text)
        case Verdict.ASK:
            return msg("{rule} wants a person to decide", rule=rule.ref.text)
        case Verdict.DENY:
            return msg("{rule} denies it", rule=rule.ref.text)


def _with_shadows(strictest: Opinion, ruled: list[tuple[Effect | None, Word]]) -> Opinion:
    """The opinion with the milder rules that spoke for other parts among the shadowed."""
    milder = [word.rule.ref for _, word in ruled if word.verdict.rank < strictest.verdict.rank]
    if not milder:
        return strictest
    return replace(strictest, shadowed=tuple(dict.fromkeys((*strictest.shadowed, *milder))))
