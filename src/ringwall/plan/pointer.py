"""The pointer into a sealed plan and what may move it, in two phases.

Invariant: it moves by one step at a time, only for the call that reserved the step, and at most once for a
call. An event that does not apply gives back the same pointer.

A call that is the step under the pointer is reserved before it runs and committed when it is known to have
happened. A failure, a refusal or a withdrawal releases it. When nobody can say whether it happened (a crash
between the two), it is *unknown* until a person or the step's own products settle it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Match:
    """That a call is the step at index `step`. `output` is the file of a session's `produces` that it
    writes; `closes` is false for such a file before the last, which does not move the pointer."""

    step: int
    output: str = ""
    closes: bool = True


@dataclass(frozen=True, slots=True)
class Reservation:
    """A step that a call is about to do. `lost`: it is unknown whether it happened."""

    call: str
    match: Match
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """`at` is how many of the `length` steps are done, so the index of the next one. `produced` are the
    files that the session under the pointer has written. `spent` are the calls that were committed."""

    length: int
    at: int = 0
    produced: tuple[str, ...] = ()
    held: Reservation | None = None
    spent: frozenset[str] = frozenset()

    @property
    def finished(self) -> bool:
        return self.at >= self.length

    @property
    def unknown(self) -> bool:
        """Whether somebody must say first if the reserved step happened."""
        return self.held is not None and self.held.lost

    def holds(self, call: str) -> bool:
        """Whether `call` has the step under the pointer reserved and may run."""
        return self.held is not None and self.held.call == call and not self.held.lost


def may_reserve(pointer: Pointer, call: str, match: Match) -> bool:
    """Whether `reserve` would give the step to the call (or has done so already)."""
    if not call or pointer.finished or match.step != pointer.at or call in pointer.spent:
        return False
    return pointer.held is None or (pointer.holds(call) and pointer.held.match == match)


def reserve(pointer: Pointer, call: str, match: Match) -> Pointer:
    """The call is about to do the step. `holds(call)` of the answer says whether it got it; asking again for
    the same call changes nothing."""
    if not may_reserve(pointer, call, match):
        return pointer
    return replace(pointer, held=Reservation(call, match))


def commit(pointer: Pointer, call: str) -> Pointer:
    """The call is known to have happened: the pointer moves if it held the step, also when that was unknown
    meanwhile."""
    if pointer.held is None or pointer.held.call != call:
        return pointer
    return _done(pointer, pointer.held)


def release(pointer: Pointer, call: str) -> Pointer:
    """The call is known not to have happened, or to have failed: the step is free again."""
    if pointer.held is None or pointer.held.call != call:
        return pointer
    return replace(pointer, held=None)


def lose(pointer: Pointer) -> Pointer:
    """Whoever held the step is gone without a word: whether it happened is unknown."""
    if pointer.held is None or pointer.held.lost:
        return pointer
    return replace(pointer, held=replace(pointer.held, lost=True))


def resolve(pointer: Pointer, done: bool) -> Pointer:
    """A person or the step's products say whether the unknown call happened."""
    if pointer.held is None or not pointer.held.lost:
        return pointer
    return _done(pointer, pointer.held) if done else replace(pointer, held=None)


def _done(pointer: Pointer, held: Reservation) -> Pointer:
    spent = pointer.spent | {held.call}
    if held.match.closes:
        return replace(pointer, at=pointer.at + 1, produced=(), held=None, spent=spent)
    produced = pointer.produced
    if held.match.output not in produced:
        produced = (*produced, held.match.output)
    return replace(pointer, produced=produced, held=None, spent=spent)
