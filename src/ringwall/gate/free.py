"""What is free in conversation and under a plan: looking, and the tools that only ask.

Invariant: freedom is a matter of the tool's identity and of every effect of the call; one effect that is
more than looking, or one doubt, ends it.
"""

from __future__ import annotations

from ringwall.model.action import Action, Kind
from ringwall.model.analysis import Analysis
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Places
from ringwall.plan.identity import identity, query_only
from ringwall.policy.paths import paths_of

LOOKS = frozenset({"observe", "read.outside", "network.read", "cloud.read", "browse.look", "browse.read"})
"""Effects that change nothing of the repository. A secret that is read has an effect of its own."""

OWN_SERVER = "ringwall"
"""Ringwall's own MCP server: its tools look, read by contract, or ask a person."""
_OBSERVERS = frozenset({Kind.SHELL, Kind.FILE, Kind.HOST})


def is_query_only(action: Action) -> bool:
    """Whether the call's tool is one that only asks and looks, by server and name (`plan/names.toml`)."""
    return query_only(action.tool)


def is_observe_only(analysis: Analysis) -> bool:
    """Whether the call is one of the host's own tools, or of Ringwall's own server, and every part of it is
    known to look only."""
    return (
        _own(analysis.action)
        and not analysis.doubts
        and bool(analysis.effects)
        and all(effect.name in LOOKS for effect in analysis.effects)
    )


def _own(action: Action) -> bool:
    server = identity(action.tool)[0]
    return server == OWN_SERVER or (server == "" and action.kind in _OBSERVERS)


def is_free(analysis: Analysis, places: Places) -> bool:
    """Whether the call passes in either mode: it observes, or it only queries and writes nothing but
    scratch (a screenshot). A query-only tool without a row of effects is known by its table."""
    if is_observe_only(analysis):
        return True
    if not is_query_only(analysis.action) or analysis.doubts:
        return False
    return all(effect.name == "tool.unknown" for effect in more_than_looking(analysis, places))


def more_than_looking(analysis: Analysis, places: Places) -> tuple[Effect, ...]:
    """The effects that are more than looking and writing scratch."""
    return tuple(
        effect
        for effect in analysis.effects
        if effect.name not in LOOKS
        and not (effect.name == "write" and _scratch(paths_of(effect, analysis), places))
    )


def _scratch(paths: tuple[str, ...], places: Places) -> bool:
    """Whether all paths lie below scratch and outside the project."""
    below = tuple(f"{folder}/" for folder in places.scratch)
    project = tuple(f"{folder}/" for folder in (places.root, *places.worktrees))
    return bool(paths) and all(path.startswith(below) and not path.startswith(project) for path in paths)
