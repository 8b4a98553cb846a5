"""The harvest, one test per requirement: what counts, what is shown, and the life of a candidate."""

from __future__ import annotations

import hashlib
import json
import os

import pytest

from harvest.conftest import Program, project, ringwall
from harvest.crash.disk import BROKEN, Disk, on
from harvest.world import Scripted, World
from ringwall.harvest import canon
from ringwall.harvest.decide import Words
from ringwall.harvest.digest import markdown
from ringwall.harvest.lifecycle import COVERING, MOVES, covered
from ringwall.harvest.model import Candidate, Status, candidate_id
from ringwall.harvest.ranking import overview
from ringwall.harvest.shelf import shelf
from ringwall.harvest.validate import AnswerError, check
from ringwall.model.errors import RingwallError, StateError, UsageError

from .harvesting import DOCS, LATER, UUID, say, state, world

__all__ = ["project", "ringwall", "state", "world"]


# ---- G. what counts of an answer


def test_H_46_only_what_was_submitted_counts(world: World) -> None:
    world.candidate()
    rows = {row.id: row for row in world.rows()}
    answer = {"clusters": [{"correction_ids": [*rows, "f" * 16], "essence": "x"}]}
    assert check(json.dumps(answer).encode(), rows).clusters == ()
    assert check(b'{"clusters": [{"correction_ids": [], "essence": "x"}]}', rows).clusters == ()


def test_H_47_an_id_in_two_clusters_refuses_all_of_them(world: World) -> None:
    for name in ("ada", "bob", "eve"):
        world.say(name, "uuid and tabs")
    world.collect()
    with pytest.raises(AnswerError):
        world.propose(Scripted({"uuid": "One.", "tabs": "Two."}))
    assert world.standings() == {}


def test_H_48_it_takes_two_and_the_ledger_says_who(world: World) -> None:
    world.say("ada", "uuid once", "uuid twice")
    world.collect()
    assert [each.code for each in world.propose(Scripted(UUID)).dropped] == ["alone"]
    world.say("bob", "uuid as well")
    world.collect()
    assert [each.code for each in world.propose(Scripted(UUID), minimum=4).dropped] == []
    assert len(world.propose(Scripted(UUID), minimum=3).new) == 1


def test_H_48_the_minimum_is_an_environment_variable(world: World, ringwall: Program) -> None:
    told = ringwall("harvest", "propose", RINGWALL_HARVEST_MIN_CLUSTER="1")
    assert (told.returncode, "harvest.minimum" in told.stderr) == (2, True)
    assert "RINGWALL_HARVEST_MIN_CLUSTER" in ringwall("harvest", "propose", "--help").stdout


def test_H_49_what_is_covered_is_not_proposed_again(world: World) -> None:
    made = world.candidate()
    rows = {row.id: row for row in world.rows()}
    answer = {"clusters": [{"correction_ids": list(rows), "essence": "Other words."}]}
    checked = check(json.dumps(answer).encode(), rows, covered(world.standings()))
    assert [each.code for each in checked.dropped] == ["covered"]
    assert set(made.correction_ids) == set(rows)


def test_H_50_a_field_that_is_too_long_is_refused_and_not_cut(world: World) -> None:
    world.say("ada", "uuid")
    world.say("bob", "uuid")
    world.collect()
    found = world.propose(Scripted({"uuid": "x" * 501}))
    assert (found.new, [each.code for each in found.dropped]) == ((), ["field"])


def test_H_51_it_is_not_claimed_that_a_cluster_is_honest() -> None:
    assert "is not claimed" in DOCS.read_text()


# ---- H. the digest


def test_H_52_all_that_was_said_stands_beside_the_candidate(world: World) -> None:
    long = "uuid " + "please " * 400
    world.say("ada", long.strip())
    world.candidate()
    text = markdown([overview(world.state, world.key, LATER)], frozenset(Status), say)
    for row in world.rows():
        assert row.note in text.replace("\n  > ", "\n")
        assert row.agent in text
        assert row.event_at[:10] in text


# ---- I. candidates


def test_H_53_the_id_holds_the_content(world: World) -> None:
    made = world.candidate()
    text = json.dumps([sorted(made.correction_ids), made.essence, made.why, made.how_to_apply])
    assert made.id == hashlib.sha256(text.encode()).hexdigest()


def test_H_54_other_words_are_another_candidate_and_the_old_one_exports_its_own(world: World) -> None:
    made = world.candidate()
    other = candidate_id(made.correction_ids, "Other words.", made.why, made.how_to_apply)
    assert other != made.id
    again = Candidate(
        other, made.project_key, made.role, made.correction_ids, "Other words.", made.why, made.how_to_apply,
        made.engine, made.at,
    )  # fmt: skip
    with shelf(world.state, world.key) as opened:
        opened.emit([again])
    world.canon()
    world.desk.approve(world.key, made.id)
    (written,) = world.briefs()
    assert "Use UUIDs for ids." in written.read_text()
    assert "Other words." not in written.read_text()


def test_H_55_a_candidate_never_changes_and_comes_once(world: World) -> None:
    made = world.candidate()
    world.canon()
    world.desk.reject(world.key, made.id, "there is one")
    before = (world.place / "emitted.jsonl").read_bytes()
    assert world.propose(Scripted(UUID)).new == ()
    assert (world.place / "emitted.jsonl").read_bytes() == before
    with shelf(world.state, world.key) as opened:
        changed = Candidate(
            made.id, made.project_key, made.role, made.correction_ids, "Forged.", "", "", "x", made.at
        )
        opened.emit([changed])
    assert world.standings()[made.id].candidate == made


def test_H_56_the_states_and_the_ways_between_them(world: World) -> None:
    made = world.candidate()
    world.canon()
    assert world.desk.approve(world.key, made.id).status is Status.PENDING
    assert world.desk.mark_applied(world.key, made.id).status is Status.APPLIED
    for refused in (
        lambda: world.desk.approve(world.key, made.id),
        lambda: world.desk.dismiss(world.key, made.id, "late"),
        lambda: world.desk.reject(world.key, made.id, "late"),
    ):
        with pytest.raises(UsageError):
            refused()
    assert world.standings()[made.id].status is Status.APPLIED
    assert MOVES[Status.APPLIED] == MOVES[Status.DISMISSED] == MOVES[Status.REJECTED] == frozenset()


@pytest.mark.parametrize("status", list(Status))
def test_H_57_one_predicate_says_what_is_covered(world: World, status: Status) -> None:
    made = world.candidate()
    world.canon()
    _bring(world, made, status)
    free = status is Status.REJECTED
    if status is Status.REWORDED:  # another candidate covers the same
        assert len([one for one in world.standings().values() if one.status in COVERING]) == 1
    assert (covered(world.standings()) == frozenset()) is free
    engine = Scripted({"uuid": "Said in other words."})
    assert bool(world.propose(engine).new) is free
    assert (status in COVERING) is (status not in (Status.REJECTED, Status.REWORDED))


def _bring(world: World, made: Candidate, status: Status) -> None:
    if status in (Status.PENDING, Status.APPLIED):
        world.desk.approve(world.key, made.id)
    if status is Status.APPLIED:
        world.desk.mark_applied(world.key, made.id)
    if status is Status.DISMISSED:
        world.desk.dismiss(world.key, made.id, "no")
    if status is Status.REJECTED:
        world.desk.reject(world.key, made.id, "no")
    if status is Status.REWORDED:
        world.desk.reword(world.key, made.id, Words("In my words."))


def test_H_58_a_person_applies_and_gives_a_reason_for_a_no(world: World, ringwall: Program) -> None:
    made = world.candidate()
    key = str(world.key)
    assert ringwall("harvest", "mark-applied", key, made.id).returncode == 2
    assert ringwall("harvest", "dismiss", key, made.id).returncode == 2
    assert ringwall("harvest", "dismiss", key, made.id, "--reason", "too small").returncode == 0
    last = world.standings()[made.id].last
    assert last is not None
    assert last.reason == "too small"


def test_H_59_a_rejected_one_is_cleaned_before_its_corrections_are_free(world: World) -> None:
    made = world.candidate()
    world.canon()
    world.desk.approve(world.key, made.id)
    assert world.desk.reject(world.key, made.id, "the canon has one").status is Status.REJECTED
    assert world.briefs() == []
    assert canon.pending(world.state, str(world.project)) == []
    assert covered(world.standings()) == frozenset()


def test_H_60_a_broken_canon_keeps_the_status_and_mending_heals(world: World) -> None:
    made = world.candidate()
    path = world.canon()
    world.desk.approve(world.key, made.id)
    good = path.read_text()
    path.write_text("upstream_pending: [")
    with pytest.raises(StateError):
        world.desk.reject(world.key, made.id, "no")
    assert world.standings()[made.id].status is Status.PENDING
    assert path.read_text() == "upstream_pending: ["
    path.write_text(good)
    assert world.desk.reject(world.key, made.id, "no").status is Status.REJECTED
    assert world.briefs() == []


def test_H_61_no_canon_or_a_sync_that_fails_keeps_the_status(world: World) -> None:
    made = world.candidate()
    path = world.canon()
    world.desk.approve(world.key, made.id)
    good = path.read_text()
    path.unlink()
    with pytest.raises(UsageError):
        world.desk.reject(world.key, made.id, "no")
    assert world.standings()[made.id].status is Status.PENDING
    path.write_text(good)
    pending = str(world.project / "toolkit-log" / "upstream-pending")
    with on(Failing(pending)), pytest.raises(StateError):
        world.desk.reject(world.key, made.id, "no")
    assert world.standings()[made.id].status is Status.PENDING
    assert world.desk.reject(world.key, made.id, "no").status is Status.REJECTED


class Failing(Disk):
    """The sync of one folder fails."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def fsync(self, handle: int) -> None:
        super().fsync(handle)
        if self.ops and self.ops[-1].path == self.path:
            raise OSError(BROKEN, os.strerror(BROKEN))


def test_H_62_the_folder_is_synced_also_where_the_brief_has_gone(world: World) -> None:
    made = world.candidate()
    world.canon()
    world.desk.approve(world.key, made.id)
    world.briefs()[0].unlink()
    pending = str(world.project / "toolkit-log" / "upstream-pending")
    with on(Disk()) as seen:
        world.desk.reject(world.key, made.id, "no")
    assert ("sync", pending) in [(op.kind, op.path) for op in seen.ops]


def test_H_63_every_correction_ends(world: World) -> None:
    made = world.candidate()
    world.canon()
    world.desk.reject(world.key, made.id, "say it with uuid7")
    engine = Scripted({"uuid": "Use uuid7 for ids."})
    (second,) = world.propose(engine).new
    assert [(each.essence, each.reason) for each in engine.asked[0].rejected] == [
        ("Use UUIDs for ids.", "say it with uuid7")
    ]
    world.desk.dismiss(world.key, second.id, "enough")
    assert world.propose(Scripted({"uuid": "Third."})).free == 0


def test_H_64_a_record_that_is_not_what_its_id_says_is_refused(world: World) -> None:
    made = world.candidate()
    world.canon()
    path = world.place / "emitted.jsonl"
    path.write_text(path.read_text().replace("Use UUIDs for ids.", "Push without asking."))
    for decide in (world.desk.approve, world.desk.mark_applied):
        with pytest.raises(RingwallError):
            decide(world.key, made.id)
    with pytest.raises(StateError):
        world.desk.reject(world.key, made.id, "no")
    assert world.briefs() == []
    path.write_text(path.read_text() + "broken\n")
    with pytest.raises(StateError):
        world.propose(Scripted(UUID))
