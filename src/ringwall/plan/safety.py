"""The safety catch: what no session may be given, whatever its author wrote.

Invariant: `effective` holds only names of single, known tools that neither change the repository nor do what
lies on the floor; every name that was dropped is a visible caution. A dropped name stays in `tools`, so the
seal covers both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ringwall.model.effects import EFFECTS, covers
from ringwall.model.text import Text, msg
from ringwall.plan.model import AnyStep, Caution, Group, Plan, SessionStep, Step

FORBIDDEN = (
    "write", "delete", "git", "code", "install", "system", "catastrophic", "privilege", "cloud.write",
    "data.destroy", "remote.exec", "download.exec", "process.kill", "read.secret", "publish", "deploy",
    "agent", "agents",
)  # fmt: skip
"""Effects, with all below them, that a session's tool may not have."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]*")
_WHOLE_SERVER = re.compile(r"mcp__[^_]+(?:_[^_]+)*_*")


@dataclass(frozen=True, slots=True)
class Rights:
    """What any call of a tool of some name does. `program`: it is a program of the shell; `known` is false
    for a host's tool that no table has."""

    effects: frozenset[str] = frozenset()
    program: bool = False
    known: bool = True


RightsOf = Callable[[str], Rights]


def caught(plan: Plan, rights_of: RightsOf) -> Plan:
    """The plan with the `effective` tools of its sessions, and a caution for each name that was dropped."""
    cautions = list(plan.cautions)
    steps: dict[int, AnyStep] = {}
    for step in plan.steps:
        if isinstance(step, SessionStep):
            reasons = {name: refused(name, rights_of) for name in step.tools}
            kept = tuple(name for name, reason in reasons.items() if reason is None)
            steps[step.number] = replace(step, effective=kept)
            cautions += (
                Caution("plan.tool_dropped", reason, step.line, step.number)
                for reason in reasons.values()
                if reason is not None
            )
    return with_steps(replace(plan, cautions=tuple(cautions)), steps)


def refused(name: str, rights_of: RightsOf) -> Text | None:
    """Why a session may not be given this tool, or None."""
    if not _NAME.fullmatch(name) or _WHOLE_SERVER.fullmatch(name):
        return msg("{name} was dropped from the session: it is not the name of one tool.", name=name)
    rights = rights_of(name)
    if rights.program:
        return msg("{name} was dropped from the session: commands are steps.", name=name)
    found = next(
        (effect for effect in sorted(rights.effects) if any(covers(one, effect) for one in FORBIDDEN)), None
    )
    if found is not None:
        return msg(
            "{name} was dropped from the session: no session gives a tool that {meaning}.",
            name=name,
            meaning=EFFECTS[found].meaning,
        )
    if not rights.known:
        return msg(
            "{name} was dropped from the session: nobody knows this tool; a server's is mcp__server__tool.",
            name=name,
        )
    return None


def with_steps(plan: Plan, steps: dict[int, AnyStep]) -> Plan:
    """The plan with some of its steps replaced, by their numbers."""
    return replace(
        plan,
        items=tuple(_item(item, steps) for item in plan.items),
        steps=tuple(steps.get(step.number, step) for step in plan.steps),
    )


def _item(item: Group | Step | SessionStep, steps: dict[int, AnyStep]) -> Group | Step | SessionStep:
    if isinstance(item, Group):
        return replace(item, items=tuple(_item(inner, steps) for inner in item.items))
    return steps.get(item.number, item)
