"""Plan files, seals and tool calls under them, on a machine that exists only in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ringwall.gate.aims import aim_of
from ringwall.gate.decide import decide
from ringwall.gate.situation import Situation
from ringwall.gate.wall import matched
from ringwall.model.action import Principal, ToolCall
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Decision
from ringwall.model.verdict import Verdict
from ringwall.plan.model import Base, Plan, Problem, SealedPlan
from ringwall.plan.parse import parse
from ringwall.plan.pointer import Match, Pointer, commit, reserve
from ringwall.plan.safety import caught
from ringwall.plan.seal import seal
from ringwall.plan.view import WallView
from ringwall.policy.load import LayerFiles, load
from ringwall.policy.model import Policy
from ringwall.policy.source import PolicyFile
from ringwall.shell.analyse import command_pattern
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of
from ringwall.tools.rights import rights_of
from shell.world import ROOT, World

SESSION: dict[str, Any] = {
    "op": "session",
    "goal": "Walk through the sign-up",
    "tools": ["browser_click", "browser_type", "mcp__shop__add_to_cart"],
    "produces": "reports/signup.md",
}
WRITE: dict[str, Any] = {"op": "Write", "object": "src/a.py"}
TESTS: dict[str, Any] = {"op": "Bash", "object": "pytest -q src"}
CLICK = "mcp__playwright__browser_click"
NOWHERE = Base()


def markdown(steps: Iterable[Any], skills: Iterable[Any] = ()) -> str:
    return (
        "# Sign-up\n\nWhy and how.\n\n"
        f"```steps-json\n{json.dumps(list(steps), indent=1)}\n```\n\n"
        f"```skills-json\n{json.dumps(list(skills))}\n```\n"
    )


def problems(*steps: Any, skills: Iterable[Any] = ()) -> tuple[Problem, ...]:
    return parse(markdown(steps, skills)).problems


def planned(*steps: Any, skills: Iterable[Any] = ()) -> Plan:
    """The plan of these steps, behind the safety catch."""
    read = parse(markdown(steps, skills))
    assert read.plan is not None, [str(problem.what) for problem in read.problems]
    return caught(read.plan, rights_of)


def sealed(
    *steps: Any, skills: Iterable[Any] = (), base: Base = NOWHERE, world: World | None = None
) -> SealedPlan:
    plan = planned(*steps, skills=skills)
    return seal(plan, ROOT, base, tuple(aim_of(step, world or World()) for step in plan.steps))


def under(plan: SealedPlan, at: int = 0, call: str = "c1") -> WallView:
    """The plan with its pointer on the step at index `at`."""
    pointer = Pointer(len(plan.plan.steps))
    for done in range(at):
        pointer = commit(reserve(pointer, f"done{done}", Match(done)), f"done{done}")
    return WallView(plan, pointer, call)


def policy(preset: str = "walled", permissions: str = "") -> Policy:
    files = LayerFiles(None, PolicyFile("permissions.json", permissions.encode()) if permissions else None)
    found = load(places=World().places, read_command=command_pattern, user=files, preset=preset)
    assert not found.problems, [str(problem) for problem in found.problems]
    return found.policy


WALLED = policy()


def analysed(tool: str, values: dict[str, Any], cwd: str = ROOT, world: World | None = None) -> Analysis:
    return effects_of(to_action(ToolCall("claude", tool, values, cwd)), world or World())


def bash(command: str, cwd: str = ROOT, world: World | None = None) -> Analysis:
    return analysed("Bash", {"command": command}, cwd, world)


def write(path: str, tool: str = "Write") -> Analysis:
    return analysed(tool, {"file_path": path, "content": "x"})


def situation(view: WallView | None = None, rules: Policy = WALLED, **more: Any) -> Situation:
    return Situation(Principal(), World().places, rules, wall=view, **more)


def judged(analysis: Analysis, view: WallView | None = None, rules: Policy = WALLED, **more: Any) -> Decision:
    return decide(analysis, situation(view, rules, **more))


def allowed(analysis: Analysis, view: WallView | None = None) -> bool:
    return judged(analysis, view).verdict is Verdict.ALLOW


def denied(analysis: Analysis, view: WallView | None = None) -> str:
    """The reason of the wall's denial."""
    decision = judged(analysis, view)
    assert (decision.verdict, decision.deciding.stage) == (Verdict.DENY, "wall"), decision.deciding
    return str(decision.deciding.reason)


def advance(analysis: Analysis, view: WallView) -> WallView:
    """What the call does to the pointer when it is let through and happens."""
    step = matched(analysis, situation(view))
    if step is None or judged(analysis, view).verdict is Verdict.DENY:
        return view
    return replace(view, pointer=commit(reserve(view.pointer, view.call, step), view.call))
