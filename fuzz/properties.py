"""What must hold for any command line, whoever made it.

Invariant: the machine is in memory and the same each time, so that a difference between two verdicts is
Ringwall's own.
"""

from __future__ import annotations

import gc
import resource
import time

from tests.shell.world import ROOT, World

from ringwall.gate.decide import decide
from ringwall.gate.situation import Situation
from ringwall.judge.policies import Policies
from ringwall.judge.recall import Recall
from ringwall.judge.surroundings import fresh_second_reading, second_reading
from ringwall.judge.verdict import judge
from ringwall.model.action import Principal, ToolCall
from ringwall.model.decision import Decision
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of

MOST_SECONDS = 0.05
MOST_BYTES = 10_000
FILES = {
    f"{ROOT}/Makefile": "test:\n\tpytest -q\nclean:\n\trm -rf build\n",
    f"{ROOT}/package.json": '{"scripts": {"test": "jest", "clean": "rm -rf dist"}}',
    f"{ROOT}/run.sh": "#!/bin/sh\ncd build && ls `pwd`\n",
    f"{ROOT}/tool.py": "import os\nos.system('git push')\n",
}
_RECALL = Recall()


class Memory(World):
    """The machine; shfmt is run anew for each question."""

    def second_reading(self, text: str) -> bytes | None:
        return fresh_second_reading(text)


class Remembering(World):
    """The same machine, with readings kept as the daemon keeps them."""

    def second_reading(self, text: str) -> bytes | None:
        return second_reading(text)


_FRESH, _KEPT = Memory(FILES), Remembering(FILES)
_POLICY = Policies("/nonexistent").in_force(_FRESH.places, (), {}).loaded.policy


def broken(text: str, seconds: float = MOST_SECONDS) -> str | None:
    """Which property `text` breaks, or None."""
    decision, spent = _timed(text)
    if spent > seconds and len(text.encode("utf-8", "replace")) < MOST_BYTES:
        spent = min(spent, *(_timed(text)[1] for _ in range(3)))
        if spent > seconds:
            return f"slow: {spent * 1e3:.0f} ms"
    for doubt in decision.analysis.doubts:
        if doubt.reason.template.startswith("Ringwall failed"):
            return f"crash: {doubt.reason}"
    if decision != _decision(text):
        return "differs: judged twice"
    call = ToolCall("claude", "Bash", {"command": text}, cwd=ROOT)
    for turn in ("kept", "recalled"):
        if decision != judge(call, _KEPT, _POLICY, _RECALL):  # type: ignore[arg-type]
            return f"differs: {turn}"
    return None


def _decision(text: str) -> Decision:
    call = ToolCall("claude", "Bash", {"command": text}, cwd=ROOT)
    return decide(effects_of(to_action(call), _FRESH), Situation(Principal(), _FRESH.places, _POLICY))


def _timed(text: str) -> tuple[Decision, float]:
    """A decision and the processor time it took, shfmt's included."""
    gc.disable()
    before = _spent()
    decision = _decision(text)
    spent = _spent() - before
    gc.enable()
    return decision, spent


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
