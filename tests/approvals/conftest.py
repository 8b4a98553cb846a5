"""A journal with proposals, and a clock that a test moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ringwall.approvals.binding import Binding
from ringwall.approvals.proposal import Question
from ringwall.journal.events import HostReported
from ringwall.journal.write import Entry, Journal
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

NOW = 1_800_000_000


class Book:
    """One journal; `writing` is one transaction."""

    def __init__(self, state: StateDir) -> None:
        self.now = NOW
        self.store = Store(state)
        self.journal = Journal(self.store, lambda: self.now * 1_000_000_000)

    @contextmanager
    def writing(self) -> Iterator[Entry]:
        with self.journal.writing() as entry:
            yield entry

    def close(self) -> None:
        self.store.close()


def decision(entry: Entry) -> str:
    """An event that stands for the decision that asked."""
    return entry.append(HostReported(host="claude", event="PreToolUse", moment="before_call"), "agent:claude")


def question(action: str = "push", session: str = "s1") -> Question:
    binding = Binding(action=f"sha256:{action}", policy="sha256:p")
    content = {"tool": "Bash", "input": {"command": f"git {action} --token=abcdefgh12345678"}, "cwd": "/p"}
    return Question(
        binding=binding.digest, action=binding.action, requester="agent:claude", content=content,
        session=session, project="/p",
    )  # fmt: skip


@pytest.fixture
def state(tmp_path: Path) -> StateDir:
    return StateDir(str(tmp_path / "state"))


@pytest.fixture
def book(state: StateDir) -> Iterator[Book]:
    made = Book(state)
    yield made
    made.close()
