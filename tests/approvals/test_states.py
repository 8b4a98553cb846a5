"""The states of a proposal: every move that is allowed is made once, every other is refused."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from ringwall.approvals import read, write
from ringwall.approvals.binding import Binding
from ringwall.approvals.proposal import MOVES, Channel, Proposal, State
from ringwall.journal.read import Filter
from ringwall.journal.read import read as journalled
from ringwall.journal.verify import verify
from ringwall.model.errors import StateError, UsageError
from ringwall.store.paths import StateDir
from ringwall.store.schema import proposals

from .conftest import NOW, Book, decision, question

PERSON = "person:ann"


def opened(book: Book, action: str = "push") -> Proposal:
    with book.writing() as entry:
        return write.open_proposal(entry, question(action), decision(entry), book.now)


def state_of(book: Book, number: int) -> State:
    with book.store.reading() as connection:
        return read.one(connection, number, book.now).state


def test_an_approved_act_happens_once(book: Book) -> None:
    proposal = opened(book)
    with book.writing() as entry:
        approved = write.approve(entry, 1, proposal.binding, PERSON, book.now)
    with book.writing() as entry:
        write.consume(entry, approved, proposal.event, "agent:claude")
    assert state_of(book, 1) is State.CONSUMED
    with pytest.raises(UsageError, match=r"approvals\.settled"), book.writing() as entry:
        write.consume(entry, approved, proposal.event, "agent:claude")
    assert verify(book.store).whole


@pytest.mark.parametrize("who", ["agent:claude", "agent:codex/x"])
def test_whoever_asks_never_decides(book: Book, who: str) -> None:
    proposal = opened(book)
    for answer in (
        lambda entry: write.approve(entry, 1, proposal.binding, who, book.now),
        lambda entry: write.reject(entry, 1, proposal.binding, who, book.now, "no"),
    ):
        with pytest.raises(UsageError, match=r"approvals\.own"), book.writing() as entry:
            answer(entry)
    assert state_of(book, 1) is State.PENDING


def test_a_person_does_not_approve_what_they_asked_for_themselves(book: Book) -> None:
    asked = replace(question(), requester=PERSON)
    with book.writing() as entry:
        write.open_proposal(entry, asked, decision(entry), book.now)
    with pytest.raises(UsageError, match=r"approvals\.own"), book.writing() as entry:
        write.approve(entry, 1, asked.binding, PERSON, book.now)


def test_an_answer_counts_only_for_what_was_shown(book: Book) -> None:
    opened(book)
    with pytest.raises(UsageError, match=r"approvals\.stale"), book.writing() as entry:
        write.approve(entry, 1, "sha256:something else", PERSON, book.now)


def test_a_rejection_needs_words(book: Book) -> None:
    proposal = opened(book)
    with pytest.raises(UsageError, match=r"approvals\.no_reason"), book.writing() as entry:
        write.reject(entry, 1, proposal.binding, PERSON, book.now, " ")


def test_time_ends_a_question_and_an_approval(book: Book) -> None:
    first, second = opened(book, "push"), opened(book, "pull")
    with book.writing() as entry:
        write.approve(entry, second.number, second.binding, PERSON, book.now, lasts=60)
    book.now += 60
    assert state_of(book, second.number) is State.EXPIRED
    book.now = NOW + 24 * 3600
    with pytest.raises(UsageError, match=r"approvals\.settled"), book.writing() as entry:
        write.approve(entry, first.number, first.binding, PERSON, book.now)
    with book.writing() as entry:
        write.expire_overdue(entry, book.now)
    with book.store.reading() as connection:
        ended = [one.content()["outcome"] for one in journalled(connection, Filter(type="proposal.ended"))]
    assert ended == ["expired", "expired"]


def test_an_approval_can_be_taken_back(book: Book) -> None:
    proposal = opened(book)
    with book.writing() as entry:
        write.approve(entry, 1, proposal.binding, PERSON, book.now)
    with book.writing() as entry:
        write.take_back(entry, 1, PERSON, book.now, "second thoughts")
    assert state_of(book, 1) is State.INVALIDATED


def test_of_one_binding_one_is_live(book: Book) -> None:
    opened(book)
    with pytest.raises(StateError):
        opened(book)


def test_what_is_settled_keeps_no_secret(book: Book) -> None:
    proposal = opened(book)
    with book.store.reading() as connection:
        assert "abcdefgh12345678" in str(read.one(connection, 1, book.now).content)  # a person must see it
    with book.writing() as entry:
        write.reject(entry, 1, proposal.binding, PERSON, book.now, "no")
    with book.store.reading() as connection:
        assert "abcdefgh12345678" not in connection.execute(sa.select(proposals.c.content)).scalar_one()


def test_a_binding_tells_everything_apart() -> None:
    base = Binding("a", "p", (("f", "1"),), (("g", "/bin/g", "1"),), "c", "plan", "step")
    others = [
        replace(base, digest="", **change)
        for change in (
            {"action": "b"}, {"policy": "q"}, {"files": (("f", "2"),)}, {"programs": (("g", "/bin/g", "2"),)},
            {"commits": "d"}, {"plan": ""}, {"step": ""}, {"files": ()}, {"programs": ()},
        )
    ]  # fmt: skip
    assert len({base.digest, *(other.digest for other in others)}) == len(others) + 1
    assert replace(base, digest="").digest == base.digest


class Life(RuleBasedStateMachine):
    """Anybody may try anything at any time; the model knows what may come of it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.book = Book(StateDir(f"{self.folder}/state"))
        self.known: dict[int, State] = {}
        self.ends: dict[int, int] = {}

    def teardown(self) -> None:
        assert verify(self.book.store).whole
        self.book.close()
        shutil.rmtree(self.folder)

    numbers = st.integers(1, 4)

    @rule(action=st.sampled_from(["a", "b"]))
    def ask(self, action: str) -> None:
        binding = question(action).binding
        with self.book.writing() as entry:
            write.expire_overdue(entry, self.book.now)
            last = read.latest(entry.connection, binding, self.book.now)
            if last is None or not last.state.live:
                made = write.open_proposal(entry, question(action), decision(entry), self.book.now)
                self.known[made.number], self.ends[made.number] = State.PENDING, made.expires
        self._time()

    @rule(number=numbers, lasts=st.integers(1, 5000))
    def approve(self, number: int, lasts: int) -> None:
        if self._try(number, State.APPROVED, lambda entry, one: write.approve(
            entry, number, one.binding, PERSON, self.book.now, lasts)):  # fmt: skip
            self.ends[number] = self.book.now + lasts

    @rule(number=numbers)
    def reject(self, number: int) -> None:
        self._try(number, State.REJECTED, lambda entry, one: write.reject(
            entry, number, one.binding, PERSON, self.book.now, "no"))  # fmt: skip

    @rule(number=numbers)
    def consume(self, number: int) -> None:
        self._try(number, State.CONSUMED, lambda entry, one: write.consume(entry, one, one.event, "agent:x"))

    @rule(number=numbers)
    def withdraw(self, number: int) -> None:
        self._try(number, State.WITHDRAWN, lambda entry, one: write.withdraw(entry, one, "w"))

    @rule(number=numbers)
    def invalidate(self, number: int) -> None:
        self._try(number, State.INVALIDATED, lambda entry, one: write.invalidate(entry, one, "i"))

    @rule(seconds=st.integers(1, 30_000))
    def wait(self, seconds: int) -> None:
        self.book.now += seconds
        self._time()

    def _time(self) -> None:
        for number, state in self.known.items():
            if state.live and self.ends[number] <= self.book.now:
                self.known[number] = State.EXPIRED

    def _try(self, number: int, to: State, move: Any) -> bool:
        try:
            with self.book.writing() as entry:
                move(entry, read.one(entry.connection, number, self.book.now))
        except UsageError:
            assert number not in self.known or to not in MOVES[self.known[number]]
            return False
        assert to in MOVES[self.known[number]]
        self.known[number] = to
        return True

    @invariant()
    def the_table_says_what_happened(self) -> None:
        for number, state in self.known.items():
            assert state_of(self.book, number) is state


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)


def test_channels_are_words() -> None:
    assert [channel.value for channel in Channel] == ["host", "wait", "none"]
