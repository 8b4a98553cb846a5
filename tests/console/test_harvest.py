"""The harvest and the agents as a browser without scripts sees them, and what their forms do."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harvest.world import Scripted
from ringwall.agents.model import Act, State
from ringwall.agents.registry import Registry
from ringwall.harvest import canon
from ringwall.harvest.collect import collect
from ringwall.harvest.key import project_key
from ringwall.harvest.model import Key, Status
from ringwall.harvest.propose import propose
from ringwall.harvest.shelf import shelf
from ringwall.journal.read import Filter, read

from .world import Browser, World

NOTE = "uuid \u202ehere\u200b, not <b>numbers</b> " + "x" * 3000


class Field:
    """Two agents who were told the same things."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.registry = Registry(world.state)
        self.key = Key(project_key(str(world.project)), "developer")
        for name in ("ada", "bob"):
            self.registry.create(name, "developer", str(world.project))
            for word in ("uuid", "tabs", "tests", "names"):
                note = NOTE.replace("uuid", word) if name == "ada" else f"{word} please"
                self.registry.act(name, Act.REVISE, note, "person:mira")
        collect(world.state)
        words = {word: f"About {word}." for word in ("uuid", "tabs", "tests", "names")}
        made = propose(world.state, self.key, Scripted(words), time.time_ns).new
        self.ids = {each.essence.split()[1].rstrip("."): each.id for each in made}
        canon.begin(world.state, str(world.project))

    def path(self, word: str, act: str = "") -> str:
        return f"/harvest/{self.key}/{self.ids[word]}" + (f"/{act}" if act else "")

    def status(self, word: str) -> Status:
        with shelf(self.world.state, self.key) as opened:
            return opened.standings()[self.ids[word]].status

    def decide(self, browser: Browser, word: str, act: str, **fields: str) -> int:
        page = browser.get(self.path(word))
        path = self.path(word, act)
        return browser.post(path, {"nonce": page.nonce(path), **fields}).status


@pytest.fixture(scope="module")
def field(world: World) -> Iterator[Field]:
    yield Field(world)


def test_a_candidate_stands_beside_all_that_was_said(field: Field, browser: Browser) -> None:
    page = browser.get("/harvest")
    assert page.status == 200
    assert "About uuid." in page.words and "uuid please" in page.words
    assert "x" * 3000 in page.text, "whole"
    assert "\u202e" not in page.text and "<b>numbers" not in page.text
    assert "2 agents, 2 lives, 2 corrections" in page.words
    assert re.search(r"Harvest\s*<span class=\"count\">", page.text), "how many wait stands in the menu"


def test_a_word_is_given_on_exactly_what_was_shown(field: Field, browser: Browser) -> None:
    assert field.decide(browser, "uuid", "approve") == 303
    assert field.status("uuid") is Status.PENDING
    assert field.ids["uuid"] in (field.world.project / ".claude" / "canon.yaml").read_text()
    assert field.decide(browser, "uuid", "apply") == 303
    assert field.status("uuid") is Status.APPLIED
    assert "not said again" in browser.get("/harvest").words


def test_a_no_takes_a_reason(field: Field, browser: Browser) -> None:
    assert field.decide(browser, "tabs", "dismiss", reason=" ") == 400
    assert field.status("tabs") is Status.PROPOSED
    assert field.decide(browser, "tabs", "dismiss", reason="a matter of taste") == 303
    assert field.status("tabs") is Status.DISMISSED
    assert "a matter of taste" in browser.get("/harvest").words
    assert field.decide(browser, "tests", "reject", reason="the canon has one") == 303
    assert field.status("tests") is Status.REJECTED


def test_without_its_nonce_nothing_is_decided(field: Field, browser: Browser) -> None:
    other = browser.get(field.path("names")).nonce(field.path("names", "approve"))
    for fields in ({}, {"nonce": "x"}, {"nonce": other}):
        path = field.path("names", "dismiss" if fields.get("nonce") == other else "approve")
        assert browser.post(path, {**fields, "reason": "x"}).status == 409
    assert field.status("names") is Status.PROPOSED


def test_a_path_that_names_nothing_is_told(field: Field, browser: Browser) -> None:
    for path in (
        f"/harvest/{field.key}/{'f' * 64}",
        f"/harvest/{'f' * 16}/developer/{'f' * 64}",
        "/harvest/x/y/z",
    ):
        assert browser.get(path).status in (400, 404), path


def test_the_words_reach_the_journal_with_who_gave_them(field: Field, browser: Browser) -> None:
    if field.status("uuid") is Status.PROPOSED:
        field.decide(browser, "uuid", "approve")
    if field.status("tabs") is Status.PROPOSED:
        field.decide(browser, "tabs", "dismiss", reason="a matter of taste")
    with field.world.desk.store.reading() as connection:
        told = [record.content() for record in read(connection, Filter(type="harvest.decided"))]
    assert {each["status"] for each in told} >= {"pending-upstream", "dismissed"}
    assert all(each["by"].endswith("in a browser") for each in told)


def test_an_agent_is_told_in_a_browser_too(field: Field, browser: Browser) -> None:
    assert "ada" in browser.get("/agents").words
    page = browser.get("/agents/ada")
    assert "Send back to work" in page.words
    path = "/agents/ada/revise"
    assert browser.post(path, {"nonce": page.nonce(path), "words": " "}).status == 400
    page = browser.get("/agents/ada")
    assert browser.post(path, {"nonce": page.nonce(path), "words": "read it twice"}).status == 303
    assert field.registry.events("ada")[-1].detail["note"] == "read it twice"
    page = browser.get("/agents/ada")
    assert "read it twice" in page.words
    assert browser.post("/agents/ada/accept", {"nonce": page.nonce("/agents/ada/accept")}).status == 303
    assert field.registry.agent("ada").control.state is State.ACCEPTED
    assert browser.get("/agents/nobody").status in (400, 404)


def test_the_picture_shows_weeks(world: World, browser: Browser, field: Field) -> None:
    path = Path(world.state.path) / "agents" / "bob" / "events.jsonl"
    days = [datetime.now(UTC) - timedelta(days=7 * back) for back in (3, 2)]
    rows = [
        {
            "seq": 90 + place,
            "at": day.isoformat(),
            "type": "revise",
            "actor": "operator",
            "detail": {"note": "old"},
        }
        for place, day in enumerate(days)
    ]
    path.write_text(path.read_text() + "".join(json.dumps(row) + "\n" for row in rows))
    collect(world.state)
    page = browser.get("/harvest")
    monday = (days[0] - timedelta(days=days[0].weekday())).date()
    assert page.text.count('<rect class="collected"') == 4, "the empty week too"
    assert f"<title>{monday}: 1 collected, 0 covered, 0 said again</title>" in page.text
    assert "style=" not in page.text and "<script" not in page.text.split("<main")[1]
