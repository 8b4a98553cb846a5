"""`ringwall check` and `explain`: a verdict without state.

Invariant: nothing is written, journalled or trusted beyond the call; the project's own policy counts as
untrusted, a directory that is named counts as trusted.
"""

from __future__ import annotations

import os
from functools import lru_cache

from ringwall.judge.places import places_of
from ringwall.judge.policies import Policies, with_trusted_directory
from ringwall.judge.recall import Recall
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.judge.verdict import judge
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.surroundings import Places
from ringwall.policy.load import Loaded
from ringwall.store.paths import StateDir, locate

_POLICIES = Policies()
_RECALL = Recall()
_OWN = ("HOME", "TMPDIR", "CLAUDE_CONFIG_DIR")  # not the project of the session that runs this


def check(call: ToolCall, preset: str | None, policy_dir: str | None, cwd: str) -> Decision:
    """The decision that `call` would get. Raises `PolicyError` for a named policy that is not valid."""
    places = _places(cwd or call.cwd)
    disk = DiskSurroundings(places, os.environ)
    return judge(call, disk, _policy(places, policy_dir, preset or "").policy, _RECALL)


def _policy(places: Places, policy_dir: str | None, preset: str) -> Loaded:
    if policy_dir is None:
        return _POLICIES.in_force(places, (), {}, preset).loaded
    loaded = _named(places, os.path.abspath(policy_dir), preset)
    if loaded.problems:
        raise loaded.problems[0]
    return loaded


@lru_cache(maxsize=64)
def _places(cwd: str) -> Places:
    try:
        state = locate(os.environ)
    except RingwallError:
        state = StateDir("/nonexistent")
    return places_of(cwd, {name: os.environ[name] for name in _OWN if name in os.environ}, state)


@lru_cache(maxsize=64)
def _named(places: Places, folder: str, preset: str) -> Loaded:
    return with_trusted_directory(places, folder, preset)
