"""The harvest, one test per requirement: keys, ids and collecting."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path

import pytest

from harvest.conftest import project, ringwall
from harvest.crash.disk import Disk, on
from harvest.world import World, notes
from ringwall.agents.files import read_incarnation
from ringwall.agents.model import Act
from ringwall.harvest.collect import collect
from ringwall.harvest.key import project_key
from ringwall.harvest.model import correction_id
from ringwall.model.errors import StateError
from ringwall.store import durable

from .harvesting import SECRET, all_text, state, world

__all__ = ["project", "ringwall", "state", "world"]


# ---- C. keys and ids


def test_H_17_a_project_is_where_it_really_is(world: World, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(world.project)
    assert project_key(str(tmp_path / "link")) == world.key.project
    real = os.path.realpath(world.project)
    assert world.key.project == hashlib.sha256(real.encode()).hexdigest()[:16]
    assert project_key("/srv/a-b/c") != project_key("/srv/a/b-c")


def test_H_18_the_ledger_is_at_its_key(world: World) -> None:
    world.say("ada", "use uuid")
    world.collect()
    assert (world.root / "state" / "harvest" / world.key.project / "developer" / "ledger.jsonl").exists()


def test_H_19_a_role_from_before_is_passed_over_and_said(world: World) -> None:
    world.say("ada", "use uuid")
    world.say("bob", "use uuid too")
    spec = world.root / "state" / "agents" / "ada" / "spec.json"
    spec.write_text(json.dumps({**json.loads(spec.read_text()), "role": "Old/Role"}))
    found = world.collect()
    assert [each.agent for each in found.skipped] == ["ada"]
    assert notes(world.rows()) == ["use uuid too"]


def test_H_20_an_agent_from_before_is_told_by_its_first_moment(world: World) -> None:
    world.say("ada", "use uuid")
    (world.root / "state" / "agents" / "ada" / "control.json").write_text("{}")
    world.collect()
    (row,) = world.rows()
    assert row.incarnation == world.registry.events("ada")[0].at


def test_H_21_a_broken_incarnation_is_not_the_same_as_none(world: World) -> None:
    world.say("ada", "use uuid")
    world.collect()
    control = world.root / "state" / "agents" / "ada" / "control.json"
    control.write_text('{"incarnation": null}')
    assert [each.agent for each in world.collect().skipped] == ["ada"]
    assert len(world.rows()) == 1
    assert read_incarnation(b"{}", "x") == ""


@pytest.mark.parametrize("content", [None, "", "{", "[]", '"text"'])
def test_H_22_without_a_control_that_can_be_read_an_agent_is_passed_over(
    world: World, content: str | None
) -> None:
    world.say("ada", "use uuid")
    control = world.root / "state" / "agents" / "ada" / "control.json"
    control.unlink() if content is None else control.write_text(content)
    found = world.collect()
    assert (found.new, [each.agent for each in found.skipped]) == ({}, ["ada"])


def test_H_23_an_incarnation_is_32_hex_digits_for_the_collector_too(world: World) -> None:
    world.say("ada", "use uuid")
    control = world.root / "state" / "agents" / "ada" / "control.json"
    control.write_text('{"incarnation": "../../etc"}')
    assert world.collect().new == {}


def test_H_24_a_broken_registry_leaks_no_secret(world: World) -> None:
    world.say("ada", "use uuid")
    agents = world.root / "state" / "agents"
    (agents / "ada").rename(agents / SECRET)
    found = world.collect()
    assert len(found.skipped) == 1
    assert "hunter2" not in str(found.skipped)
    (agents / SECRET).rename(agents / "ada")
    events = agents / "ada" / "events.jsonl"
    events.write_text(events.read_text().replace('"at":"2026', f'"at":"{SECRET} 2026'))
    world.collect()
    assert len(world.rows()) == 1
    assert "hunter2" not in all_text(world.root / "state" / "harvest")


def test_H_25_the_id_is_the_digest_of_what_makes_it_one(world: World) -> None:
    world.say("ada", "ключи — uuid")
    world.collect()
    (row,) = world.rows()
    text = json.dumps(
        [row.project_key, row.role, row.incarnation, row.event_seq, row.note], ensure_ascii=False
    )
    assert row.id == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_H_26_a_new_life_and_the_same_second_make_other_ids(world: World) -> None:
    world.say("ada", "use uuid", "use uuid")
    world.collect()
    world.registry.act("ada", Act.ARCHIVE)
    world.agent("ada")
    world.registry.act("ada", Act.REVISE, "use uuid")
    world.collect()
    rows = world.rows()
    assert len(rows) == len({row.id for row in rows}) == 3
    assert sorted(row.event_seq for row in rows) == [2, 2, 3]


def test_H_27_the_id_tells_nothing_of_a_secret(world: World) -> None:
    world.say("ada", f"never write {SECRET}")
    world.collect()
    (row,) = world.rows()
    assert "hunter2" not in row.note
    assert row.id == correction_id(world.key, row.incarnation, row.event_seq, row.note)
    assert row.id != correction_id(world.key, row.incarnation, row.event_seq, f"never write {SECRET}")


def test_H_28_parts_of_an_id_are_not_only_joined(world: World) -> None:
    key = world.key
    assert correction_id(key, "a", 1, "2 b") != correction_id(key, "a", 12, " b")
    assert correction_id(key, "a|1", 1, "b") != correction_id(key, "a", 1, "1|b")


# ---- D. collect


def test_H_29_three_agents_three_rows_and_nothing_the_second_time(world: World) -> None:
    for name in ("ada", "bob", "eve"):
        world.say(name, "use uuid")
    assert world.collect().new == {world.key: 3}
    before = (world.place / "ledger.jsonl").read_bytes()
    assert world.collect().new == {}
    assert (world.place / "ledger.jsonl").read_bytes() == before


def test_H_30_who_collects_at_once_does_not_double(world: World) -> None:
    for name in ("ada", "bob", "eve"):
        world.say(name, "use uuid", "no tabs")
    threads = [threading.Thread(target=collect, args=(world.state,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(world.rows()) == 6
    assert (world.place / ".lock").exists()


def test_a_ledger_that_cannot_be_written_keeps_no_other_from_it(world: World, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    world.say("ada", "use uuid")
    world.agent("bob", project=tmp_path / "other")
    world.say("bob", "use uuid")
    keys = sorted((world.key.project, project_key(str(tmp_path / "other"))))
    (world.root / "state" / "harvest" / keys[0]).mkdir(parents=True)
    (world.root / "state" / "harvest" / keys[0] / "developer").write_text("in the way")
    with pytest.raises(StateError):
        world.collect()
    assert (world.root / "state" / "harvest" / keys[1] / "developer" / "ledger.jsonl").exists()


def test_H_31_a_broken_line_is_passed_over(world: World) -> None:
    world.say("ada", "first", "second")
    events = world.root / "state" / "agents" / "ada" / "events.jsonl"
    first, *rest = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(first + b"\xff not json\n" + b"".join(rest) + b'{"seq":9,"at":"20')
    world.collect()
    assert notes(world.rows()) == ["first", "second"]


def test_H_32_rows_are_whole_and_synced_whatever_a_write_takes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.say("ada", "use uuid")
    write = os.write
    monkeypatch.setattr(durable.os, "write", lambda handle, data: write(handle, bytes(data[:7])))
    world.collect()
    assert notes(world.rows()) == ["use uuid"]
    monkeypatch.undo()
    world.say("bob", "use uuid too")
    with on(Disk()) as seen:
        world.collect()
    ledger = str(world.place / "ledger.jsonl")
    written = next(n for n, op in enumerate(seen.ops) if (op.kind, op.path) == ("write", ledger))
    after = [(op.kind, op.path) for op in seen.ops[written + 1 : written + 3]]
    assert after == [("sync", ledger), ("sync", str(world.place))]
