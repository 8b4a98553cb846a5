"""A plan as a person reads it before sealing it.

Invariant: everything that will be evaluated is there in full, with hidden characters visible; what stops or
asks stands where it can be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ringwall.cli.catalogue import _, show
from ringwall.cli.output import Line, Part, line, paragraph
from ringwall.cli.visible import visible, visible_line
from ringwall.judge.plans import Plans, Reviewed
from ringwall.judge.wall.kept import Kept
from ringwall.model.text import Text, msg
from ringwall.plan.advice import Advice, Word
from ringwall.plan.again import difference
from ringwall.plan.model import AnyStep, Caution, Op, Plan, Problem, SealedPlan, SessionStep
from ringwall.plan.words import short

_WORDS = {Word.APPROVE: "bold green", Word.REJECT: "bold red", Word.NONE: "dim"}
_CHANGES = {"-": "red", "+": "green", " ": "dim"}


def plan_shown(plan: Plan, done: int) -> Iterator[Line]:
    """Every step with all its fields, then the skills."""
    yield line(Part(visible_line(plan.title) or show(msg("A plan without a title")), "bold"))
    titles: tuple[str, ...] = ()
    for step in plan.steps:
        if step.titles != titles:
            titles = step.titles
            yield line(Part(" / ".join(map(visible_line, titles)), "bold"))
        yield from _step(step, step.number <= done)
    if plan.skills:
        yield line()
        yield line(_("Skills that may be called freely:"))
        for skill in plan.skills:
            note = f" — {visible_line(skill.note)}" if skill.note else ""
            yield from paragraph(f"- {visible_line(skill.name)}{note}", 2)


def _step(step: AnyStep, done: bool) -> Iterator[Line]:
    mark = Part(" ✓", "green") if done else Part("")
    head = Part(f"{step.number:>3}  {step.op.value}", "dim" if done else "bold")
    if isinstance(step, SessionStep):
        yield line(head, mark)
        yield from _field(msg("goal"), step.goal)
        yield from _field(msg("tools"), ", ".join(step.effective) or show(msg("none")))
        dropped = [name for name in step.tools if name not in step.effective]
        if dropped:
            yield from _field(msg("dropped"), ", ".join(dropped), "yellow")
        yield from _field(msg("produces, the last one closes it"), ", ".join(step.produces))
    elif step.op is Op.BASH and "\n" in step.object:
        yield line(head, mark)
        for row in visible(step.object).split("\n"):
            yield line("       ", row)
    else:
        yield line(head, " ", visible_line(step.object), mark)
    if step.op is Op.MOVE and not isinstance(step, SessionStep):
        yield from _field(msg("to"), step.to)
    for label, paths in (
        (msg("requires"), step.expected.requires),
        (msg("creates"), step.expected.creates),
        (msg("modifies"), step.expected.modifies),
        (msg("deletes"), step.expected.deletes),
    ):
        if paths:
            yield from _field(label, ", ".join(paths))
    if step.role:
        yield from _field(msg("role"), step.role)
    if step.note:
        yield from _field(msg("note"), step.note)


def _field(label: Text, value: str, style: str = "") -> Iterator[Line]:
    yield from paragraph(f"{show(label)}: {visible(value)}", 7, style)


def problems_shown(path: str, problems: Iterable[Problem]) -> Iterator[Line]:
    """What stops the seal, a line of the file each."""
    for problem in problems:
        where = f"{visible_line(path)}:{problem.line}" + (f":{problem.column}" if problem.column else "")
        yield line(Part(where, "bold"), "  ", Part(problem.code, "red"))
        yield from paragraph(problem.what, 2)
        yield from paragraph(problem.repair, 2, "dim")


def cautions_shown(path: str, cautions: Iterable[Caution]) -> Iterator[Line]:
    """What does not stop it."""
    for caution in cautions:
        yield line(Part(f"{visible_line(path)}:{caution.line}", "bold"), "  ", Part(caution.code, "yellow"))
        yield from paragraph(caution.what, 2)


def difference_shown(before: Plan, plan: Plan) -> Iterator[Line]:
    """What differs from the plan that was sealed before."""
    for mark, text in difference(before, plan):
        yield line(Part(f"{mark} {visible_line(show(text))}", _CHANGES[mark]))


def base_shown(sealed: SealedPlan) -> Iterator[Line]:
    """The plan's digest and what it is sealed on."""
    base = sealed.base
    yield from paragraph(msg("Sealed it would be {plan}", plan=sealed.plan_id))
    head = base.head[:12] or show(msg("no commit"))
    count = len(base.dirty)
    yield from paragraph(msg("on {head} in {root}, changed files: {count}",
                             head=head, count=count, root=visible_line(sealed.root)))  # fmt: skip
    for path, _content in base.dirty:
        yield from paragraph(f"- {visible_line(path)}", 2, "dim")


def advice_shown(advice: Iterable[Advice]) -> Iterator[Line]:
    """What reviewers said; it decides nothing."""
    for one in advice:
        yield line(Part(one.role, "bold"), "  ", Part(one.word.value, _WORDS[one.word]))
        if one.words:
            yield from paragraph(visible(one.words), 2)


def last_sealed(opened: Plans, reviewed: Reviewed) -> Kept | None:
    """The plan that a seal would be compared with: the active one, else the newest of this worktree."""
    if reviewed.before is not None:
        return reviewed.before
    return next(iter(opened.all(reviewed.places.root)), None)


def review_shown(path: str, reviewed: Reviewed, before: Kept | None) -> Iterator[Line]:
    """Everything that a person should see before sealing."""
    if reviewed.plan is not None:
        yield from plan_shown(reviewed.plan, reviewed.done)
        yield line()
        if before is not None and before.steps:
            told = msg("Against plan {number} ({plan}), which was sealed before:",
                       number=before.number, plan=short(before.plan_id))  # fmt: skip
            yield from paragraph(told)
            yield from difference_shown(before.plan.plan, reviewed.plan)
            yield line()
    if reviewed.sealed is not None:
        yield from base_shown(reviewed.sealed)
        if reviewed.policy.preset != "walled":
            told = msg("The preset is {preset}: under the seal the wall holds, its wider floor does not.",
                       preset=reviewed.policy.preset)  # fmt: skip
            yield from paragraph(told, 0, "yellow")
        yield line()
    yield from problems_shown(path, reviewed.problems)
    yield from cautions_shown(path, reviewed.plan.cautions if reviewed.plan is not None else ())


# ---- for programs


def problem_row(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code, "line": problem.line, "column": problem.column,
        "what": show(problem.what), "repair": show(problem.repair),
    }  # fmt: skip


def caution_row(caution: Caution) -> dict[str, Any]:
    return {"code": caution.code, "line": caution.line, "step": caution.step, "what": show(caution.what)}


def advice_row(advice: Advice) -> dict[str, Any]:
    return {"role": advice.role, "verdict": advice.word.value, "words": advice.words}
