"""A session that runs as a registered agent, and what a person's no in it becomes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.conftest import Payload
from ringwall.agents.model import Act
from ringwall.agents.registry import Registry
from ringwall.approvals.proposal import State
from ringwall.harvest.collect import collect
from ringwall.harvest.key import project_key
from ringwall.harvest.model import Key
from ringwall.harvest.shelf import shelf
from ringwall.judge.desk import Desk
from ringwall.judge.judge import Judge
from ringwall.judge.missions import plan_ended, running_as
from ringwall.model.errors import UsageError
from ringwall.store import durable
from ringwall.store.durable import folder
from ringwall.store.paths import StateDir

Ask = Callable[..., int]


@pytest.fixture
def registry(state: StateDir, project: Path) -> Registry:
    made = Registry(state)
    made.create("ada", "developer", str(project))
    return made


@pytest.fixture
def ask(judge: Judge, state: StateDir, payload: Payload, home: Path) -> Ask:
    """The number of the proposal that a push leads to, in a session with this environment."""

    def asked(environ: dict[str, str], session: str = "s1") -> int:
        own = {"HOME": str(home), "PATH": os.environ["PATH"], "RINGWALL_HEADLESS": "0", **environ}
        reply = judge.hook("claude", payload("git push origin main", session_id=session), own)
        assert b'"ask"' in reply.stdout, reply.stdout.decode()
        desk = Desk(state)
        number = desk.newest(1)[0].number
        desk.close()
        return number

    return asked


def reject(state: StateDir, number: int, because: str) -> None:
    desk = Desk(state)
    done = desk.reject(number, desk.one(number).binding, "person:mira", because)
    desk.close()
    assert done.state is State.REJECTED


def test_a_no_is_kept_with_the_agent_and_harvested(
    registry: Registry, state: StateDir, project: Path, ask: Ask
) -> None:
    with running_as(state, "ada") as more:
        number = ask(dict(more))
    assert registry.running("claude", "s1") == "ada"
    reject(state, number, "never push on a Friday")
    last = registry.events("ada")[-1]
    assert (last.type, last.detail["note"], last.detail["by"]) == (
        "proposal_reject", "never push on a Friday", "person:mira",
    )  # fmt: skip
    collect(state)
    with shelf(state, Key(project_key(str(project)), "developer")) as opened:
        (row,) = opened.corrections()
    assert row.note == "never push on a Friday"
    assert row.call == last.detail["call"] != ""


def test_a_session_is_bound_once_and_by_its_token_only(registry: Registry, state: StateDir, ask: Ask) -> None:
    with running_as(state, "ada") as more:
        ask(dict(more))
        ask(dict(more))
        with pytest.raises(AssertionError, match="nobody"):
            ask({"RINGWALL_IDENTITY": "forged"}, session="s2")
    with pytest.raises(AssertionError, match="nobody"):
        ask(dict(more), session="s3")
    ask({}, session="s4")
    assert registry.agent("ada").control.sessions == (("claude", "s1"),)
    assert registry.events("ada")[-1].type == "session"


def test_who_is_not_there_or_put_away_runs_nothing(registry: Registry, state: StateDir) -> None:
    registry.act("ada", Act.ARCHIVE)
    for name in ("ada", "nobody"):
        with pytest.raises(UsageError), running_as(state, name):
            raise AssertionError("it must not begin")


def test_a_registry_that_cannot_be_written_undoes_no_decision(
    registry: Registry, state: StateDir, ask: Ask
) -> None:
    with running_as(state, "ada") as more:
        number = ask(dict(more))
        control = Path(state.path) / "agents" / "ada" / "control.json"
        control.write_text(json.dumps({"incarnation": None}))
        ask(dict(more), session="s2")
        reject(state, number, "no")
    shutil.rmtree(Path(state.path) / "agents")
    with pytest.raises(UsageError), running_as(state, "ada"):
        pass


def test_who_holds_an_agents_lock_holds_up_no_call(
    registry: Registry, state: StateDir, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "LOCK_SECONDS", 3600)
    with (
        running_as(state, "ada") as more,
        folder(f"{state.path}/agents/ada") as place,
        place.locked(),
    ):
        ask(dict(more))
        assert registry.running("claude", "s1") == ""


def test_a_plan_that_is_ended_is_the_words_of_the_only_one_who_works_there(
    registry: Registry, state: StateDir, project: Path
) -> None:
    plan_ended(state, str(project), "person:mira", "test first")
    assert registry.events("ada")[-1].type == "plan_reject"
    registry.create("bob", "developer", str(project))
    plan_ended(state, str(project), "person:mira", "whose is it?")
    assert registry.events("ada")[-1].detail["note"] == "test first"
    assert len(registry.events("bob")) == 1
