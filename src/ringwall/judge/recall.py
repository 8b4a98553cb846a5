"""Analyses and decisions of calls that were seen before.

Invariant: an analysis is used again only where every look-up that it rested on gives the same answer now,
and a decision only for the same analysis in the same situation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ringwall.gate.situation import Situation
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.model.action import Action
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision
from ringwall.model.surroundings import Node, Places, Recovery

Question = tuple[str, tuple[Any, ...]]

_KEPT = 2048
_MOST_QUESTIONS = 64
_LONGEST = 4096


class Noted:
    """Surroundings that remember what was asked of them."""

    def __init__(self, disk: DiskSurroundings) -> None:
        self._disk = disk
        self.asked: dict[Question, Any] = {}

    @property
    def places(self) -> Places:
        return self._disk.places

    def resolve(self, path: str) -> str | None:
        answer: str | None = self._note("resolve", path)
        return answer

    def node(self, path: str) -> Node:
        answer: Node = self._note("node", path)
        return answer

    def names(self, directory: str) -> tuple[str, ...] | None:
        answer: tuple[str, ...] | None = self._note("names", directory)
        return answer

    def read(self, path: str, limit: int = 262_144) -> str | None:
        answer: str | None = self._note("read", path, limit)
        return answer

    def env(self, name: str) -> str | None:
        answer: str | None = self._note("env", name)
        return answer

    def recovery(self, path: str) -> Recovery:
        answer: Recovery = self._note("recovery", path)
        return answer

    def branch(self, directory: str) -> str | None:
        answer: str | None = self._note("branch", directory)
        return answer

    def git_alias(self, directory: str, name: str) -> str | None:
        answer: str | None = self._note("git_alias", directory, name)
        return answer

    def second_reading(self, text: str) -> bytes | None:
        return self._disk.second_reading(text)  # depends on the text alone

    def _note(self, name: str, *given: Any) -> Any:
        answer = getattr(self._disk, name)(*given)
        self.asked[(name, given)] = answer
        return answer


class Recall:
    """The analyses that are worth keeping, and the last decision on each."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, Places], tuple[Analysis, dict[Question, Any]]] = OrderedDict()
        self._decided: OrderedDict[int, tuple[Analysis, Situation, Decision]] = OrderedDict()

    def analysis(
        self, action: Action, disk: DiskSurroundings, analyse: Callable[[Action, Noted], Analysis]
    ) -> Analysis:
        """The analysis of `action`, made by `analyse` unless an earlier one still holds."""
        key = (action.digest, disk.places)
        kept = self._kept.get(key)
        if kept is not None and all(
            getattr(disk, name)(*given) == answer for (name, given), answer in kept[1].items()
        ):
            self._kept.move_to_end(key)
            return kept[0]
        noted = Noted(disk)
        made = analyse(action, noted)
        if len(noted.asked) <= _MOST_QUESTIONS and _size(action) <= _LONGEST:
            self._kept[key] = (made, noted.asked)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made

    def decision(
        self, analysis: Analysis, situation: Situation, decide: Callable[[Analysis, Situation], Decision]
    ) -> Decision:
        """The decision on `analysis`, made by `decide` (pure) unless the last one was on the same."""
        known = self._decided.get(id(analysis))
        if known is not None and known[0] is analysis and known[1] == situation:
            return known[2]
        made = decide(analysis, situation)
        self._decided[id(analysis)] = (analysis, situation, made)
        self._decided.move_to_end(id(analysis))
        if len(self._decided) > _KEPT:
            self._decided.popitem(last=False)
        return made


def _size(action: Action) -> int:
    return sum(len(value) for value in action.input.values() if isinstance(value, str))
