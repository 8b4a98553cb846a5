"""The wall: without a sealed plan only looking and writing plans pass; under one, its next step as well.

Invariant: silent for what is free; what is neither free nor the step under the pointer, nor a tool of the
session there, is denied, and the denial names the step that is expected, in one line.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from ringwall.gate import wall_words as no
from ringwall.gate.free import is_free, more_than_looking
from ringwall.gate.situation import Situation
from ringwall.gate.steps import match_of
from ringwall.model.action import Kind
from ringwall.model.analysis import Analysis
from ringwall.model.decision import Opinion
from ringwall.model.effects import covers
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.plan.identity import entitles, skill_of, subagent_tools
from ringwall.plan.model import SessionStep
from ringwall.plan.pointer import Match, may_reserve
from ringwall.plan.safety import FORBIDDEN
from ringwall.plan.view import WallView
from ringwall.plan.words import named
from ringwall.policy.model import LayerName
from ringwall.policy.paths import paths_of

STAGE = no.STAGE
STEP = f"{STAGE}.step"
"""The code of the opinion that a call is the step under the pointer."""
SESSION = f"{STAGE}.session"
"""The code of the opinion that a call uses a tool of the session under the pointer."""

_OF_STEP = msg("{reason}; {step}").template
_OWN = frozenset({Kind.SHELL, Kind.FILE})


class Mode(StrEnum):
    """Which law the stage speaks by."""

    OPEN = "open"  # no plan, and a preset without the wall: silent
    CONVERSATION = "conversation"
    PLAN = "plan"


def mode_of(situation: Situation) -> Mode:
    """A sealed plan is law under every preset; without one only `walled` bounds the conversation."""
    if situation.wall is not None:
        return Mode.PLAN
    return Mode.CONVERSATION if situation.policy.preset == "walled" else Mode.OPEN


def matched(analysis: Analysis, situation: Situation) -> Match | None:
    """The step that the call is: what to reserve for it when the decision is no `deny`."""
    return match_of(analysis, situation.wall) if situation.wall is not None else None


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """Silent for what is free; allow what the plan expects; deny the rest."""
    mode = mode_of(situation)
    if mode is Mode.OPEN or is_free(analysis, situation.places):
        return None
    if situation.wall is None:
        return _conversation(analysis, situation)
    return _under_plan(analysis, situation, situation.wall)


def lifts(before: Sequence[Opinion], later: Opinion) -> bool:
    """Whether a sealed session answers what `later` asks: a person gave its tools, so a question that only
    the preset puts is not put for each call. Rules of people and limits still ask."""
    return (
        later.verdict is Verdict.ASK
        and later.stage in ("autonomy", "permissions")
        and not later.binding
        and later.rule is not None
        and later.rule.layer == LayerName.PRESET.value
        and any(opinion.code == SESSION for opinion in before)
    )


def with_step(before: Sequence[Opinion], deciding: Opinion) -> Opinion:
    """A question about a step of the plan, saying which one it is."""
    step = next((opinion for opinion in before if opinion.code == STEP), None)
    if step is None or deciding.verdict is not Verdict.ASK:
        return deciding
    return replace(deciding, reason=Text(_OF_STEP, (("reason", deciding.reason), ("step", step.reason))))


def reason_alone(deciding: Opinion) -> Text:
    """The reason of a question without the step that `with_step` named."""
    if deciding.reason.template != _OF_STEP:
        return deciding.reason
    reason = dict(deciding.reason.args)["reason"]
    return reason if isinstance(reason, Text) else deciding.reason


# ---- without a plan


def _conversation(analysis: Analysis, situation: Situation) -> Opinion | None:
    if _authors(analysis, situation):
        return None
    return no.conversation(analysis, situation.policy.wall.folders)


def _authors(analysis: Analysis, situation: Situation) -> bool:
    """Whether the call writes plans and specs in their folders and nothing else."""
    if analysis.doubts or analysis.action.kind not in _OWN:
        return False
    folders = tuple(
        posixpath.join(situation.places.root, folder) + "/" for folder in situation.policy.wall.folders
    )
    changes = more_than_looking(analysis, situation.places)
    return bool(changes) and all(
        effect.name == "write"
        and (paths := paths_of(effect, analysis))
        and all(path.startswith(folders) for path in paths)
        for effect in changes
    )


# ---- under a plan


def _under_plan(analysis: Analysis, situation: Situation, view: WallView) -> Opinion | None:
    step = view.expected
    if view.fault is not None:
        return no.broken(view.fault)
    if _skill(analysis, view) or _subagent(analysis):
        return None
    if isinstance(step, SessionStep) and _of_session(step, analysis, situation.places):
        reason = msg("a tool of {step}", step=named(step, view.plan.plan_id))
        return Opinion(STAGE, Verdict.ALLOW, SESSION, reason)
    found = match_of(analysis, view)
    if found is None or step is None:
        return no.mismatch(analysis, view)
    if not may_reserve(view.pointer, view.call or "?", found):
        return no.taken(step, view)
    return Opinion(STAGE, Verdict.ALLOW, STEP, msg("this is {step}", step=named(step, view.plan.plan_id)))


def _skill(analysis: Analysis, view: WallView) -> bool:
    name = skill_of(analysis.action.tool, analysis.action.input)
    return bool(name) and any(name == entry.name for entry in view.plan.plan.skills)


def _subagent(analysis: Analysis) -> bool:
    return (
        analysis.action.tool in subagent_tools()
        and not analysis.doubts
        and all(effect.name == "agent.spawn" for effect in analysis.effects)
    )


def _of_session(step: SessionStep, analysis: Analysis, places: Places) -> bool:
    """Whether the call is one of the session's tools and does nothing that no session gives."""
    if analysis.doubts or not any(entitles(entry, analysis.action.tool) for entry in step.effective):
        return False
    return not any(
        (effect.certain or effect.name in ("write", "delete"))
        and any(covers(one, effect.name) for one in FORBIDDEN)
        for effect in more_than_looking(analysis, places)
    )
