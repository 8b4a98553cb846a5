"""`ringwall harvest` as a person uses it, from a note to the canon and back."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agents.conftest import Program
from harvest.world import Scripted, World
from ringwall.harvest.digest import markdown
from ringwall.harvest.model import Status
from ringwall.harvest.ranking import overview

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """The engine that is chosen."""
    made = Scripted({"uuid": "Use UUIDs."})
    monkeypatch.setattr("ringwall.harvest.grouping.engines.engine_named", lambda *_: made)
    return made


def told(ringwall: Program, *arguments: str) -> object:
    done = ringwall("harvest", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_from_a_note_to_the_canon(world: World, ringwall: Program, engine: Scripted) -> None:
    assert "Nothing was harvested" in ringwall("harvest", "status").stdout
    world.say("ada", "use uuid")
    world.say("bob", "uuid please, token=abcdef123456")
    assert told(ringwall, "collect") == {"new": {str(world.key): 2}, "skipped": []}
    (proposed,) = told(ringwall, "propose")
    (made,) = proposed["new"]
    digest = ringwall("harvest", "digest").stdout
    assert "uuid please, ***" in digest or "token=***" in digest
    assert "abcdef123456" not in digest
    key, short = made["key"], made["candidate"][:12]
    assert ringwall("harvest", "approve", key, short).returncode == 2, "there is no canon yet"
    assert told(ringwall, "init", "--project", str(world.project))["made"] is True
    assert told(ringwall, "init", "--project", str(world.project))["made"] is False
    assert ringwall("harvest", "approve", key, short).returncode == 0
    assert "Use UUIDs." in world.briefs()[0].read_text()
    assert ringwall("harvest", "mark-applied", key, short).returncode == 0
    status = ringwall("harvest", "status").stdout
    assert "0 waiting, 1 decided" in status
    assert "not said again since" in status
    assert engine.asked[0].minimum == 2


def test_the_json_of_the_status_has_evidence_and_weeks(
    world: World, ringwall: Program, engine: Scripted
) -> None:
    world.candidate()
    (ledger,) = told(ringwall, "status")
    assert (ledger["corrections"], ledger["free"], ledger["decided"]) == (2, 0, 0)
    (one,) = ledger["candidates"]
    assert (one["agents"], one["status"], one["whole"]) == (2, "proposed", True)
    assert {each["note"] for each in one["evidence"]} == {"ids are uuid here", "no numbers, uuid please"}
    assert sum(week["collected"] for week in ledger["weeks"]) == 2


def test_an_agents_own_session_may_look_and_not_decide(
    world: World, ringwall: Program, engine: Scripted
) -> None:
    made = world.candidate()
    world.canon()
    key = str(world.key)
    for arguments in (("approve", key, made.id), ("dismiss", key, made.id, "--reason", "x"),
                      ("reject", key, made.id, "--reason", "x"), ("mark-applied", key, made.id),
                      ("collect",), ("propose",), ("init",), ("digest", "--write"),
                      ("move", "/a", "/b")):  # fmt: skip
        done = ringwall("harvest", *arguments, CLAUDECODE="1")
        assert (done.returncode, "in_a_session" in done.stderr) == (2, True), arguments
    assert ringwall("harvest", "digest", CLAUDECODE="1").returncode == 0
    assert world.standings()[made.id].status is Status.PROPOSED


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("ringwall harvest approve x y", "deny"),
        ("ringwall agents accept ada", "deny"),
        ("echo x >> $RINGWALL_HOME/harvest/ledger.jsonl", "deny"),
        ("echo x >> .claude/canon.yaml", "ask"),
        ("rm toolkit-log/upstream-pending/a.md", "ask"),
        ("cat .claude/canon.yaml", "allow"),
    ],
)
def test_an_agents_hands_are_kept_off_what_people_decide(
    ringwall: Program, command: str, verdict: str
) -> None:
    assert json.loads(ringwall("check", command, "--json").stdout)["verdict"] == verdict


def test_a_refused_answer_of_one_ledger_does_not_hide_the_others(
    world: World, ringwall: Program, engine: Scripted, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    for name in ("ada", "bob"):
        world.say(name, "uuid and tabs")
        world.agent(f"{name}-too", project=tmp_path / "other")
        world.say(f"{name}-too", "uuid here")
    world.collect()
    engine.essences["tabs"] = "Spaces."
    done = ringwall("harvest", "propose", "--json")
    assert done.returncode == 1
    assert "harvest.answer.overlap" in done.stderr
    assert len(json.loads(done.stdout)[0]["new"]) == 1
    assert ringwall("harvest", "propose", str(world.key)).returncode == 1


def test_the_digest_is_written_into_the_project(world: World, ringwall: Program, tmp_path: Path) -> None:
    world.candidate()
    assert ringwall("harvest", "digest", "--write").returncode == 0
    written = world.project / "toolkit-log" / "harvest-digest.md"
    assert "Use UUIDs for ids." in written.read_text()
    written.unlink()
    written.symlink_to(tmp_path / "outside")
    assert ringwall("harvest", "digest", "--write").returncode != 0
    assert not (tmp_path / "outside").exists()


def test_a_project_that_moves_takes_its_ledgers_along(
    world: World, ringwall: Program, tmp_path: Path
) -> None:
    made = world.candidate()
    world.canon()
    world.desk.approve(world.key, made.id)
    old, new = world.project, tmp_path / "new"
    old.rename(new)
    assert "not there any more" in ringwall("harvest", "status").stdout
    before = str(world.root / "shop")
    assert ringwall("harvest", "move", before, str(new)).returncode == 0
    assert ringwall("harvest", "move", before, str(new)).returncode == 0, "said again"
    (ledger,) = told(ringwall, "status")
    assert ledger["there"] is True
    world.registry.create("eve", "developer", before)
    world.say("eve", "uuid, still")
    assert told(ringwall, "collect")["new"] == {ledger["key"]: 1}, (
        "an agent of the old path, and nothing twice"
    )
    assert ringwall("harvest", "reject", ledger["key"], made.id, "--reason", "x").returncode == 0
    assert list((new / "toolkit-log" / "upstream-pending").iterdir()) == []
    assert ringwall("harvest", "move", "/nowhere", str(new)).returncode == 2
    moved = json.loads(ringwall("log", "show", "--type", "harvest.moved", "--json").stdout)
    assert moved["body"]["by"].startswith("person:")


def test_a_project_that_comes_back_is_found_again(world: World, ringwall: Program, tmp_path: Path) -> None:
    world.candidate()
    here, there = str(world.project), str(tmp_path / "there")
    (tmp_path / "there").mkdir()
    for old, new in ((here, there), (there, here), (here, there), (there, here)):
        assert ringwall("harvest", "move", old, new).returncode == 0
        world.say("ada", "one more uuid")
        (count,) = told(ringwall, "collect")["new"].values()
        assert count == 1
    (tmp_path / "third").mkdir()
    assert ringwall("harvest", "move", str(tmp_path / "third"), there).returncode == 2
    (ledger,) = told(ringwall, "status")
    assert (ledger["key"], ledger["corrections"]) == (str(world.key), 6)


def test_a_ledger_is_never_merged_into_another(world: World, ringwall: Program, tmp_path: Path) -> None:
    world.candidate()
    (tmp_path / "new").mkdir()
    world.agent("eve", project=tmp_path / "new")
    world.say("eve", "uuid")
    world.collect()
    done = ringwall("harvest", "move", str(world.project), str(tmp_path / "new"))
    assert (done.returncode, "already" in done.stderr) == (2, True)
    assert len(world.rows()) == 2


def test_candidates_rank_by_agents_and_age(world: World) -> None:
    first = world.candidate()
    for name in ("ada", "bob", "eve"):
        world.say(name, "no tabs please")
    world.collect()
    (second,) = world.propose(Scripted({"tabs": "Spaces."})).new
    found = overview(world.state, world.key, NOW)
    assert [one.standing.candidate.id for one in found.candidates] == [second.id, first.id]
    later = overview(world.state, world.key, NOW + timedelta(days=28))
    assert later.candidates[0].weight == pytest.approx(3 / 4, rel=0.01)
    stale = overview(world.state, world.key, NOW + timedelta(days=45))
    assert all(one.stale for one in stale.candidates)
    text = markdown([stale], frozenset({Status.PROPOSED}), str)
    assert "45 days ago, stale" in text or "44 days ago, stale" in text


def test_a_lost_correction_is_seen_and_keeps_from_deciding(world: World, ringwall: Program) -> None:
    made = world.candidate()
    world.canon()
    ledger = world.place / "ledger.jsonl"
    ledger.write_text(ledger.read_text().replace("no numbers", "all numbers"))
    assert not overview(world.state, world.key, NOW).candidates[0].complete
    assert "not whole" in ringwall("harvest", "digest").stdout
    assert ringwall("harvest", "approve", str(world.key), made.id).returncode == 3
    assert world.collect().new == {world.key: 1}, "it is read from its event again"
    assert ringwall("harvest", "approve", str(world.key), made.id).returncode == 0


def test_what_was_rejected_comes_together_with_what_is_new(world: World) -> None:
    made = world.candidate()
    world.canon()
    world.desk.reject(world.key, made.id, "too narrow")
    world.say("eve", "uuid for orders")
    world.collect()
    (again,) = world.propose(Scripted({"uuid": "Ids of all rows are UUIDs."})).new
    assert len(again.correction_ids) == 3
    assert set(made.correction_ids) < set(again.correction_ids)


def test_everything_that_is_exported_is_masked(world: World) -> None:
    secret = "token=hunter2hunter2"
    world.say("ada", f"uuid, never {secret}")
    world.say("bob", f"uuid: {secret}")
    world.collect()
    (made,) = world.propose(Scripted({"uuid": f"Use {secret}", "x": secret})).new
    world.canon()
    world.desk.approve(world.key, made.id)
    world.desk.reject(world.key, made.id, f"because {secret}")
    text = markdown([overview(world.state, world.key, NOW)], frozenset(Status), str)
    files = [
        path for top in ("harvest",) for path in (world.root / "state" / top).rglob("*") if path.is_file()
    ]
    for content in (text, *(path.read_text() for path in files)):
        assert "hunter2" not in content


def test_a_known_question_asks_nobody(world: World) -> None:
    world.say("ada", "uuid")
    world.say("bob", "uuid")
    world.say("eve", "tests first")
    world.collect()
    engine = Scripted({"uuid": "Use UUIDs.", "tests": "Test."})
    assert len(world.propose(engine).new) == 1
    assert world.propose(engine).new == ()
    assert len(engine.asked) == 1
    world.say("bob", "tests first!")
    world.collect()
    assert len(world.propose(engine).new) == 1
    assert len(engine.asked) == 2


def test_a_person_says_it_in_their_own_words(world: World, ringwall: Program) -> None:
    made = world.candidate()
    world.canon()
    key = str(world.key)
    row = told(ringwall, "reword", key, made.id, "--essence", "Ids of rows are  UUIDs; token=hunter2hunter2")
    assert row["essence"].startswith("Ids of rows are UUIDs")
    assert "hunter2" not in row["essence"]
    assert (row["why"], row["correction_ids"]) == (made.why, list(made.correction_ids))
    assert (
        told(ringwall, "reword", key, made.id, "--essence", row["essence"])["candidate"] == row["candidate"]
    )
    assert world.standings()[made.id].status is Status.REWORDED
    refused = (
        ("approve", key, made.id),
        ("reword", key, made.id, "--essence", "Other words."),
        ("reword", key, row["candidate"]),
        ("reword", key, row["candidate"], "--essence", "x" * 501),
    )
    for arguments in refused:
        assert ringwall("harvest", *arguments).returncode == 2, arguments
    assert ringwall("harvest", "approve", key, row["candidate"]).returncode == 0
    (brief,) = world.briefs()
    assert "Ids of rows are UUIDs" in brief.read_text()
    assert world.propose(Scripted({"uuid": "Again."})).free == 0
    assert ringwall("harvest", "reject", key, row["candidate"], "--reason", "no").returncode == 0
    assert len(world.propose(Scripted({"uuid": "Again."})).new) == 1


def test_an_answer_that_was_poor_can_be_asked_for_again(
    world: World, ringwall: Program, engine: Scripted
) -> None:
    world.say("ada", "tabs")
    world.say("bob", "tabs")
    world.collect()
    told(ringwall, "propose")
    engine.essences["tabs"] = "Spaces."
    assert told(ringwall, "propose") == [{"key": str(world.key), "new": [], "dropped": [], "free": 2}]
    (again,) = told(ringwall, "propose", "--again")
    assert [each["essence"] for each in again["new"]] == ["Spaces."]
