"""From the text of a plan to what can be sealed: read, caught, aimed, and judged step by step by the gate.

Invariant: the one way to a plan that is sealed. What is foreseen of a step is what the gate itself says of
the call that the step is, under this very plan with its pointer there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from shlex import quote

from ringwall.gate.aims import aim_of
from ringwall.gate.decide import decide
from ringwall.gate.free import is_free
from ringwall.gate.situation import Situation
from ringwall.gate.wall import reason_alone
from ringwall.model.action import Principal, ToolCall
from ringwall.model.surroundings import Node, Surroundings
from ringwall.plan.again import still_done
from ringwall.plan.lint import Foreseen, Ground, Sight, lint
from ringwall.plan.model import Aim, AnyStep, Base, Caution, Op, Plan, Problem, SealedPlan, SessionStep
from ringwall.plan.parse import parse
from ringwall.plan.pointer import Pointer
from ringwall.plan.safety import caught
from ringwall.plan.view import WallView
from ringwall.policy.model import Policy
from ringwall.policy.roles import ROLES
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of
from ringwall.tools.rights import rights_of

_NOTEBOOK = {Op.NOTEBOOK_EDIT: "notebook_path"}
_NOWHERE = Base()


@dataclass(frozen=True, slots=True)
class Examination:
    """`plan` is behind the safety catch and carries every caution; it is None where the file could not be
    read. It may be sealed, with these `aims`, when there are no `problems`. `done` steps at the front are
    done already."""

    plan: Plan | None
    aims: tuple[Aim, ...] = ()
    problems: tuple[Problem, ...] = ()
    done: int = 0

    @property
    def cautions(self) -> tuple[Caution, ...]:
        return self.plan.cautions if self.plan is not None else ()


def examine(
    markdown: str,
    surroundings: Surroundings,
    policy: Policy,
    before: tuple[SealedPlan, int] | None = None,
) -> Examination:
    """Everything that can be said of the plan in `markdown`, for the project of `surroundings`. `before` is
    the plan that it would replace and how many of its steps are done."""
    read = parse(markdown)
    if read.plan is None:
        return Examination(None, problems=read.problems)
    plan = caught(read.plan, rights_of)
    aims = tuple(aim_of(step, surroundings) for step in plan.steps)
    provisional = SealedPlan(plan, "sha256:", surroundings.places.root, _NOWHERE, aims)
    sights = tuple(
        Sight(aims[at], tuple(_foreseen(step, at, provisional, surroundings, policy)))
        for at, step in enumerate(plan.steps)
    )
    done = still_done(*before, provisional) if before is not None else 0
    problems, plan = lint(plan, sights, _ground(plan, aims, surroundings, done))
    return Examination(plan, aims, problems, done)


def calls_of(step: AnyStep, root: str) -> Iterator[ToolCall]:
    """The calls that are the step: one, or for a session the writing of each product."""
    if isinstance(step, SessionStep):
        for path in step.produces:
            yield _call("Write", {"file_path": posixpath.join(root, path), "content": ""}, root)
    elif step.op is Op.BASH:
        yield _call("Bash", {"command": step.object}, root)
    elif step.op is Op.DELETE:
        yield _call("Bash", {"command": f"rm {_word(step.object)}"}, root)
    elif step.op is Op.MOVE:
        yield _call("Bash", {"command": f"mv {_word(step.object)} {_word(step.to)}"}, root)
    else:
        field = _NOTEBOOK.get(step.op, "file_path")
        yield _call(step.op.value, {field: posixpath.join(root, step.object)}, root)


def _call(tool: str, values: dict[str, str], root: str) -> ToolCall:
    return ToolCall("claude", tool, values, cwd=root)


def _word(path: str) -> str:
    return quote(f"./{path}" if path.startswith("-") else path)


def _foreseen(
    step: AnyStep, at: int, plan: SealedPlan, surroundings: Surroundings, policy: Policy
) -> Iterator[Foreseen]:
    """What the gate says of each call of the step, the earlier products of its session being written."""
    places = surroundings.places
    pointer = Pointer(len(plan.plan.steps), at)
    for number, call in enumerate(calls_of(step, places.root)):
        analysis = effects_of(to_action(call), surroundings)
        written = step.produces[:number] if isinstance(step, SessionStep) else ()
        view = WallView(plan, replace(pointer, produced=written), "foreseen")
        decision = decide(analysis, Situation(Principal(), places, policy, wall=view))
        reason = reason_alone(decision.deciding)
        yield Foreseen(decision.verdict, decision.deciding.stage, reason, is_free(analysis, places))


def _ground(plan: Plan, aims: tuple[Aim, ...], surroundings: Surroundings, done: int) -> Ground:
    root = surroundings.places.root
    paths = {place for aim in aims for place in aim.places}
    for step in plan.steps:
        expected = step.expected
        for path in (*expected.creates, *expected.modifies, *expected.deletes, *expected.requires):
            paths.add(posixpath.normpath(posixpath.join(root, path)))
    folders = {
        path[:at] for path in paths for at, letter in enumerate(path) if letter == "/" and at > len(root)
    }
    nodes: dict[str, Node] = {path: surroundings.node(path) for path in paths | folders}
    return Ground(root, nodes, ROLES, done)
