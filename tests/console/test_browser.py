"""The console in a real browser: what axe-core finds, the keys, what comes live, and two people at once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ringwall.approvals.proposal import State
from ringwall.console.registry import pages

from .install import axe
from .seeded import seed
from .world import Served, World

playwright = pytest.importorskip("playwright.sync_api")
if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.xdist_group("console-browser")
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAGES = [path for page in pages() for path in page.shows if "{" not in path]
SERIOUS = ("serious", "critical")


INJECTED = """() => new Promise((done) => {
  document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  const made = document.createElement("script");
  made.textContent = "document.title = 'ours'";
  document.body.append(made);
})"""
"""What the browser says to a script that was written into the page."""


@pytest.fixture(scope="module")
def known(world: World) -> dict[str, str]:
    return seed(world)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip("no Chromium is here")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield browser
        browser.close()


def paired(chromium: Browser, served: Served, **given: Any) -> Page:
    page = chromium.new_context(**given).new_page()
    page.goto(served.address + "/")
    page.fill("#code", served.code())
    page.press("#code", "Enter")
    page.wait_for_selector("nav")
    return page


@pytest.fixture
def page(chromium: Browser, served: Served, known: dict[str, str]) -> Iterator[Page]:
    made = paired(chromium, served)
    yield made
    made.context.close()


def fresh(world: World, branch: str) -> int:
    assert world.ask(f"git push origin {branch}", session=branch) == "ask"
    return world.desk.newest(1)[0].number


def state(world: World, number: int) -> State:
    return world.desk.one(number).state


WCAG = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']"


@pytest.mark.parametrize(("scheme", "rules"), [("light", WCAG), ("dark", "['color-contrast']")])
def test_axe_finds_nothing_serious(
    chromium: Browser, served: Served, known: dict[str, str], scheme: str, rules: str
) -> None:
    script = axe()
    if script is None:
        pytest.skip("axe-core is not here; python tests/console/install.py gets it where npm is")
    page = paired(chromium, served, color_scheme=scheme, bypass_csp=True)
    page.add_init_script(path=str(script))
    found = []
    for path in (*PAGES, f"/proposals/{known['rule']}", f"/decisions/{known['event']}", "/nowhere"):
        page.goto(served.address + path)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        if path == "/policy":
            page.fill("#command", "git push && rm -rf /")
            page.click("#what-if button.main")
            page.wait_for_selector("#what-if .trace")
            page.wait_for_load_state("load")
        result = page.evaluate(f"axe.run({{runOnly: {rules}, resultTypes: ['violations']}})")
        assert result["passes"], path
        found += [
            (path, one["id"], [node["html"][:200] for node in one["nodes"]])
            for one in result["violations"]
            if one["impact"] in SERIOUS
        ]
    page.context.close()
    assert not found


def test_the_door_is_accessible(chromium: Browser, served: Served) -> None:
    script = axe()
    if script is None:
        pytest.skip("axe-core is not here; python tests/console/install.py gets it where npm is")
    page = chromium.new_context(bypass_csp=True).new_page()
    page.add_init_script(path=str(script))
    page.goto(served.address + "/")
    result = page.evaluate("axe.run()")
    page.context.close()
    assert not [one["id"] for one in result["violations"] if one["impact"] in SERIOUS]


def test_a_click_approves_and_the_page_forbids_foreign_code(world: World, page: Page, served: Served) -> None:
    number = fresh(world, "click")
    page.goto(served.address + "/")
    page.click(f"#proposal-{number} form.approve button.main")
    page.wait_for_selector(".told")
    assert state(world, number) is State.APPROVED
    assert page.evaluate(INJECTED).startswith("script-src")


def test_keys_walk_arm_and_decide_and_enter_never_does(world: World, page: Page, served: Served) -> None:
    number = fresh(world, "keys")
    page.goto(served.address + "/")
    for key in ("Enter", "y", "a", "Enter", "j", "Enter", "a", "Enter", "y", "a", "x", "y"):
        page.keyboard.press(key)
    button = page.locator(f"#proposal-{number} form.approve button.main")
    button.focus()
    page.keyboard.press("Enter")
    page.locator("textarea").last.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    page.keyboard.press("y")
    page.locator(f"#proposal-{number} input[type=checkbox]").check()
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert state(world, number) is State.PENDING
    page.locator(f"#proposal-{number}").focus()
    page.keyboard.press("a")
    assert "press y" in page.inner_text("#told")
    page.keyboard.press("y")
    page.wait_for_selector("#told p:has-text('is approved')")
    assert state(world, number) is State.APPROVED


def test_without_scripts_enter_decides_nothing_and_clicks_do(
    world: World, chromium: Browser, served: Served, known: dict[str, str]
) -> None:
    number = fresh(world, "plain")
    page = paired(chromium, served, java_script_enabled=False)
    page.goto(served.address + "/")
    page.locator(f"#proposal-{number} input[type=checkbox]").check()
    page.keyboard.press("Enter")
    page.wait_for_selector(".fault")
    assert "console.enter" in page.inner_text("main") and state(world, number) is State.PENDING
    page.goto(served.address + f"/proposals/{known['rule']}")
    page.locator("input[type=radio]").first.check()
    page.keyboard.press("Enter")
    page.wait_for_selector(".fault")
    assert state(world, int(known["rule"])) is State.PENDING
    page.goto(served.address + "/")
    page.click(f"#proposal-{number} details.reject summary")
    page.fill(f"#because-{number}", "no scripts, no push")
    page.click(f"#proposal-{number} button.no")
    page.wait_for_selector(".told")
    assert world.desk.one(number).because == "no scripts, no push"
    page.context.close()


def test_r_rejects_with_words(world: World, page: Page, served: Served) -> None:
    number = fresh(world, "no")
    page.goto(served.address + "/")
    page.locator(f"#proposal-{number}").focus()
    page.keyboard.press("r")
    page.keyboard.type("a y a y, not yet")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#told p:has-text('is rejected')")
    assert world.desk.one(number).because == "a y a y, not yet"


def test_keys_can_be_switched_off(world: World, page: Page, served: Served) -> None:
    number = fresh(world, "off")
    page.goto(served.address + "/")
    page.click("#keys button")
    page.reload()
    page.locator(f"#proposal-{number}").focus()
    page.keyboard.press("a")
    page.keyboard.press("y")
    page.wait_for_timeout(200)
    assert page.inner_text("#keys button") == "Keys: off"
    assert state(world, number) is State.PENDING


def test_what_comes_and_goes_is_seen_without_moving_anything(
    world: World, page: Page, served: Served
) -> None:
    stays = fresh(world, "stays")
    page.goto(served.address + "/")
    page.wait_for_timeout(300)
    page.locator(f"#proposal-{stays} details.reject summary").click()
    page.locator(f"#because-{stays}").fill("half a sent")
    comes = fresh(world, "comes")
    page.wait_for_selector(f"#proposal-{comes}")
    assert page.locator(".card").last.get_attribute("id") == f"proposal-{comes}"
    assert str(comes) in page.inner_text("#told")
    assert page.input_value(f"#because-{stays}") == "half a sent"
    world.desk.reject(comes, world.desk.one(comes).binding, "person:bob", "elsewhere")
    page.wait_for_selector(f"#proposal-{comes}.gone")
    assert page.locator(f"#proposal-{comes} button").count() == 0


def test_a_card_that_came_live_can_be_decided(world: World, page: Page, served: Served) -> None:
    page.goto(served.address + "/")
    page.wait_for_timeout(300)
    number = fresh(world, "live")
    page.click(f"#proposal-{number} form.approve button.main")
    page.wait_for_selector("#told p:has-text('is approved')")
    assert state(world, number) is State.APPROVED


def test_of_two_browsers_one_wins(world: World, chromium: Browser, served: Served, page: Page) -> None:
    number = fresh(world, "race")
    other = paired(chromium, served)
    for one in (page, other):
        one.goto(served.address + f"/proposals/{number}")
    page.click("form.approve button.main")
    other.locator("details.reject summary").click()
    other.fill("#because", "no")
    other.click("button[value=reject]")
    assert "already, by" in other.inner_text("main")
    assert state(world, number) is State.APPROVED, "the first word counts"
    number = fresh(world, "race2")
    for one in (page, other):
        one.goto(served.address + f"/proposals/{number}")
    page.click("form.approve button.main")
    other.click("form.approve button.main")
    assert "already, by" in other.inner_text("main")
    assert state(world, number) is State.APPROVED
    other.context.close()


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_a_small_screen(page: Page, served: Served, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    for path in PAGES:
        page.goto(served.address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
