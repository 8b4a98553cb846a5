"""The pointer under reserve, commit, release, crash, retry and parallel calls, in any order."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ringwall.plan.pointer import (
    Match,
    Pointer,
    commit,
    lose,
    may_reserve,
    release,
    reserve,
    resolve,
)

CALLS = st.sampled_from([f"c{n}" for n in range(6)])
STEP = Match(0)


def test_a_step_is_reserved_committed_and_left() -> None:
    held = reserve(Pointer(2), "c1", STEP)
    assert held.holds("c1")
    assert (held.at, commit(held, "c1").at) == (0, 1)


def test_a_failure_frees_the_step() -> None:
    assert release(reserve(Pointer(2), "c1", STEP), "c1") == Pointer(2)


def test_a_second_call_waits_for_the_first() -> None:
    held = reserve(Pointer(2), "c1", STEP)
    assert reserve(held, "c2", STEP) == held
    assert not may_reserve(held, "c2", STEP)
    assert commit(held, "c2") == held
    assert release(held, "c2") == held


def test_the_next_step_is_not_given_before_the_one_under_the_pointer_is_done() -> None:
    held = reserve(Pointer(2), "c1", STEP)
    assert reserve(held, "c2", Match(1)) == held
    assert reserve(Pointer(2), "c2", Match(1)) == Pointer(2)


def test_after_a_crash_nobody_goes_on_before_it_is_said_what_happened() -> None:
    lost = lose(reserve(Pointer(2), "c1", STEP))
    assert lost.unknown
    assert not lost.holds("c1")
    assert reserve(lost, "c1", STEP) == lost == reserve(lost, "c2", STEP)
    assert resolve(lost, done=True).at == 1
    assert resolve(lost, done=False) == Pointer(2)


def test_a_report_that_comes_after_the_crash_counts() -> None:
    lost = lose(reserve(Pointer(2), "c1", STEP))
    assert commit(lost, "c1").at == 1
    assert release(lost, "c1") == Pointer(2)


def test_a_call_that_was_counted_is_never_counted_again() -> None:
    one = commit(reserve(Pointer(3), "c1", STEP), "c1")
    assert commit(one, "c1") == one
    assert reserve(one, "c1", Match(1)) == one


def test_a_product_before_the_last_is_noted_and_moves_nothing() -> None:
    note = Match(0, "notes.md", closes=False)
    one = commit(reserve(Pointer(1), "c1", note), "c1")
    assert (one.at, one.produced) == (0, ("notes.md",))
    assert commit(reserve(one, "c2", note), "c2").produced == ("notes.md",)
    closed = commit(reserve(one, "c3", Match(0, "report.md")), "c3")
    assert (closed.at, closed.produced, closed.finished) == (1, (), True)


class Walk(RuleBasedStateMachine):
    """What really happened stands beside the pointer; the invariants compare the two."""

    @initialize(length=st.integers(1, 5))
    def start(self, length: int) -> None:
        self.pointer = Pointer(length)
        self.moved: list[str] = []  # the call of each move, in order
        self.given: set[tuple[str, Match]] = set()

    def becomes(self, after: Pointer, who: str) -> None:
        before, self.pointer = self.pointer, after
        assert after.at - before.at in (0, 1)
        if after.at != before.at:
            assert before.held is not None
            assert before.held.match.closes
            assert before.held.match.step == before.at
            assert before.held.call == who
            self.moved.append(who)

    @rule(call=CALLS, step=st.integers(0, 5), output=st.sampled_from(["", "a", "b"]), closes=st.booleans())
    def asks(self, call: str, step: int, output: str, closes: bool) -> None:
        match, before = Match(step, output, closes), self.pointer
        self.becomes(reserve(before, call, match), call)
        if may_reserve(before, call, match):
            assert self.pointer.holds(call)
            self.given.add((call, match))
        else:
            assert self.pointer == before

    @rule(call=CALLS)
    def no_step(self, call: str) -> None:
        """A call that is no step has no match, so nothing is reserved; its report changes nothing."""
        before = self.pointer
        if before.held is None or before.held.call != call:
            self.becomes(commit(before, call), call)
            assert self.pointer == before

    @rule(call=CALLS, times=st.integers(1, 3))
    def happened(self, call: str, times: int) -> None:
        for _ in range(times):
            self.becomes(commit(self.pointer, call), call)

    @rule(call=CALLS)
    def failed(self, call: str) -> None:
        before = self.pointer
        self.becomes(release(before, call), call)
        assert self.pointer.at == before.at

    @rule()
    def crash(self) -> None:
        self.becomes(lose(self.pointer), "")
        assert self.pointer.held is None or self.pointer.unknown

    @rule(done=st.booleans())
    def person_says(self, done: bool) -> None:
        before = self.pointer
        who = before.held.call if before.held else ""
        self.becomes(resolve(before, done), who)
        if not before.unknown:
            assert self.pointer == before

    @invariant()
    def never_skips_and_never_twice_for_one_call(self) -> None:
        assert self.pointer.at == len(self.moved)
        assert len(set(self.moved)) == len(self.moved)
        assert 0 <= self.pointer.at <= self.pointer.length

    @invariant()
    def only_a_step_that_was_given_is_held(self) -> None:
        held = self.pointer.held
        assert held is None or (held.call, held.match) in self.given


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=50, stateful_step_count=30, deadline=None)
