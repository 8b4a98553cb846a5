"""What a plan is: steps in order, sessions, skills, and the sealed form that the gate evaluates.

Invariant: frozen data; a `SealedPlan` holds everything that the gate's wall stage will evaluate, and its
`plan_id` is the digest of exactly that. Two plans are equal when they do the same, wherever in a file their
steps stand; the line is 0 in a plan that was unsealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ringwall.model.text import Text


class Op(StrEnum):
    """What a step does. The words are those of the plan file."""

    WRITE = "Write"
    EDIT = "Edit"
    MULTI_EDIT = "MultiEdit"
    NOTEBOOK_EDIT = "NotebookEdit"
    DELETE = "Delete"
    MOVE = "Move"
    BASH = "Bash"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Expected:
    """What must hold around a step, as paths from the project root. `requires` before it; the others after
    it. Not evaluated by the gate but part of the seal."""

    creates: tuple[str, ...] = ()
    modifies: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One act. `number` counts from 1 through all groups; `line` is the 1-based line of the Markdown file;
    `titles` are those of its groups, outermost first. `object` is a path or, for `Bash`, a command line, in
    the author's words; `to` is where a `Move` ends. `source` is the author's JSON object as it was written.
    """

    number: int
    line: int = field(compare=False)
    op: Op
    object: str
    to: str = ""
    titles: tuple[str, ...] = ()
    role: str = ""
    note: str = ""
    expected: Expected = Expected()
    source: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class SessionStep:
    """Free use of named tools until its report is written. `tools` is what the author wrote, `effective`
    what the safety catch left of it; `produces` has at least one path, and the last one closes the session.
    """

    number: int
    line: int = field(compare=False)
    goal: str
    tools: tuple[str, ...]
    produces: tuple[str, ...]
    effective: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    role: str = ""
    note: str = ""
    expected: Expected = Expected()
    source: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def op(self) -> Op:
        return Op.SESSION

    @property
    def object(self) -> str:
        """The file that closes it."""
        return self.produces[-1]


AnyStep = Step | SessionStep


@dataclass(frozen=True, slots=True)
class Group:
    """Steps under one title; groups nest."""

    title: str
    line: int = field(compare=False)
    items: tuple[Group | Step | SessionStep, ...]


@dataclass(frozen=True, slots=True)
class SkillEntry:
    """A skill that may be called freely while the plan is active."""

    name: str
    line: int = field(compare=False)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a plan cannot be sealed. `code` is stable (`plan.skill_step`); `line` and `column` count from 1 in
    the Markdown file, 0 where there is none."""

    code: str
    what: Text
    repair: Text
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Caution:
    """What a person should see before sealing; it does not stop the seal."""

    code: str
    what: Text
    line: int = 0
    step: int = 0  # the number of the step, 0 where it is about none


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan file that was read without a problem. `steps` are all steps in order, groups opened."""

    title: str
    items: tuple[Group | Step | SessionStep, ...]
    steps: tuple[AnyStep, ...]
    skills: tuple[SkillEntry, ...] = ()
    cautions: tuple[Caution, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Base:
    """What a plan was sealed on. `head` is the commit, empty without one; `dirty` has every changed or
    untracked file in scope as (path from the root, digest; empty where it is gone); `policy` is the policy's
    digest."""

    head: str = ""
    dirty: tuple[tuple[str, str], ...] = ()
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Aim:
    """What a call must come to in order to be the step, worked out once at sealing.

    `places` are absolute resolved paths: of the object; for a `Move` from and to; for a session of
    `produces` in its order. `shape` is the digest of a command line's parsed form with the folder it runs
    in, empty for other steps.
    """

    places: tuple[str, ...] = ()
    shape: str = ""


@dataclass(frozen=True, slots=True)
class SealedPlan:
    """A plan that a person sealed. `aims` has one entry per step. `document` is the JSON value that is kept
    (`canonical(document)` are the bytes to store) and `plan_id` its digest.

    How the gate gets it: `Situation.wall` is a `plan.view.WallView` with this plan, the pointer and the id
    of the call, or None in conversation. `gate.wall.matched(analysis, situation)` says which step, if any,
    a call is; judge reserves it when the decision is no `deny`.
    """

    plan: Plan
    plan_id: str
    root: str
    base: Base
    aims: tuple[Aim, ...]
    document: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
