"""Did a step do what it says? Its products, held against the files before and after.

Invariant: pure. A product is met or it is named in the answer; where files cannot tell, the answer is that
they cannot.
"""

from __future__ import annotations

from collections.abc import Iterable

from ringwall.judge.wall.snapshot import Snapshot, changed
from ringwall.model.text import Text, msg
from ringwall.plan.model import Aim, AnyStep, Op, SessionStep
from ringwall.plan.pointer import Match

WRITES = frozenset({Op.WRITE, Op.EDIT, Op.MULTI_EDIT, Op.NOTEBOOK_EDIT})


def named(step: AnyStep, aim: Aim, root: str) -> tuple[str, ...]:
    """All files that a step names, as paths from `root`."""
    expected = step.expected
    stated = (*expected.creates, *expected.modifies, *expected.deletes)
    places = tuple(place[len(root) + 1 :] for place in aim.places if place.startswith(f"{root}/"))
    return tuple(dict.fromkeys((*stated, *places)))


def unmet(step: AnyStep, before: Snapshot, after: Snapshot) -> list[Text]:
    """What the step states of its products and is not so, a sentence each."""
    expected = step.expected
    found = [
        msg("{path} is not there", path=path) for path in expected.creates if not after.has(path)
    ]  # fmt: skip
    found += [
        msg("{path} was there before and has not changed", path=path)
        for path in expected.creates
        if after.has(path) and before.has(path) and not _differs(path, before, after)
    ]
    found += [msg("{path} is gone", path=path) for path in expected.modifies if not after.has(path)]
    found += [
        msg("{path} has not changed", path=path)
        for path in expected.modifies
        if after.has(path) and not _differs(path, before, after)
    ]
    return found + [msg("{path} is still there", path=path) for path in expected.deletes if after.has(path)]


def others(step: AnyStep, aim: Aim, root: str, before: Snapshot, after: Snapshot) -> list[str]:
    """What changed though the step does not name it. A command that states no products is not held to any."""
    expected = step.expected
    if step.op is Op.BASH and not (expected.creates or expected.modifies or expected.deletes):
        return []
    own = named(step, aim, root)
    return [path for path in changed(before, after) if not _below(path, own)]


def happened(
    step: AnyStep, aim: Aim, root: str, match: Match, before: Snapshot, after: Snapshot
) -> bool | None:
    """Whether files show that the step was done; None where they show neither."""
    touched = _signs(step, aim, root, match, before, after)
    if not touched:
        return None
    if all(touched) and not unmet(step, before, after):
        return True
    return False if not any(touched) and not changed(before, after) else None


def _signs(step: AnyStep, aim: Aim, root: str, match: Match, before: Snapshot, after: Snapshot) -> list[bool]:
    """For each file by which the step can be seen, whether it was."""
    expected = step.expected
    places = [place[len(root) + 1 :] for place in aim.places if place.startswith(f"{root}/")]
    signs = [_differs(path, before, after) for path in (*expected.creates, *expected.modifies)]
    signs += [before.has(path) and not after.has(path) for path in expected.deletes]
    if isinstance(step, SessionStep):
        output = step.produces.index(match.output)
        signs += [_differs(place, before, after) for place in places[output : output + 1]]
    elif step.op in WRITES:
        signs += [_differs(path, before, after) for path in places]
    elif step.op is Op.DELETE:
        signs += [before.has(path) and not after.has(path) for path in places]
    elif step.op is Op.MOVE and len(places) == 2:
        signs += [not after.has(places[0]), _differs(places[1], before, after)]
    return signs


def _differs(path: str, before: Snapshot, after: Snapshot) -> bool:
    if before.has(path) != after.has(path):
        return True
    known = before.digests.get(path, ""), after.digests.get(path, "")
    return known[0] != known[1] if all(known) else before.files.get(path) != after.files.get(path)


def _below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in folders)
