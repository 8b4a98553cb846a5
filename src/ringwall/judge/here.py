"""What holds in a folder: its places, and the policy in force there with what people have settled.

Invariant: looking only; no state directory is made where there is none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from ringwall.judge.places import places_of
from ringwall.judge.policies import InForce, Policies
from ringwall.judge.standing import Standing, read_standing
from ringwall.model.surroundings import Places
from ringwall.policy.model import Policy
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir


@dataclass(frozen=True, slots=True)
class Here:
    """The folder's places, its policy, and what people have settled."""

    places: Places
    in_force: InForce
    standing: Standing

    @property
    def policy(self) -> Policy:
        return self.in_force.loaded.policy


def here(folder: str, environ: Mapping[str, str], state: StateDir) -> Here:
    """What holds in `folder` for who starts with `environ`."""
    standing = _settled(state)
    places = places_of(folder, environ, state)
    trusted = standing.trusted_below(f"{places.root}/.ringwall")
    return Here(places, Policies().in_force(places, trusted, standing.sources), standing)


def _settled(state: StateDir) -> Standing:
    if not os.path.exists(state.database):
        return Standing()
    store = Store(state)
    try:
        with store.reading() as connection:
            return read_standing(connection)
    finally:
        store.close()
