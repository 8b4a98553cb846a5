"""Whatever interrupts the harvest: what is left is whole, and the same word said again ends it.

Every change of every scene is interrupted once in each way, and every state that a power cut may leave is
made. A real process is killed in the scenes that matter most; `RINGWALL_CRASH=full` does it in all.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harvest.crash import powercut, tracing
from harvest.crash.disk import BROKEN, FULL, Disk, Killed, on
from harvest.crash.scenes import SCENES, Stage, faults, snapshot
from ringwall.harvest.model import Status
from ringwall.journal.events import CandidateDecided
from ringwall.journal.read import Filter, read
from ringwall.model.errors import StateError
from ringwall.model.text import msg
from ringwall.store import durable
from ringwall.store.durable import Folder

FULLY = os.environ.get("RINGWALL_CRASH") == "full"
STATES = 5000
"""The most states of a power cut after one change; there are fewer, for little waits for a sync."""

traceable = pytest.mark.skipif(
    not tracing.usable(), reason="this machine does not let a process trace a child"
)


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """In memory where the machine has such a folder: thousands of worlds are made."""
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Stage(SCENES[request.param], Path(folder))


def recorded(stage: Stage, unsynced: str = "") -> Disk:
    """All changes of a whole run."""
    stage.reset()
    with on(Disk(unsynced=unsynced)) as disk:
        stage.act()
    return disk


def decisions(stage: Stage) -> list[str]:
    """What the journal was told, without repetition in it."""
    store = stage.world.desk.journal.store
    with store.reading() as connection:
        records = [each.subject for each in read(connection, Filter(type=CandidateDecided.TYPE))]
    store.close()
    return records


def healed(stage: Stage, what: object) -> None:
    """The act again, and all is as if nothing had happened."""
    assert faults(stage) == [], what
    stage.act()
    assert snapshot(stage.world) == stage.after, what


@pytest.mark.parametrize("stage", SCENES, indirect=True)
def test_a_kill_at_any_change_leaves_what_is_whole(stage: Stage) -> None:
    for at in range(1, len(recorded(stage).ops) + 1):
        stage.reset()
        with on(Disk(at=at)) as disk, pytest.raises(Killed):
            stage.act()
        healed(stage, (at, disk.ops[-1]))
        told = decisions(stage)
        assert len(told) == len(set(told)), at


@pytest.mark.parametrize("error", [FULL, BROKEN])
@pytest.mark.parametrize("stage", SCENES, indirect=True)
def test_a_disk_that_is_full_or_broken_is_told_and_leaves_what_is_whole(stage: Stage, error: int) -> None:
    for at in range(1, len(recorded(stage).ops) + 1):
        stage.reset()
        with on(Disk(at=at, error=error)) as disk, pytest.raises(StateError):
            stage.act()
        healed(stage, (at, disk.ops[-1]))


@traceable
@pytest.mark.parametrize("stage", SCENES if FULLY else ["collect", "approve", "reject"], indirect=True)
def test_a_real_process_may_be_killed_at_any_call_that_changes_something(stage: Stage) -> None:
    """The journal's database is among what is interrupted here."""
    stage.reset()
    calls = tracing.run(stage.act)
    assert calls > len(recorded(stage).ops) // 2
    for at in range(1, calls + 1):
        stage.reset()
        assert tracing.run(stage.act, at) == at
        healed(stage, at)
        told = decisions(stage)
        assert len(told) == len(set(told)), at


@pytest.mark.parametrize("stage", SCENES, indirect=True)
def test_whatever_a_power_cut_leaves_is_whole(stage: Stage) -> None:
    lost = violations(stage, recorded(stage), STATES)
    assert next(lost, None) is None


def violations(stage: Stage, disk: Disk, most: int) -> Iterator[str]:
    """What is wrong in the states that a power cut leaves, from the end of the run to its beginning."""
    for changes in range(len(disk.ops), -1, -1):
        stage.reset()
        cut = powercut.Disk.of(*stage.roots())
        for op in disk.ops[:changes]:
            cut.apply(op)
        for choice in cut.states(most):
            stage.reset()
            for root in stage.roots():
                _empty(root)
            cut.write(choice)
            yield from _wrong(stage, changes, len(disk.ops))


def _wrong(stage: Stage, changes: int, all_: int) -> Iterator[str]:
    where = f"after {changes} of {all_} changes"
    try:
        found = faults(stage)
        if found:
            yield f"{where}: {found}"
        elif changes == all_ and snapshot(stage.world) != stage.after:
            yield f"{where}: told as done, and lost"
        else:
            stage.act()
            if snapshot(stage.world) != stage.after:
                yield f"{where}: not healed"
    except StateError as error:
        yield f"{where}: {error}"


def _empty(root: str) -> None:

    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root)


@pytest.mark.parametrize("unsynced", ["file", "folder"])
@pytest.mark.parametrize("stage", ["collect", "approve", "reject"], indirect=True)
def test_a_harvest_that_does_not_sync_is_caught(stage: Stage, unsynced: str) -> None:
    assert next(violations(stage, recorded(stage, unsynced), 40), None)


@pytest.mark.parametrize("stage", ["approve", "reject"], indirect=True)
def test_a_harvest_that_writes_in_place_is_caught(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def plainly(self: Folder, name: str, content: bytes, mode: int = 0o600) -> None:
        disk = durable.os
        handle = disk.open(name, os.O_RDWR | os.O_CREAT, mode, dir_fd=self._handle)
        disk.ftruncate(handle, 0)
        disk.write(handle, content)
        disk.fsync(handle)
        os.close(handle)
        disk.fsync(self._handle)

    with monkeypatch.context() as inner:
        inner.setattr(Folder, "write", plainly)
        disk = recorded(stage)
        found = []
        for at in range(1, len(disk.ops) + 1):
            stage.reset()
            with on(Disk(at=at)), pytest.raises(Killed):
                stage.act()
            try:
                found += faults(stage)
            except StateError as error:
                found.append(str(error))
        assert found
    assert next(violations(stage, disk, 40), None)


@pytest.mark.parametrize("stage", ["approve"], indirect=True)
def test_a_journal_that_cannot_be_written_is_told_and_written_later(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise StateError("state.full", *(msg("The disk is full."), msg("Free some.")))

    stage.reset()
    with monkeypatch.context() as inner:
        inner.setattr("ringwall.harvest.record.decided", full)
        with pytest.raises(StateError):
            stage.act()
    assert [one.status for one in stage.world.standings().values()].count(Status.PENDING) == 1
    healed(stage, "journal")
    assert len(decisions(stage)) == 1
