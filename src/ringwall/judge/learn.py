"""What the past teaches about the present policy: which questions a rule could spare, which rules are idle.

Invariant: pure, and bounded: beyond `MOST_ROWS` kinds only counts grow. A rule is counted as sparing a
question only after the question was judged again with that rule in force.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ringwall.gate.permissions import parts
from ringwall.gate.situation import Situation
from ringwall.judge.offer import Offer, Refusal, offer_for
from ringwall.judge.past import Past
from ringwall.model.decision import Decision, RuleRef
from ringwall.model.effects import covers
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.policy.autonomy import autonomy_of
from ringwall.policy.model import Layer, LayerName

MOST_ROWS = 5_000
MOST_EXAMPLES = 3

Spares = Callable[[Offer], bool]

NOT_ENOUGH = Refusal("learn.not_enough", msg("a rule for it would not be enough to let it pass"))


@dataclass(slots=True)
class Lesson:
    """A kind of question: how often it would be put, how often it was, and examples of it with counts."""

    count: int = 0
    asked: int = 0
    examples: dict[str, int] = field(default_factory=dict)
    more: int = 0  # questions that no example stands for

    def add(self, shown: str, asked: bool) -> None:
        self.count += 1
        self.asked += asked
        if shown in self.examples or len(self.examples) < MOST_EXAMPLES:
            self.examples[shown] = self.examples.get(shown, 0) + 1
        else:
            self.more += 1


@dataclass(frozen=True, slots=True)
class Idle:
    """A line of the policy that decided nothing; `shadowed_by` spoke for all the parts that it matched."""

    ref: RuleRef
    shadowed_by: RuleRef | None = None


class Lessons:
    """Learns from calls as they come."""

    def __init__(self) -> None:
        self.calls = 0
        self.asked = 0  # questions that were due then
        self.spared = 0  # of those, the ones that the present policy does not put
        self.asks = 0  # questions that the present policy puts
        self.unlisted = 0
        self.offers: dict[Offer, Lesson] = {}
        self.refusals: dict[tuple[str, str], tuple[Refusal, Lesson]] = {}
        self._lines: dict[RuleRef, None] = {}
        self._fired: set[RuleRef] = set()
        self._shadowed: dict[RuleRef, RuleRef] = {}
        self._seen: set[str] = set()

    def add(self, past: Past, shown: str, decision: Decision, situation: Situation, spares: Spares) -> None:
        """A call of the past, and what the present policy decides about it."""
        self.calls += 1
        self.asked += past.asked
        self._watch(decision, situation)
        if decision.verdict is not Verdict.ASK:
            self.spared += past.asked and decision.verdict is Verdict.ALLOW
            return
        self.asks += 1
        found = offer_for(decision, situation)
        if isinstance(found, Offer) and not spares(found):
            found = NOT_ENOUGH
        lesson = self._lesson(found)
        if lesson is None:
            self.unlisted += 1
        else:
            lesson.add(shown, past.asked)

    def _lesson(self, found: Offer | Refusal) -> Lesson | None:
        if isinstance(found, Offer):
            if found in self.offers or len(self.offers) < MOST_ROWS:
                return self.offers.setdefault(found, Lesson())
            return None
        key = (found.code, found.about)
        if key in self.refusals or len(self.refusals) < MOST_ROWS:
            return self.refusals.setdefault(key, (found, Lesson()))[1]
        return None

    def _watch(self, decision: Decision, situation: Situation) -> None:
        """Note which lines of the people's own policy files spoke."""
        policy = situation.policy
        if policy.digest not in self._seen:
            self._seen.add(policy.digest)
            for layer in policy.layers:
                if layer.name is not LayerName.PRESET:
                    self._lines.update(dict.fromkeys(_refs(layer)))
        if not self._lines:
            return
        for _, word in parts(decision.analysis, situation):
            if word is not None:
                self._fired.add(word.rule.ref)
                for loser in word.shadowed:
                    self._shadowed.setdefault(loser.ref, word.rule.ref)
        for effect in decision.analysis.effects:
            line = autonomy_of(policy, situation.principal, effect.name)
            if line is not None:
                self._fired.add(line.ref)
            for layer in policy.layers:
                self._fired.update(ref for name, ref in layer.limits if covers(name, effect.name))

    def idle(self) -> list[Idle]:
        """The lines that never decided anything, in the order of their files."""
        idle = [ref for ref in self._lines if ref not in self._fired]
        ordered = sorted(idle, key=lambda ref: (ref.file, ref.line, ref.text))
        return [Idle(ref, self._shadowed.get(ref)) for ref in ordered]


def _refs(layer: Layer) -> Iterator[RuleRef]:
    yield from (rule.ref for rule in layer.rules)
    yield from (line.ref for line in layer.autonomy)
    yield from (ref for _, ref in layer.limits)
