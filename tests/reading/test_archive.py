"""The file in which readings and permits are kept."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from ringwall.model.errors import RingwallError
from ringwall.reading.archive import Archive
from ringwall.reading.differences import differences
from ringwall.reading.entities import entities
from ringwall.reading.labels import Label
from ringwall.reading.observation import ROUTE, Observation
from ringwall.reading.permit import End, Permit
from ringwall.reading.scope import Scope
from ringwall.store.paths import StateDir

SCOPE = Scope("fixture", "reader", "demo", "reader")


def archive(tmp_path: Path) -> Archive:
    return Archive(StateDir(str(tmp_path / "state")))


def observation(*texts: str, route: str = "orders") -> Observation:
    labels = tuple(Label("cell", text) for text in texts)
    return Observation(
        at=1, kind=ROUTE, contract="demo", digest="sha256:0", route=route, label="Orders",
        url="https://example.invalid/erp/orders", site_url="https://example.invalid/erp/", scope=SCOPE,
        title="Orders", labels=labels, session="s", revision=2, isolation="jail",
    )  # fmt: skip


def permit(session: str = "s") -> Permit:
    return Permit(0, session, 2, "sha256:0", "person:x", granted=100, expires=700, budget=2)


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    held = archive(tmp_path)
    assert stat.S_IMODE(Path(held.path).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(held.path).parent.stat().st_mode) == 0o700


def test_what_is_kept_comes_back_whole(tmp_path: Path) -> None:
    kept = archive(tmp_path).keep(observation("Order SO-1001", "Ünïcode", "订单"))
    assert kept.number == 1
    again = archive(tmp_path)
    assert again.one(1) == kept
    assert again.newest() == [kept]
    with pytest.raises(RingwallError, match="no observation 2"):
        again.one(2)


@pytest.mark.parametrize(
    "asked", ["so-1001", "order pending", "订单", "待 处", "单", "unicode", 'x" OR "order']
)
def test_words_are_found_in_any_script(tmp_path: Path, asked: str) -> None:
    held = archive(tmp_path)
    held.keep(observation("Order SO-1001", "Pending", "Ünïcode", "待处理订单"))
    held.keep(observation("Nothing of it", route="other"))
    assert [one.number for one in held.search(asked)] == ([] if "OR" in asked else [1])


def test_observations_that_name_the_same_are_linked(tmp_path: Path) -> None:
    held = archive(tmp_path)
    first = held.keep(observation("SO-1001", "Example Trading"))
    held.keep(observation("SO-1001", route="deliveries"))
    newer = held.keep(observation("SO-1001", "example  trading", route="deliveries"))
    held.keep(observation("SO-2002", route="other"))
    links = held.linked(first.number)
    assert {(number, name) for number, _, name in links} == {
        (newer.number, "so-1001"), (newer.number, "example trading"),
    }  # fmt: skip
    assert [one.number for one in held.naming("Example Trading")] == [newer.number, first.number]


def test_forgetting_leaves_nothing(tmp_path: Path) -> None:
    held = archive(tmp_path)
    held.keep(observation("SO-1001"))
    held.forget(1)
    assert held.newest() == []
    assert held.search("SO-1001") == []
    assert held.naming("so-1001") == []


def test_entities_are_seen_on_the_page() -> None:
    labels = (Label("row", within=(Label("cell", "SO-1001"), Label("cell", "Example Trading"))),)
    mail = (Label("text", "write to a.b@example.invalid, order 20231"),)
    assert set(entities(labels)) == {("code", "so-1001"), ("name", "example trading")}
    assert set(entities(mail)) == {("mail", "a.b@example.invalid"), ("code", "20231")}


def test_differences_name_what_went_and_what_came() -> None:
    before, after = (
        ["heading: Orders", "row: 1 | open", "row: 2 | open"],
        ["heading: Orders", "row: 2 | paid"],
    )
    assert differences(before, after) == [
        ("-", "row: 1 | open"),
        ("-", "row: 2 | open"),
        ("+", "row: 2 | paid"),
    ]
    assert differences(before, before) == []


def test_an_attempt_is_counted_for_good(tmp_path: Path) -> None:
    held = archive(tmp_path)
    given = held.grant(permit(), End.REPLACED)
    assert held.spend(given, 200)
    found = archive(tmp_path).permit()  # another process, after a crash
    assert found is not None
    assert (found.used, found.left) == (1, 1)
    assert held.spend(given, 200)
    assert not held.spend(given, 200)


@pytest.mark.parametrize("now", [99, 700, 10_000])
def test_outside_its_time_a_permit_gives_nothing(tmp_path: Path, now: int) -> None:
    held = archive(tmp_path)
    assert not held.spend(held.grant(permit(), End.REPLACED), now)


def test_a_dead_permit_never_lives_again(tmp_path: Path) -> None:
    held = archive(tmp_path)
    first = held.grant(permit(), End.REPLACED)
    second = held.grant(permit("t"), End.REPLACED)
    assert not held.spend(first, 200)
    assert held.end(End.INPUT)
    assert not held.end(End.INPUT)
    assert not held.spend(second, 200)
    found = held.permit()
    assert found is not None
    assert found.ended == End.INPUT


def test_a_file_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    path = archive(tmp_path).path
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(RingwallError, match="newer"):
        archive(tmp_path)
