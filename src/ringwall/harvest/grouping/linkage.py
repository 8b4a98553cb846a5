"""Groups of what lies near together, by average linkage.

Invariant: deterministic; the nearest two groups become one until none are near enough. Nobody is in two
groups, and who is near nobody is in none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near is near enough: the mean distance within a group of three or more, and that of a pair, which
    has no third to confirm it."""

    group: float
    pair: float


STRICT = Nearness(group=0.50, pair=0.465)
"""On the notes it was chosen with, every group was pure; benchmarks/grouping.py prints it."""
WIDE = Nearness(group=0.60, pair=0.60)
"""More groups, about one in four with a stranger in it."""


def groups(distances: NDArray[np.float32], near: Nearness) -> list[list[int]]:
    """The groups of two or more, as indexes in order, the nearest first. `distances` is square."""
    import numpy as np

    members: dict[int, list[int]] = {each: [each] for each in range(len(distances))}
    apart = distances.astype(np.float64, copy=True)
    np.fill_diagonal(apart, np.inf)
    spread: dict[int, float] = {}
    while len(members) > 1:
        first, second = sorted(int(i) for i in np.unravel_index(np.argmin(apart), apart.shape))
        if apart[first, second] > near.group:
            break
        spread[first] = float(apart[first, second])
        _join(apart, members, first, second)
    found = [(spread[each], sorted(group)) for each, group in members.items() if len(group) > 1]
    return [group for wide, group in sorted(found) if len(group) > 2 or wide <= near.pair]


def _join(apart: NDArray[np.float64], members: dict[int, list[int]], first: int, second: int) -> None:
    """Make `second` a part of `first`: its distance to another is the mean over all pairs."""
    import numpy as np

    mine, yours = len(members[first]), len(members[second])
    mean = (apart[first] * mine + apart[second] * yours) / (mine + yours)
    apart[first], apart[:, first] = mean, mean
    apart[second], apart[:, second] = np.inf, np.inf
    apart[first, first] = np.inf
    members[first] += members.pop(second)
