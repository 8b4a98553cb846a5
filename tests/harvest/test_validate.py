"""What counts of an engine's answer is decided by the corrections that were submitted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ringwall.harvest.model import Correction
from ringwall.harvest.validate import LONGEST_ANSWER, LONGEST_ESSENCE, AnswerError, check


def correction(number: int, agent: str = "", incarnation: str = "") -> Correction:
    return Correction(
        id=f"{number:016x}",
        project_key="0" * 16,
        role="developer",
        agent=agent or f"dev-{number}",
        incarnation=incarnation or f"{number:032x}",
        event="revise",
        event_seq=number,
        event_at="2026-11-30T08:00:00Z",
        note=f"note {number}",
    )


GIVEN = {each.id: each for each in map(correction, range(1, 7))}
ONE, TWO, THREE, FOUR = sorted(GIVEN)[:4]


def answer(*clusters: Any, **more: Any) -> bytes:
    return json.dumps({"clusters": list(clusters), **more}).encode()


def cluster(*ids: str, essence: Any = "Say it once.", **more: Any) -> dict[str, Any]:
    return {"correction_ids": list(ids), "essence": essence, **more}


def test_a_cluster_of_submitted_corrections_counts() -> None:
    found = check(answer(cluster(TWO, ONE, why="It came up.", how_to_apply="Look.")), GIVEN)
    assert found.dropped == ()
    assert found.clusters[0].correction_ids == (ONE, TWO)
    assert found.clusters[0].why == "It came up."


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (cluster(ONE, "f" * 16), "unknown"),
        (cluster(), "ids"),
        ({"essence": "no ids"}, "ids"),
        (cluster(ONE, ONE), "ids"),
        ({"correction_ids": [ONE, 7], "essence": "x"}, "ids"),
        ({"correction_ids": ONE, "essence": "x"}, "ids"),
        ("text", "shape"),
        (cluster(ONE), "alone"),
        (cluster(ONE, TWO, essence=""), "field"),
        (cluster(ONE, TWO, essence=7), "field"),
        (cluster(ONE, TWO, essence="x" * (LONGEST_ESSENCE + 1)), "field"),
        (cluster(ONE, TWO, why="x" * 4001), "field"),
        (cluster(ONE, TWO, how_to_apply=["x"]), "field"),
        (cluster(ONE, TWO, essence="\ud800"), "field"),
    ],
)
def test_a_cluster_with_a_fault_is_dropped_and_the_others_stay(row: Any, code: str) -> None:
    found = check(answer(row, cluster(THREE, FOUR)), GIVEN)
    assert [each.code for each in found.dropped] == [code]
    assert [each.correction_ids for each in found.clusters] == [(THREE, FOUR)]


def test_what_a_candidate_covers_is_not_proposed_again() -> None:
    found = check(answer(cluster(ONE, TWO)), GIVEN, covered={TWO})
    assert [each.code for each in found.dropped] == ["covered"]


def test_two_lives_of_one_agent_are_two_and_two_notes_of_one_life_are_one() -> None:
    lives = {e.id: e for e in (correction(1, "dev", "a" * 32), correction(2, "dev", "b" * 32))}
    same = {e.id: e for e in (correction(1, "dev", "a" * 32), correction(2, "dev", "a" * 32))}
    assert check(answer(cluster(*lives)), lives).clusters
    assert [each.code for each in check(answer(cluster(*same)), same).dropped] == ["alone"]


def test_the_minimum_is_the_callers() -> None:
    assert check(answer(cluster(ONE, TWO)), GIVEN, minimum=3).dropped[0].code == "alone"
    assert check(answer(cluster(ONE, TWO, THREE)), GIVEN, minimum=3).clusters


@pytest.mark.parametrize(
    ("whole", "code"),
    [
        (answer(cluster(ONE, TWO), cluster(TWO, THREE)), "overlap"),
        (answer(cluster(ONE, TWO), cluster("f" * 16, ONE)), "overlap"),
        (b"", "not_json"),
        (b"[]", "not_clusters"),
        (b'{"clusters": {}}', "not_clusters"),
        (b'{"clusters": []} {"clusters": []}', "not_json"),
        (b"```json\n{}\n```", "not_json"),
        (b'{"clusters": [], "clusters": []}', "not_json"),
        (b'{"clusters": [], "n": NaN}', "not_json"),
        (b'{"clusters": "' + b"x" * LONGEST_ANSWER + b'"}', "too_long"),
        (b"\xff", "not_json"),
        (b"[" * 100_000, "not_json"),
        (answer(*[cluster()] * 501), "too_many"),
    ],
)
def test_an_answer_that_is_not_what_was_asked_for_is_refused_whole(whole: bytes, code: str) -> None:
    with pytest.raises(AnswerError) as refusal:
        check(whole, GIVEN)
    assert refusal.value.code == f"harvest.answer.{code}"


def test_other_words_of_an_answer_change_nothing() -> None:
    found = check(answer(cluster(ONE, TWO, status="applied", merge="all"), status="applied"), GIVEN)
    assert [each.correction_ids for each in found.clusters] == [(ONE, TWO)]
