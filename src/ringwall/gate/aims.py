"""What a call must come to in order to be a step: worked out when a plan is sealed.

Invariant: paths are resolved on the disk as it is at sealing, so a link that is laid later never makes
another file the step's.
"""

from __future__ import annotations

import posixpath

from ringwall.gate.shape import shape_of
from ringwall.model.surroundings import Surroundings
from ringwall.plan.model import Aim, AnyStep, Op, SessionStep


def aim_of(step: AnyStep, surroundings: Surroundings) -> Aim:
    """The aim of a step of the project that `surroundings` stands for. `shape` is empty for a command that
    cannot be compared; such a step matches nothing."""
    root = surroundings.places.root
    if isinstance(step, SessionStep):
        return Aim(tuple(_place(path, root, surroundings) for path in step.produces))
    if step.op is Op.BASH:
        return Aim(shape=shape_of(step.object, root) or "")
    paths = (step.object, step.to) if step.op is Op.MOVE else (step.object,)
    return Aim(tuple(_place(path, root, surroundings) for path in paths))


def _place(path: str, root: str, surroundings: Surroundings) -> str:
    whole = posixpath.normpath(posixpath.join(root, path))
    return surroundings.resolve(whole) or whole
