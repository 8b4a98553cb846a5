"""Of two who race, one wins; what was committed outlives whoever wrote it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

from ringwall.approvals import read, write
from ringwall.approvals.proposal import State
from ringwall.journal.read import Filter
from ringwall.journal.read import read as journalled
from ringwall.journal.verify import verify
from ringwall.model.errors import UsageError
from ringwall.store.paths import StateDir

from .conftest import Book, decision, question

MANY = 6


def race(state: StateDir, act: object) -> list[str]:
    """What `act` gives in each of many threads with a connection of its own."""
    outcomes: list[str] = []
    begin = threading.Barrier(MANY)

    def run(number: int) -> None:
        book = Book(state)
        begin.wait()
        try:
            outcomes.append(act(book, number))  # type: ignore[operator]
        except UsageError as error:
            outcomes.append(error.code)
        finally:
            book.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(MANY)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes)


def test_of_many_who_decide_one_wins(state: StateDir, book: Book) -> None:
    with book.writing() as entry:
        proposal = write.open_proposal(entry, question(), decision(entry), book.now)

    def decide(own: Book, number: int) -> str:
        with own.writing() as entry:
            if number % 2:
                write.approve(entry, 1, proposal.binding, f"person:{number}", own.now)
            else:
                write.reject(entry, 1, proposal.binding, f"person:{number}", own.now, "no")
        return "decided"

    assert race(state, decide) == ["approvals.settled"] * (MANY - 1) + ["decided"]
    with book.store.reading() as connection:
        (told,) = journalled(connection, Filter(type="proposal.decided"))
        final = read.one(connection, 1, book.now)
    assert (told.content()["by"], told.content()["outcome"]) == (final.decided_by, final.state.value)
    assert verify(book.store).whole


def test_of_many_retries_one_consumes(state: StateDir, book: Book) -> None:
    with book.writing() as entry:
        proposal = write.open_proposal(entry, question(), decision(entry), book.now)
        write.approve(entry, 1, proposal.binding, "person:ann", book.now)

    def use(own: Book, _number: int) -> str:
        with own.writing() as entry:
            last = read.latest(entry.connection, proposal.binding, own.now)
            assert last is not None
            if last.state is not State.APPROVED:
                return "asks again"
            write.consume(entry, last, proposal.event, "agent:claude")
        return "ran"

    assert race(state, use) == ["asks again"] * (MANY - 1) + ["ran"]


def test_a_killed_writer_loses_nothing_that_it_told(state: StateDir) -> None:
    code = (
        "import sys, time\nsys.path.insert(0, sys.argv[2])\n"
        "from approvals.conftest import Book, decision, question\n"
        "from ringwall.approvals import write\nfrom ringwall.store.paths import StateDir\n"
        "book = Book(StateDir(sys.argv[1]))\n"
        "for n in range(10_000):\n"
        "    with book.writing() as entry:\n"
        "        write.open_proposal(entry, question(str(n)), decision(entry), book.now)\n"
        "    print(n + 1, flush=True)\n"
    )
    tests = os.path.dirname(os.path.dirname(__file__))
    process = subprocess.Popen(
        [sys.executable, "-c", code, state.path, tests], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(5)]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    book = Book(state)
    with book.store.reading() as connection:
        assert len(list(read.pending(connection, book.now))) >= len(told)
    assert verify(book.store).whole
    book.close()
