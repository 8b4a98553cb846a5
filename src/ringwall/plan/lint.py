"""What can be said of a plan before it is sealed: what cannot be done, what will be stopped or asked, what is
odd.

Invariant: pure. What the gate will say of each step is handed in as `Foreseen`; what the plan itself tells is
worked out here. A problem stops the seal, a caution is shown before it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ringwall.model.surroundings import Node
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.plan.model import Aim, AnyStep, Caution, Op, Plan, Problem, SessionStep
from ringwall.plan.words import step_line


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What the gate would say if the step were called now; `free`: the step only looks."""

    verdict: Verdict
    stage: str
    reason: Text
    free: bool = False


@dataclass(frozen=True, slots=True)
class Sight:
    """The step with its aim and what is foreseen of it: one answer, or for a session one per product."""

    aim: Aim
    foreseen: tuple[Foreseen, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What the plan is held against: the project `root`, what is on disk (by absolute path; every path that
    the plan names is there), the names of roles, and how many steps are done already, of which nothing is
    asked any more."""

    root: str
    nodes: Mapping[str, Node]
    roles: Collection[str] = ()
    done: int = 0

    def node(self, path: str) -> Node:
        return self.nodes.get(path, Node.ABSENT)

    def holds(self, path: str) -> bool:
        return path.startswith(f"{self.root}/")


Found = Problem | Caution

_NEEDS_FILE = frozenset({Op.EDIT, Op.MULTI_EDIT, Op.NOTEBOOK_EDIT, Op.DELETE, Op.MOVE})
_ONE_FILE = (_NEEDS_FILE - {Op.MOVE}) | {Op.WRITE}


def lint(plan: Plan, sights: tuple[Sight, ...], ground: Ground) -> tuple[tuple[Problem, ...], Plan]:
    """The problems, and the plan with its cautions."""
    found = [*_each(plan, sights, ground), *_reach(plan, sights, ground), *_repeats(plan, sights)]
    problems = tuple(one for one in found if isinstance(one, Problem))
    cautions = [*plan.cautions, *(one for one in found if isinstance(one, Caution))]
    order = sorted(dict.fromkeys(cautions), key=lambda one: one.step)
    return tuple(sorted(problems, key=lambda one: one.line)), replace(plan, cautions=tuple(order))


# ---- each step for itself


def _each(plan: Plan, sights: tuple[Sight, ...], ground: Ground) -> Iterator[Found]:
    for step, sight in list(zip(plan.steps, sights, strict=True))[ground.done :]:
        never = _never(step, sight.aim, ground)
        if never is not None:
            yield never
            continue
        yield from _gate(step, sight)
        if isinstance(step, SessionStep):
            yield from _session(step, sight.aim, ground)
        yield from _expected(step, plan, ground)
        if step.role and step.role not in ground.roles:
            what = msg("There is no role {role}.", role=step.role)
            yield _caution("unknown_role", step, what)


def _never(step: AnyStep, aim: Aim, ground: Ground) -> Problem | None:
    """Why no call could ever be the step."""
    outside = next((place for place in aim.places if not ground.holds(place)), None)
    if outside is not None:
        what = msg("{step} is really {place}, outside the project.", step=step_line(step), place=outside)
        return _problem("outside", step, what, msg("Name a file of the project."))
    if step.op in _ONE_FILE and ground.node(aim.places[0]) is Node.DIRECTORY:
        what = msg("{path} is a folder.", path=step.object)
        return _problem("no_file", step, what, msg("Name exactly one file."))
    if step.op is Op.BASH and not aim.shape:
        return _problem(
            "not_comparable",
            step,
            msg("This command cannot be read with certainty, so no call could be compared with it."),
            msg("Write it more plainly, or put it into a script that a step runs."),
        )
    return None


def _gate(step: AnyStep, sight: Sight) -> Iterator[Found]:
    for each in sight.foreseen:
        if each.verdict is Verdict.DENY and each.stage == "floor":
            yield _caution(
                "on_the_floor",
                step,
                msg("{step} will be refused unless a person issues an escape: {reason}.",
                    step=step_line(step), reason=each.reason),
            )  # fmt: skip
        elif each.verdict is Verdict.DENY:
            what = msg("{step} will be refused: {reason}.", step=step_line(step), reason=each.reason)
            yield _problem("refused", step, what, msg("Take the step out, or leave it to a person."))
        elif each.verdict is Verdict.ASK:
            what = msg("{step} will ask a person: {reason}.", step=step_line(step), reason=each.reason)
            yield _caution("will_ask", step, what)
        elif each.free:
            what = msg("{step} only looks, which is free at any time.", step=step_line(step))
            yield _caution("only_looks", step, what)


def _session(step: SessionStep, aim: Aim, ground: Ground) -> Iterator[Found]:
    if not step.effective:
        yield _caution("no_tools", step, msg("This session has no tool of its own; it can only look."))
    for path, place in zip(step.produces, aim.places, strict=True):
        above = [place[:at] for at, letter in enumerate(place) if letter == "/" and at > len(ground.root)]
        blocked = ground.node(place) is Node.DIRECTORY or any(
            ground.node(folder) in (Node.FILE, Node.OTHER) for folder in above
        )
        if blocked:
            what = msg("{path} cannot be written as a file, so the session could never close.", path=path)
            yield _problem("product", step, what, msg("Name another file in produces."))


def _expected(step: AnyStep, plan: Plan, ground: Ground) -> Iterator[Found]:
    expected = step.expected
    for path in sorted({*expected.creates, *expected.modifies} & {*expected.deletes}):
        what = msg("{path} cannot be made and deleted by one step.", path=path)
        yield _problem("contradiction", step, what, msg("Decide for one."))
    if any(_makes_unseen(earlier) for earlier in plan.steps[: step.number - 1]):
        return
    made = {path for earlier in plan.steps[: step.number - 1] for path in _makes(earlier)}
    for path in (*expected.requires, *expected.modifies, *expected.deletes):
        if path not in made and ground.node(_absolute(path, ground)) is Node.ABSENT:
            yield _caution("not_there", step, msg("{path} is not there.", path=path))
    for path in expected.creates:
        if ground.node(_absolute(path, ground)) is not Node.ABSENT:
            yield _caution("there_already", step, msg("{path} is there already.", path=path))


# ---- the steps in their order


def _reach(plan: Plan, sights: tuple[Sight, ...], ground: Ground) -> Iterator[Found]:
    """Steps whose file is gone, or never was, when their turn comes."""
    gone: dict[str, int] = {}
    made: set[str] = set()
    anything = False  # an earlier step may have made any file
    for step, sight in list(zip(plan.steps, sights, strict=True))[ground.done :]:
        places = sight.aim.places
        if step.op in _NEEDS_FILE:
            source = places[0]
            if source in gone:
                what = msg("{step} has no file any more after step {number}.",
                           step=step_line(step), number=gone[source])  # fmt: skip
                yield _problem("unreachable", step, what, msg("Put the steps into another order."))
            elif not anything and source not in made and ground.node(source) is Node.ABSENT:
                what = msg("{step} has no file: nothing is there and no earlier step makes it.",
                           step=step_line(step))  # fmt: skip
                yield _problem("unreachable", step, what, msg("Name a file that is there."))
        if step.op in (Op.DELETE, Op.MOVE):
            gone[places[0]] = step.number
        written = places[1:] if step.op is Op.MOVE else () if step.op is Op.DELETE else places
        for place in (*written, *(_absolute(path, ground) for path in step.expected.creates)):
            gone.pop(place, None)
            made.add(place)
        if _makes_unseen(step):
            anything = True
            gone.clear()


def _repeats(plan: Plan, sights: tuple[Sight, ...]) -> Iterator[Found]:
    """A step like the one before it, and a report that two sessions write."""
    reports: dict[str, int] = {}
    before: tuple[Op, Aim] | None = None
    for step, sight in zip(plan.steps, sights, strict=True):
        if before == (step.op, sight.aim):
            yield _caution("duplicate", step, msg("This is the step before it once more."))
        before = (step.op, sight.aim)
        if isinstance(step, SessionStep):
            for path, place in zip(step.produces, sight.aim.places, strict=True):
                if place in reports:
                    what = msg("{path} is a product of step {number} too.", path=path, number=reports[place])
                    yield _caution("duplicate", step, what)
                reports.setdefault(place, step.number)


def _makes_unseen(step: AnyStep) -> bool:
    """Whether a step may make files that the plan does not name."""
    return step.op is Op.BASH


def _makes(step: AnyStep) -> tuple[str, ...]:
    if isinstance(step, SessionStep):
        return (*step.produces, *step.expected.creates)
    return (step.to or step.object, *step.expected.creates)


def _absolute(path: str, ground: Ground) -> str:
    return posixpath.normpath(posixpath.join(ground.root, path))


def _problem(code: str, step: AnyStep, what: Text, repair: Text) -> Problem:
    return Problem(f"plan.{code}", what, repair, step.line)


def _caution(code: str, step: AnyStep, what: Text) -> Caution:
    return Caution(f"plan.{code}", what, step.line, step.number)
