"""Judging again what was judged before: by the policy in force, by one in a folder, or with rules added.

Invariant: nothing is written, journalled or run. What a person has trusted counts as it does for the judge.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ringwall.gate.decide import decide
from ringwall.gate.situation import Situation
from ringwall.judge.offer import Offer
from ringwall.judge.places import places_of
from ringwall.judge.policies import Policies, with_trusted_directory
from ringwall.judge.recall import Recall
from ringwall.judge.standing import Standing
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.judge.verdict import judge
from ringwall.model.action import Principal, ToolCall
from ringwall.model.decision import Decision
from ringwall.model.surroundings import Places
from ringwall.model.verdict import Verdict
from ringwall.policy.model import Layer, LayerName, Policy
from ringwall.policy.patterns import Rule
from ringwall.policy.permissions import rule_at
from ringwall.policy.problems import Problems
from ringwall.shell.analyse import command_pattern
from ringwall.store.paths import StateDir

_OWN = ("HOME", "TMPDIR", "CLAUDE_CONFIG_DIR")  # not the project of the session that runs this


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with all that it rested on."""

    decision: Decision
    situation: Situation


class Bench:
    """Judges calls by `folder` as the trusted policy of the project, or by what is in force where it is
    empty. Raises `PolicyError` for a folder with a fault in it."""

    def __init__(
        self,
        state: StateDir,
        standing: Standing,
        environ: Mapping[str, str],
        folder: str | None = None,
        preset: str = "",
    ) -> None:
        self._standing = standing
        self._environ = environ
        self._folder = os.path.abspath(folder) if folder is not None else None
        self._preset = preset
        self._policies = Policies()
        self._recall = Recall()
        own = {name: environ[name] for name in _OWN if name in environ}
        self._places = lru_cache(maxsize=256)(lambda cwd: places_of(cwd, own, state))
        self._named = lru_cache(maxsize=64)(self._read_folder)
        self._trials: dict[tuple[str, str, Offer], Policy | None] = {}
        if self._folder is not None:
            self._named(self._places(os.getcwd()))

    def judge(self, call: ToolCall) -> Judged:
        """The decision on `call` now."""
        places = self._places(call.cwd)
        policy = self._policy(places)
        disk = DiskSurroundings(places, self._environ)
        decision = judge(call, disk, policy, self._recall)
        return Judged(decision, Situation(Principal(agent=call.agent, depth=call.depth), places, policy))

    def spares(self, judged: Judged, offer: Offer) -> bool:
        """Whether the call would pass if the project's file had these rules as well."""
        situation = judged.situation
        key = (situation.policy.digest, situation.places.root, offer)
        if key not in self._trials:
            if len(self._trials) >= 256:
                self._trials.clear()
            self._trials[key] = with_rules(situation.policy, offer, situation.places)
        policy = self._trials[key]
        if policy is None:
            return False
        return decide(judged.decision.analysis, replace(situation, policy=policy)).verdict is Verdict.ALLOW

    def _policy(self, places: Places) -> Policy:
        if self._folder is not None:
            return self._named(places)
        trusted = self._standing.trusted_below(f"{places.root}/.ringwall")
        found = self._policies.in_force(places, trusted, self._standing.sources, self._preset)
        return found.loaded.policy

    def _read_folder(self, places: Places) -> Policy:
        loaded = with_trusted_directory(places, self._folder or "", self._preset)
        if loaded.problems:
            raise loaded.problems[0]
        return loaded.policy


def with_rules(policy: Policy, offer: Offer, places: Places) -> Policy | None:
    """The policy with these rules in the project's file, trusted; None where one of them is no rule."""
    problems = Problems()
    made: list[Rule | None] = []
    for verdict, texts in ((Verdict.ASK, offer.ask), (Verdict.ALLOW, offer.allow)):
        made += [
            rule_at(text, "offer:1:1", verdict, LayerName.PROJECT, places, command_pattern, problems)
            for text in texts
        ]
    rules = tuple(rule for rule in made if rule is not None)
    if problems.found or len(rules) != len(made):
        return None
    project = policy.layer(LayerName.PROJECT) or Layer(LayerName.PROJECT)
    below = tuple(layer for layer in policy.layers if layer.name is LayerName.PRESET)
    above = tuple(layer for layer in policy.layers if layer.name in (LayerName.USER, LayerName.SESSION))
    layers = (*below, replace(project, rules=project.rules + rules, trusted=True), *above)
    return Policy(policy.preset, layers, policy.digest, policy.protected)
