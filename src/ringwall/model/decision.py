"""Opinions and decisions. Invariant: a decision carries every opinion that was given on the way to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ringwall.model.analysis import Analysis
from ringwall.model.effects import Effect
from ringwall.model.text import Text
from ringwall.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RuleRef:
    """Where a rule stands: `file` as shown to people, 1-based `line`, the rule's own `text`, its layer."""

    text: str
    file: str = ""
    line: int = 0
    layer: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.file else self.text


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one stage says. `code` is stable and begins with the stage's name (`limits.git_push`).

    `shadowed` are rules that spoke and lost; `advice` says what to do instead, where there is something.
    Later stages may tighten a `binding` opinion but never loosen it.
    """

    stage: str
    verdict: Verdict
    code: str
    reason: Text
    rule: RuleRef | None = None
    effect: Effect | None = None
    shadowed: tuple[RuleRef, ...] = ()
    advice: Text | None = None
    binding: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The final verdict with the whole trace. `opinions` are in the order they were given; the one that
    decided is `opinions[winner]`. `silent` names the stages that had nothing to say.
    """

    verdict: Verdict
    opinions: tuple[Opinion, ...]
    winner: int
    analysis: Analysis
    silent: tuple[str, ...] = ()
    policy_digest: str = ""

    @property
    def deciding(self) -> Opinion:
        return self.opinions[self.winner]

    def then(self, opinion: Opinion) -> Decision:
        """The decision with one more opinion, which decides."""
        opinions = (*self.opinions, opinion)
        return replace(self, verdict=opinion.verdict, opinions=opinions, winner=len(self.opinions))
