"""The real Claude Code in bypass mode, and a person in a real browser: what is clicked happens, once."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from console.world import Served
from hosts.processes import daemon_of
from hosts.stage import Played, Stage, bash, lane
from hosts.test_real_approvals import headless
from ringwall.approvals.proposal import State
from ringwall.judge.desk import Desk
from ringwall.store.paths import StateDir

playwright = pytest.importorskip("playwright.sync_api")
if TYPE_CHECKING:
    from playwright.sync_api import Page

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PUSH = bash("git push origin main")
DONE = {"text": "done"}
PATIENCE = 120_000  # milliseconds, for a host that starts on a busy machine


@pytest.fixture
def served(stage: Stage) -> Iterator[Served]:
    if PROGRAM is None:
        pytest.skip("no Chromium is here")
    made = Served(stage.env)
    yield made
    made.close()


@pytest.fixture
def page(served: Served) -> Iterator[Page]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(served.address + "/")
        page.fill("#code", served.code())
        page.press("#code", "Enter")
        page.wait_for_selector("nav")
        yield page
        browser.close()


@contextmanager
def playing(stage: Stage, *turns: Any) -> Iterator[Callable[[], Played]]:
    """A session in bypass mode that goes on meanwhile; what is given tells how it ended."""
    ended: list[Played] = []
    play = threading.Thread(
        target=lambda: ended.append(stage.play(lane("main", *turns), mode="bypassPermissions"))
    )
    play.start()

    def result() -> Played:
        play.join()
        return ended[0]

    try:
        yield result
    finally:
        play.join()


def states(stage: Stage) -> list[State]:
    desk = Desk(StateDir(str(stage.state)))
    try:
        return [one.state for one in reversed(desk.newest(99))]
    finally:
        desk.close()


def test_a_click_lets_the_push_happen_and_the_next_one_is_asked_again(stage: Stage, page: Page) -> None:
    headless(stage, 50)
    with playing(stage, PUSH, PUSH, DONE) as result:
        page.wait_for_selector("#proposal-1", timeout=PATIENCE)
        assert "git push origin main" in page.inner_text("#proposal-1")
        page.click("#proposal-1 form.approve button.main")
        page.wait_for_selector("#proposal-2", timeout=PATIENCE)
        assert "refs/heads/main" in stage.pushed
        page.click("#proposal-2 details.reject summary")
        page.fill("#because-2", "once is enough")
        page.click("#proposal-2 button.no")
        played = result()
    assert states(stage) == [State.CONSUMED, State.REJECTED]
    assert any("once is enough" in told for told in played.told()), played


def test_killing_the_daemon_between_question_and_click_loses_nothing(stage: Stage, page: Page) -> None:
    headless(stage, 1)
    played = stage.play(lane("main", PUSH, DONE), mode="bypassPermissions")
    assert not stage.pushed
    assert any("ringwall approve 1" in told for told in played.told()), played
    daemon = daemon_of(stage.state)
    assert daemon is not None
    os.kill(daemon, signal.SIGKILL)
    while daemon_of(stage.state) is not None:
        time.sleep(0.05)
    page.wait_for_selector("#proposal-1", timeout=PATIENCE)
    page.click("#proposal-1 form.approve button.main")
    page.wait_for_selector(".told")
    played = stage.play(lane("main", PUSH, PUSH, DONE), mode="bypassPermissions")
    assert "refs/heads/main" in stage.pushed, played
    assert states(stage) == [State.CONSUMED, State.PENDING]
    assert any("ringwall approve 2" in told for told in played.told()), played
    assert stage.ringwall("log", "verify").returncode == 0
