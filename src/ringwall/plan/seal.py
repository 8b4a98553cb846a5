"""Sealing: one JSON value that holds all that the gate will evaluate, and its digest, the `plan_id`.

Invariant: `unseal` gives back what `seal` made, or says that the seal is broken; there is no third way.
Where in the Markdown file the lists stand, and the text around them but for the title, are no part of it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ringwall.model.canonical import canonical, digest, digest_bytes
from ringwall.model.errors import StateError
from ringwall.model.json_tree import NotJsonError, Object, read
from ringwall.model.text import msg
from ringwall.plan.fences import SKILLS, STEPS, Block
from ringwall.plan.model import Aim, AnyStep, Base, Group, Plan, SealedPlan, SessionStep, SkillEntry, Step
from ringwall.plan.safety import with_steps
from ringwall.plan.steps import Skills, Steps

VERSION = 1


def seal(plan: Plan, root: str, base: Base, aims: tuple[Aim, ...]) -> SealedPlan:
    """The sealed form of a plan behind the safety catch. `root` is absolute and resolved; `aims` has one
    entry per step."""
    if len(aims) != len(plan.steps):
        raise ValueError("a plan is sealed with one aim per step")
    document: dict[str, Any] = {
        "v": VERSION,
        "root": root,
        "title": plan.title,
        "steps": [_written(item) for item in plan.items],
        "skills": [_skill(entry) for entry in plan.skills],
        "effective_tools": {
            str(step.number): list(step.effective) for step in plan.steps if isinstance(step, SessionStep)
        },
        "aims": [{"places": list(aim.places), "shape": aim.shape} for aim in aims],
        "base": {
            "head": base.head,
            "dirty": [list(entry) for entry in base.dirty],
            "policy": base.policy,
        },
    }
    return SealedPlan(plan, digest(document), root, base, aims, document)


def unseal(content: bytes, plan_id: str) -> SealedPlan:
    """The sealed plan whose canonical bytes are `content`. Raises `StateError` (`plan.seal_broken`) where
    they do not have this digest, or are not what a seal holds."""
    if digest_bytes(content) != plan_id:
        raise _broken()
    try:
        document = json.loads(content)
        if canonical(document) != content or document["v"] != VERSION:
            raise _broken()
        return _sealed(document, content.decode(), plan_id)
    except (ValueError, KeyError, TypeError, AttributeError, NotJsonError, RecursionError):
        raise _broken() from None


def _sealed(document: dict[str, Any], text: str, plan_id: str) -> SealedPlan:
    tree = read(text, "the sealed plan")
    assert isinstance(tree, Object)  # noqa: S101 - it has the key `v`
    written, named = tree.get("steps"), tree.get("skills")
    steps, skills = Steps(Block(STEPS, text, -1)), Skills(Block(SKILLS, text, -1))
    if written is None or named is None:
        raise _broken()
    items, entries = steps.read(written), skills.read(named)
    aims = tuple(Aim(tuple(aim["places"]), aim["shape"]) for aim in document["aims"])
    if steps.problems or skills.problems or len(aims) != len(steps.steps):
        raise _broken()
    effective = document["effective_tools"]
    sessions: dict[int, AnyStep] = {
        step.number: replace(step, effective=tuple(effective[str(step.number)]))
        for step in steps.steps
        if isinstance(step, SessionStep)
    }
    plan = with_steps(Plan(document["title"], items, tuple(steps.steps), entries), sessions)
    found = document["base"]
    dirty = tuple((path, content) for path, content in found["dirty"])
    base = Base(found["head"], dirty, found["policy"])
    return SealedPlan(plan, plan_id, document["root"], base, aims, document)


def _written(item: Group | Step | SessionStep) -> Any:
    if isinstance(item, Group):
        return {"title": item.title, "steps": [_written(inner) for inner in item.items]}
    return item.source


def _skill(entry: SkillEntry) -> dict[str, str]:
    return {"name": entry.name, "note": entry.note}


def _broken() -> StateError:
    return StateError(
        "plan.seal_broken",
        msg("The sealed plan was changed after it was sealed."),
        msg("Abandon it with `ringwall plan abandon`, look at the plan and seal it again."),
    )
