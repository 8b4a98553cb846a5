"""The harvest, one test per requirement: what it is and is not, the agents, the outcome. Masking and the
engines have a file of their own."""

from __future__ import annotations

import json
import re

import pytest

from harvest.conftest import Program, project, ringwall
from harvest.crash.disk import BROKEN, Disk, on
from harvest.world import World, notes
from ringwall.agents.files import read_control
from ringwall.agents.model import Act, Correcting
from ringwall.harvest import brief
from ringwall.harvest.border import Outlet
from ringwall.harvest.digest import markdown
from ringwall.harvest.model import Status
from ringwall.harvest.ranking import overview
from ringwall.model.errors import StateError, UsageError

from .harvesting import DOCS, LATER, ROOT, SOURCE, say, state, world

__all__ = ["project", "ringwall", "state", "world"]


# ---- A. what it is and what it is not


def test_H_01_from_a_note_to_the_canon(world: World) -> None:
    made = world.candidate()
    world.canon()
    world.desk.approve(world.key, made.id)
    assert brief.entry_of(made) in world.canon().read_text()
    assert "ids are uuid here" in world.briefs()[0].read_text()


def test_H_02_the_docs_claim_a_filter_of_quality_and_no_protection() -> None:
    text = DOCS.read_text().lower()
    assert "mistakes" in text
    assert "same user" in text
    for claim in (
        "mechanical protection",
        "mechanically protect",
        "safe export",
        "tamper-proof",
        "guarantees that no secret",
    ):
        assert claim not in text


def test_H_03_the_actor_tells_where_a_note_is_from_and_proves_nothing(world: World) -> None:
    assert "proves nothing" in DOCS.read_text()
    world.agent("ada")
    world.registry.record("ada", "seen", {"note": "not a person's"}, "agent")
    world.collect()
    assert not world.place.exists() or world.rows() == []


def test_H_04_the_docs_say_that_an_engine_may_send_notes_away_before_a_person_looks() -> None:
    text = DOCS.read_text()
    assert "before a person" in text
    assert "leave the machine" in text


def test_H_05_a_person_sees_the_words_and_can_refuse(world: World) -> None:
    made = world.candidate()
    found = overview(world.state, world.key, LATER)
    assert "no numbers, uuid please" in markdown([found], frozenset(Status), say)
    assert world.desk.dismiss(world.key, made.id, "two things in one").status is Status.DISMISSED


def test_H_06_nothing_names_a_role_folder_of_an_agent_as_a_target() -> None:
    assert {each.value for each in Outlet} == {
        ("toolkit-log", "upstream-pending"), (".claude",), ("toolkit-log",),
    }  # fmt: skip
    into_role = re.compile(r"""/role["'/}]|below\([^)]*["']role["']""")
    for path in [*(SOURCE / "harvest").rglob("*.py"), *(SOURCE / "agents").rglob("*.py")]:
        assert not into_role.search(path.read_text()), path


def test_H_07_only_what_people_said_is_read(world: World) -> None:
    world.say("ada", "use uuid")
    world.registry.bind("ada", "claude", "s-1")
    world.registry.record("ada", "transcript", {"note": "from a session"}, "operator")
    world.registry.record("ada", "diff", {"note": "after the yes"}, "operator")
    world.collect()
    assert notes(world.rows()) == ["use uuid"]


def test_H_08_it_runs_when_it_is_told_to(world: World, ringwall: Program) -> None:
    world.say("ada", "use uuid")
    assert not world.place.exists()
    assert ringwall("harvest", "collect").returncode == 0
    assert len(world.rows()) == 1


def test_H_09_every_command_is_there(ringwall: Program) -> None:
    told = ringwall("harvest", "--help").stdout
    for verb in ("collect", "propose", "digest", "approve", "dismiss", "reject", "mark-applied"):
        assert re.search(rf"^  {verb} ", told, re.MULTILINE)
        assert ringwall("harvest", verb, "--help").returncode == 0
    assert 'ringwall = "ringwall.cli.main:main"' in (ROOT / "pyproject.toml").read_text()


# ---- B. the agents


def test_H_10_the_note_reaches_the_event(ringwall: Program, world: World) -> None:
    world.agent("ada")
    ringwall("agents", "revise", "ada", "--note", "X")
    ringwall("agents", "reject", "ada", "--reason", "Y")
    events = world.registry.events("ada")
    assert [(each.type, each.detail["note"]) for each in events[1:]] == [("revise", "X"), ("reject", "Y")]


def test_H_11_praise_is_no_correction(world: World) -> None:
    world.agent("ada")
    world.registry.act("ada", Act.ACCEPT, "nice, uuid everywhere")
    assert world.collect().new == {}


def test_H_12_a_lost_event_is_borne_and_not_called_atomic(world: World) -> None:
    world.say("ada", "first")
    with on(Disk(at=_changes(world) + 1, error=BROKEN)), pytest.raises(StateError):
        world.registry.act("ada", Act.REVISE, "lost")
    world.registry.act("ada", Act.REVISE, "third")
    world.collect()
    assert notes(world.rows()) == ["first", "third"]
    for path in (*(SOURCE / "agents").glob("*.py"), ROOT / "docs" / "agents.md", DOCS):
        assert "atomic" not in path.read_text().lower()


def _changes(world: World) -> int:
    """How many changes to the disk it takes until the control of an agent is durable."""
    with on(Disk()) as counted:
        world.registry.act("ada", Act.REVISE, "first")
    path = world.root / "state" / "agents" / "ada" / "events.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    return next(n for n, op in enumerate(counted.ops) if op.path.endswith("events.jsonl"))


def test_H_13_an_event_without_a_note_is_passed_over(world: World) -> None:
    world.agent("ada")
    with open(world.root / "state" / "agents" / "ada" / "events.jsonl", "a") as file:
        file.write('{"seq":2,"at":"2026-01-01T00:00:00Z","type":"revise","actor":"operator"}\n')
        file.write('{"seq":3,"at":"2026-01-01T00:00:00Z","type":"revise","actor":"operator","detail":{}}\n')
        file.write('{"seq":4,"at":"x","type":"revise","actor":"operator","detail":{"note":7}}\n')
        file.write('{"seq":5,"at":"x","type":"revise","actor":"operator","detail":{"note":" "}}\n')
    assert world.collect().new == {}


@pytest.mark.parametrize("role", ["a/b", "..", "Developer", "x" * 33, "d", "dev_1", "-dev", ""])
def test_H_14_a_role_is_a_safe_word_from_the_beginning(world: World, role: str) -> None:
    with pytest.raises(UsageError):
        world.agent("ada", role=role)
    assert world.registry.names() == []


def test_H_15_each_life_has_a_number_of_its_own(world: World) -> None:
    world.agent("ada")
    control = world.root / "state" / "agents" / "ada" / "control.json"
    first = json.loads(control.read_text())["incarnation"]
    assert re.fullmatch("[0-9a-f]{32}", first)
    world.registry.act("ada", Act.ARCHIVE)
    world.agent("ada")
    assert json.loads(control.read_text())["incarnation"] != first


@pytest.mark.parametrize("value", ["null", '"ABC"', '""', "7", '"' + "g" * 32 + '"', '"' + "A" * 32 + '"'])
def test_H_16_a_control_with_a_broken_incarnation_is_refused(value: str) -> None:
    with pytest.raises(StateError):
        read_control(b'{"incarnation": %s}' % value.encode(), "x")


# ---- the outcome


def test_H_87_whether_a_rule_helped_can_be_seen_in_use(world: World) -> None:
    made = world.candidate()
    world.canon()
    world.desk.approve(world.key, made.id)
    world.now += 10**9
    world.desk.mark_applied(world.key, made.id)
    (told,) = overview(world.state, world.key, LATER).returns
    assert told.again == ()
    world.now += 10**9
    world.say("eve", "ids are uuid here, please")
    world.collect()
    (told,) = overview(world.state, world.key, LATER).returns
    assert [row.agent for row in told.again] == ["eve"]
    assert "in use" in DOCS.read_text()


def test_what_is_refused_besides_a_mission_is_harvested_too(world: World) -> None:
    world.agent("ada")
    call = "0193c0de-0000-7000-8000-000000000001"
    world.registry.corrected("ada", Correcting.PROPOSAL_REJECT, "never push on Friday", "person:mira", call)
    world.registry.corrected("ada", Correcting.PLAN_REVISE, "test first", "person:mira")
    world.collect()
    assert [(row.event, row.call) for row in sorted(world.rows(), key=lambda row: row.event_seq)] == [
        ("proposal_reject", call), ("plan_revise", ""),
    ]  # fmt: skip
