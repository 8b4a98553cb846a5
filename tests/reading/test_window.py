"""The login window: what changes it is noticed at once, and nothing that a page does passes for a person."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reading import needs
from reading.erp import contract
from reading.world import Office, an_office
from ringwall.model.errors import RingwallError
from ringwall.reading import protocol
from ringwall.reading.contract import Request
from ringwall.reading.record import Noticed, draft
from ringwall.reading.scope import Scope

SCOPE = Scope("fixture", "reader", "demo", "reader")
SITE = "https://example.invalid/erp/"

browser = [needs.browser, needs.display, pytest.mark.xdist_group("reading")]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with an_office(Path(tmp_path_factory.mktemp("office"))) as made:
        made.erp.page("frame", "<body style='margin: 0'><input id=f>")
        made.configure(contract(made.erp, "orders"))
        made.ask(protocol.Open())
        settled(made)
        yield made


def settled(office: Office) -> int:
    """The revision once the page's own navigations have been told of."""
    seen = -1
    while (now := int(office.status()["revision"])) != seen:
        seen = now
        time.sleep(0.45)
    return seen


def after(office: Office, act: Any) -> int:
    """How much the revision has grown by an act."""
    before = settled(office)
    office.loop.run(act)
    return settled(office) - before


def mark(test: Any) -> Any:
    for one in browser:
        test = one(test)
    return test


@mark
def test_input_counts_and_looking_does_not(office: Office) -> None:
    page = office.page
    assert after(office, page.mouse.move(20, 20)) == 0
    assert after(office, page.mouse.wheel(0, 40)) == 0
    assert after(office, page.mouse.click(30, 200)) > 0
    assert after(office, page.keyboard.press("Shift")) > 0


@mark
def test_what_a_script_makes_up_is_no_persons_input(office: Office) -> None:
    code = (
        "document.body.click(); for (const kind of ['keydown', 'pointerdown', 'paste'])"
        " document.body.dispatchEvent(new Event(kind, {bubbles: true}))"
    )
    assert after(office, office.page.evaluate(code)) == 0
    assert office.loop.run(office.page.evaluate("typeof ringwallInput")) == "undefined"


@mark
def test_a_page_cannot_hide_a_persons_input(office: Office) -> None:
    code = (
        "for (const kind of ['keydown', 'pointerdown', 'mousedown']) window.addEventListener(kind,"
        " event => event.stopImmediatePropagation(), true);"
        "EventTarget.prototype.addEventListener = () => 0; window.onkeydown = () => false"
    )
    office.loop.run(office.page.evaluate(code))
    assert after(office, office.page.keyboard.press("a")) > 0


@mark
def test_navigation_and_new_pages_count(office: Office) -> None:
    page = office.page
    assert after(office, page.evaluate("history.pushState(0, '', '?p')")) > 0
    assert after(office, page.evaluate("location.hash = 'h'")) > 0
    assert after(office, page.evaluate("window.open('about:blank')")) > 0
    opened = page.context.pages[-1]
    assert after(office, opened.mouse.click(20, 20)) > 0
    assert after(office, opened.close()) > 0


@mark
def test_input_in_a_frame_of_another_site_counts(office: Office) -> None:
    """Such a frame runs in a process of its own."""
    address = f"http://localhost:{office.erp.port}/erp/frame"
    code = (
        f"document.body.insertAdjacentHTML('afterbegin', '<iframe id=x src={address} style=\"position: fixed;"
        " left: 0; top: 0; width: 300px; height: 100px\"></iframe>')"
    )
    assert after(office, office.page.evaluate(code)) > 0
    assert after(office, office.page.mouse.click(40, 10)) > 0
    assert after(office, office.page.keyboard.press("b")) > 0
    office.loop.run(office.page.evaluate("x.remove()"))


@mark
def test_what_is_lent_is_what_a_browser_would_send_there(office: Office) -> None:
    window = office.desk._window
    assert window is not None
    request = Request("r", f"{office.erp.base}orders", "GET", "", "")
    lent = office.loop.run(window.borrow([request], office.erp.base))
    assert lent.header(request.url) == "sid=s3ss1on"
    assert lent.for_page() == []
    assert lent.storage["tenant"] == "demo"
    office.loop.run(
        office.page.evaluate(
            "Object.defineProperty(window, 'localStorage', {get: () => ({tenant: 'forged'})})"
        )
    )
    assert office.loop.run(window.borrow([request], office.erp.base)).storage["tenant"] == "demo"


@mark
def test_a_recording_is_a_draft_and_holds_no_login(office: Office) -> None:
    office.erp.page("api", "{}")
    office.ask(protocol.Record(on=True))
    code = (
        "Promise.all([fetch('/erp/api'), fetch('/erp/api', {method: 'POST', body: 'a=1'}),"
        " fetch('/erp/api?access_token=abc'), fetch('/outside'), fetch('/erp/api', {method: 'DELETE'})])"
    )
    office.loop.run(office.page.evaluate(f"{code}.then(() => 0)"))
    found = office.ask(protocol.Record(on=False))["draft"]
    assert {(one["method"], one["url"].removeprefix(office.erp.base)) for one in found["requests"]} == {
        ("GET", "api"), ("POST", "api"),
    }  # fmt: skip
    text = json.dumps(found)
    assert "abc" not in text
    assert "s3ss1on" not in text
    assert any("secret" in note for note in found["notes"])


@mark
def test_observing_needs_a_persons_leave(office: Office) -> None:
    office.ask(protocol.Takeover())
    with pytest.raises(RingwallError, match="alone"):
        office.ask(protocol.Observe())


@needs.browser
def test_without_a_display_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reading.world import Loop
    from ringwall.judge.reading import ReadingDesk
    from ringwall.store.paths import StateDir

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    loop, desk = Loop(), ReadingDesk(StateDir(str(tmp_path / "state")))
    settings = tmp_path / "config" / "ringwall" / "ringwall.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'[reading.window]\nsiteUrl = "{SITE}"\nsite = "a"\naccount = "b"\ntenant = "c"\nrole = "d"\n'
    )
    try:
        with pytest.raises(RingwallError, match="display"):
            loop.run(desk.answer(protocol.Open()))
    finally:
        loop.run(desk.close())
        loop.end()


def test_a_draft_names_what_a_person_must_look_at() -> None:
    seen = [
        Noticed("GET", f"{SITE}orders#top", "", "", "document"),
        Noticed("POST", f"{SITE}query", "{}", "application/json", "fetch"),
        Noticed("PUT", f"{SITE}save", "x", "", "fetch"),
        Noticed("GET", "https://elsewhere.invalid/a.js?key=secretvalue", "", "", "script"),
    ]
    made = draft(seen, SITE, SCOPE)
    assert [one["url"] for one in made["requests"]] == [f"{SITE}orders", f"{SITE}query"]
    assert made["routes"][0]["label"] == ""
    assert len(made["notes"]) == 4
    assert "secretvalue" not in json.dumps(made)
