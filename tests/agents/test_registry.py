"""Agents by name: what a person does to them, and what stands in their files afterwards."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from ringwall.agents.model import MOVES, Act, Correcting, State
from ringwall.agents.registry import LONGEST_EVENT, Registry
from ringwall.model.errors import StateError, UsageError
from ringwall.store.paths import StateDir


@pytest.fixture
def folder(state: StateDir) -> Path:
    return Path(state.path) / "agents" / "ada"


@pytest.fixture
def ada(registry: Registry) -> Registry:
    registry.create("ada", "developer", "/srv/shop", "person:mira")
    return registry


def rows(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]


def test_a_new_agent_has_a_spec_a_control_and_an_event(ada: Registry, folder: Path) -> None:
    assert json.loads((folder / "spec.json").read_text()) == {
        "name": "ada", "role": "developer", "project": "/srv/shop",
    }  # fmt: skip
    control = json.loads((folder / "control.json").read_text())
    assert len(bytes.fromhex(control["incarnation"])) == 16
    assert (control["state"], control["mission"]) == ("working", 1)
    (event,) = rows(folder)
    assert (event["seq"], event["type"], event["actor"]) == (1, "agent_created", "operator")


@pytest.mark.parametrize("name", ["", "a", "A", "a/b", "..", "a-", "1a", "ä1", "a" * 33, "a\n", "а1"])
def test_a_name_and_a_role_are_safe_parts_of_a_path(registry: Registry, name: str) -> None:
    with pytest.raises(UsageError):
        registry.create(name, "developer", "/srv/shop")
    with pytest.raises(UsageError):
        registry.create("ada", name, "/srv/shop")
    assert registry.names() == []


def test_a_project_is_an_absolute_path(registry: Registry) -> None:
    with pytest.raises(UsageError):
        registry.create("ada", "developer", "shop")


def test_a_note_reaches_its_event(ada: Registry, folder: Path) -> None:
    ada.act("ada", Act.REVISE, "Use UUIDs.", "person:mira")
    ada.act("ada", Act.REJECT, "Not this way.")
    *_, revise, reject = rows(folder)
    assert (revise["type"], revise["detail"]) == (
        "revise", {"mission": 1, "note": "Use UUIDs.", "by": "person:mira"},
    )  # fmt: skip
    assert (reject["type"], reject["detail"]) == ("reject", {"mission": 1, "note": "Not this way."})


@pytest.mark.parametrize("at", list(State))
@pytest.mark.parametrize("act", list(Act))
def test_a_mission_moves_only_as_the_table_says(ada: Registry, folder: Path, at: State, act: Act) -> None:
    path = folder / "control.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "state": at.value}))
    before = (path.read_bytes(), rows(folder))
    if act in MOVES[at]:
        assert ada.act("ada", act).control.state is MOVES[at][act]
        assert rows(folder)[-1]["type"] == act.value
    else:
        with pytest.raises(UsageError):
            ada.act("ada", act)
        assert (path.read_bytes(), rows(folder)) == before


def test_a_new_mission_has_a_new_number(ada: Registry) -> None:
    ada.act("ada", Act.ACCEPT)
    assert ada.act("ada", Act.START).control.mission == 2


def test_a_name_that_is_taken_is_refused_and_an_archived_one_is_free(
    ada: Registry, state: StateDir, folder: Path
) -> None:
    first = ada.agent("ada").control.incarnation
    with pytest.raises(UsageError):
        ada.create("ada", "developer", "/srv/shop")
    ada.act("ada", Act.REVISE, "Use UUIDs.")
    ada.act("ada", Act.ARCHIVE)
    second = ada.create("ada", "reviewer", "/srv/shop").control.incarnation
    assert first != second
    assert [row["seq"] for row in rows(folder)] == [1]
    former = Path(state.path) / "agents" / ".former" / f"ada.{first}"
    assert [row["type"] for row in rows(former)] == ["agent_created", "revise", "archive"]
    assert ada.names() == ["ada"]


def test_a_torn_last_line_is_passed_over_and_goes_with_the_next_event(ada: Registry, folder: Path) -> None:
    with open(folder / "events.jsonl", "ab") as file:
        file.write(b'{"seq":2,"at":"2026')
    assert [event.seq for event in ada.events("ada")] == [1]
    ada.act("ada", Act.REVISE, "Use UUIDs.")
    assert [row["seq"] for row in rows(folder)] == [1, 2]


def test_a_broken_line_in_the_middle_is_passed_over(ada: Registry, folder: Path) -> None:
    with open(folder / "events.jsonl", "ab") as file:
        file.write(b'not json\n{"seq":"x"}\n[]\n\xff\n{"seq":7,"at":"now","type":"seen"}\n')
    assert [event.seq for event in ada.events("ada")] == [1, 7]
    ada.act("ada", Act.REPORT)
    assert ada.events("ada")[-1].seq == 8


@pytest.mark.parametrize(
    "control",
    [
        "",
        "[]",
        "null",
        '{"incarnation": null}',
        '{"incarnation": "ABC"}',
        '{"incarnation": 7}',
        '{"state": "x"}',
    ],
)
def test_a_broken_control_is_an_error_and_stays_as_it_is(ada: Registry, folder: Path, control: str) -> None:
    (folder / "control.json").write_text(control)
    with pytest.raises(StateError):
        ada.act("ada", Act.REVISE, "Use UUIDs.")
    with pytest.raises(StateError):
        ada.create("ada", "developer", "/srv/shop")
    assert (folder / "control.json").read_text() == control
    assert len(rows(folder)) == 1


def test_an_agent_from_before_there_were_incarnations_goes_on(ada: Registry, folder: Path) -> None:
    (folder / "control.json").write_text("{}")
    for _ in range(2):
        assert ada.act("ada", Act.REVISE, "Use UUIDs.").control.incarnation == ""
    ada.bind("ada", "claude", "s-1")
    assert "incarnation" not in json.loads((folder / "control.json").read_text())
    assert ada.agent("ada").control.incarnation == ""


def test_what_a_crash_left_of_a_new_agent_is_made_whole(registry: Registry, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "spec.json").write_text("{")
    registry.create("ada", "developer", "/srv/shop")
    assert registry.agent("ada").spec.role == "developer"


def test_words_that_cannot_be_kept_change_nothing(ada: Registry, folder: Path) -> None:
    before = (folder / "control.json").read_bytes()
    for note in ("x" * LONGEST_EVENT, "\udcff"):
        with pytest.raises(UsageError):
            ada.act("ada", Act.REJECT, note)
    assert (folder / "control.json").read_bytes() == before


@pytest.mark.parametrize("type", ["revise", "reject", "agent_created", "proposal_reject", "Bad", "", "a b"])
def test_an_event_cannot_pass_for_a_correction(ada: Registry, type: str) -> None:
    with pytest.raises(UsageError):
        ada.record("ada", type, {"note": "x"}, "operator")


def test_a_session_is_bound_once_and_found(ada: Registry, folder: Path) -> None:
    ada.bind("ada", "claude", "s-1")
    ada.bind("ada", "claude", "s-1")
    assert ada.running("claude", "s-1") == "ada"
    assert ada.running("codex", "s-1") == ""
    assert [row["type"] for row in rows(folder)] == ["agent_created", "session"]
    ada.act("ada", Act.ARCHIVE)
    assert ada.running("claude", "s-1") == ""


def test_what_a_person_refused_besides_is_an_event_of_its_own(ada: Registry, folder: Path) -> None:
    ada.corrected("ada", Correcting.PROPOSAL_REJECT, "Never push on Friday.", "person:mira", "0191-call")
    row = rows(folder)[-1]
    assert row["type"] == "proposal_reject"
    assert row["detail"] == {"note": "Never push on Friday.", "by": "person:mira", "call": "0191-call"}


def test_agents_that_change_at_once_change_one_after_the_other(ada: Registry, folder: Path) -> None:
    threads = [
        threading.Thread(target=ada.act, args=("ada", Act.REVISE, f"note {number}")) for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row["seq"] for row in rows(folder)] == list(range(1, 10))


def test_a_link_in_the_place_of_an_agent_is_refused(ada: Registry, state: StateDir, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (Path(state.path) / "agents" / "eve").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError):
        ada.create("eve", "developer", "/srv/shop")
    with pytest.raises(StateError):
        ada.agent("eve")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_who_is_not_there_is_named(registry: Registry) -> None:
    with pytest.raises(UsageError) as caught:
        registry.agent("nobody")
    assert caught.value.code == "agents.none"
