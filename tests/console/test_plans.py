"""The pages of plans: a review that is sealed as it was shown, the plan while it stands, and looking back."""

from __future__ import annotations

import json
import re
from urllib.parse import quote
from xml.etree import ElementTree

from ringwall.judge.plans import Plans

from .world import Browser, World

STEPS = [
    {"op": "Bash", "object": "make check"},
    {
        "op": "session",
        "goal": "Walk <b>through",
        "tools": ["browser_click", "Write"],
        "produces": "report.md",
    },
    {"op": "Write", "object": "src/a.py", "creates": ["src/a.py"], "note": "as agreed"},
]


def written(world: World, steps: list[object], name: str = "plans/shop.md") -> str:
    path = world.project / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# The shop\n\n```steps-json\n{json.dumps(steps)}\n```\n")
    return f"/plans/review?folder={quote(str(world.project))}&path={quote(name)}"


def fields(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(path|folder|file|before)" value="([^"]*)">', page))


def seal(browser: Browser, address: str) -> str:
    page = browser.get(address)
    answer = browser.post("/plans/seal", {"nonce": page.nonce("/plans/seal"), **fields(page.text)})
    assert answer.status == 303, answer.words
    return str(answer.headers["location"])


def numbered(world: World, browser: Browser) -> int:
    """The number of the active plan; one is sealed where there is none."""
    plans = Plans(world.state, world.env)
    try:
        if plans.active(str(world.project)) is None:
            seal(browser, written(world, STEPS))
        kept = plans.active(str(world.project))
    finally:
        plans.close()
    assert kept is not None
    return kept.number


def ended(world: World) -> None:
    """No plan is active."""
    plans = Plans(world.state, world.env)
    if plans.active(str(world.project)) is not None:
        plans.abandon(str(world.project), "person:ann", "a test")
    plans.close()


def test_a_plan_is_reviewed_sealed_followed_and_looked_back_at(world: World, browser: Browser) -> None:
    ended(world)
    address = written(world, STEPS)
    world.ask("ls")
    page = browser.get(address)
    for words in (
        "make check", "wanted tools: browser_click, Write", "given tools: browser_click", "as agreed",
        "Write was dropped",
    ):  # fmt: skip
        assert words in page.words, words
    assert "Walk &lt;b&gt;through" in page.text
    here = seal(browser, address)
    assert "is sealed" in browser.get(here).words
    assert world.ask("touch stray") == "deny"
    assert world.ask("make check", tool_use_id="c2") == "allow"
    standing = browser.get("/plans").words
    assert "0 of 3 steps are done" in standing and "A call is doing this step" in standing
    page = browser.get("/plans")
    (held,) = set(re.findall(r'name="held" value="([^"]*)"', page.text))
    told = {"nonce": page.nonce(f"{here}/resolve", "yes"), "happened": "yes"}
    answer = browser.post(f"{here}/resolve", {**told, "held": "the call of an older page"})
    assert "not where it was" in answer.words and "0 of 3 steps are done" in browser.get("/plans").words
    told["nonce"] = browser.get("/plans").nonce(f"{here}/resolve", "yes")
    browser.post(f"{here}/resolve", {**told, "held": held})
    assert "1 of 3 steps are done" in browser.get("/plans").words
    page = browser.get(here)
    assert "touch stray" in page.words and "not the plan" in page.words
    (image,) = re.findall(r"<svg.*?</svg>", page.text, re.DOTALL)
    assert ElementTree.fromstring(image).tag.endswith("svg")
    assert "<script" not in image and "style=" not in image


def test_what_changed_since_it_was_shown_is_not_sealed(world: World, browser: Browser) -> None:
    number = numbered(world, browser)
    address = written(world, [STEPS[0]], "plans/other.md")
    page = browser.get(address)
    shown = fields(page.text)
    assert f"Against plan {number}" in page.words
    written(world, [STEPS[2]], "plans/other.md")
    answer = browser.post("/plans/seal", {"nonce": page.nonce("/plans/seal"), **shown})
    assert "is not what was shown" in answer.words
    page = browser.get(address)
    sent = {**fields(page.text), "before": ""}
    answer = browser.post("/plans/seal", {"nonce": page.nonce("/plans/seal"), **sent})
    assert "is not what was shown" in answer.words


def test_a_plan_with_problems_has_no_seal(world: World, browser: Browser) -> None:
    page = browser.get(written(world, [{"op": "Skill", "object": "tdd"}], "plans/bad.md"))
    assert "skills-json" in page.words
    assert "/plans/seal" not in page.text
    assert "cannot be read" in browser.get(f"/plans/review?folder={world.project}&path=plans/none.md").words


def test_a_plan_is_abandoned_with_a_reason(world: World, browser: Browser) -> None:
    path = f"/plans/{numbered(world, browser)}/abandon"
    page = browser.get("/plans")
    answer = browser.post(path, {"nonce": page.nonce(path), "because": " "})
    assert "says why" in answer.words
    page = browser.get("/plans")
    browser.post(path, {"nonce": page.nonce(path), "because": "the shop is closed"})
    page = browser.get("/plans")
    assert "No plan is sealed" in page.words and "the shop is closed" in page.words


def test_an_old_page_ends_no_newer_plan(world: World, browser: Browser) -> None:
    path = f"/plans/{numbered(world, browser)}/abandon"
    page = browser.get("/plans")
    ended(world)
    number = numbered(world, browser)
    answer = browser.post(path, {"nonce": page.nonce(path), "because": "this one is not meant"})
    assert "not where it was" in answer.words
    assert numbered(world, browser) == number
