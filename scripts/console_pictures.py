"""Draws each page of the console, light and dark, as a real browser shows it over a state made for it.

Invariant: the state is always the same, and nothing of the machine that draws it is in the pictures. They are
for people to look at; no test compares them.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from console_state import more  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from console.seeded import seed  # noqa: E402
from console.world import Served, World  # noqa: E402
from ringwall.console.registry import pages  # noqa: E402

FOLDER = ROOT / "docs" / "console"
WIDTH = 1100
PAGES = {
    "queue": "/",
    "proposal": "/proposals/{rule}",
    "history": "/history?words=push",
    "decision": "/decisions/{event}",
    "policy": "/policy",
    "grants": "/grants",
    "sessions": "/sessions",
    "journal": "/journal",
    "pairing": "/pairing",
    "plan": "/plans/{plan}",
    "plans-review": "/plans/review?folder={folder}&path={file}",
    "candidate": "/harvest/{candidate}",
    "reading": "/readings/{reading}",
}


_PATHS = {path.partition("?")[0] for path in PAGES.values()}
SCRUB = """([home, state]) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    text.data = text.data.split(home).join("/home/ann").split(state).join("/home/ann/.local/state/ringwall");
  }
  for (const time of document.querySelectorAll("time")) {
    const days = Math.floor((new Date(time.dateTime) - Date.now() + 36e5) / 864e5);
    const day = new Date(Date.UTC(2026, 11, 1 + days));
    time.textContent = day.toISOString().slice(0, 10) + time.textContent.slice(10);
  }
}"""
"""Puts the same folders and days into every picture; the days of what is to come keep their distance."""


def main() -> int:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("No Chromium is here.", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="ringwall-") as folder, sync_playwright() as playwright:
        world = World(Path(folder))
        known = {**seed(world), **more(world)}
        served = Served(world.env)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            for form in ("light", "dark"):
                _draw(browser, served, form, known)
        finally:
            browser.close()
            served.close()
            world.close()
    return 0


def _draw(browser: Browser, served: Served, form: str, known: dict[str, str]) -> None:
    context = browser.new_context(
        color_scheme=form,  # type: ignore[arg-type]
        viewport={"width": WIDTH, "height": 800},
        timezone_id="UTC",
    )
    page = context.new_page()
    page.goto(served.address + "/")
    _shot(page, served, f"pair-{form}")
    page.fill("#code", served.code())
    page.click("button.main")
    others = {path[1:].replace("/", "-"): path for one in pages() for path in one.shows if "{" not in path}
    for name, path in {**PAGES, **{n: p for n, p in others.items() if p not in _PATHS}}.items():
        page.goto(served.address + path.format(**known))
        if name == "policy":
            page.fill("#command", "npm test && git push --force origin main")
            page.click("#what-if button.main")
        if name == "journal":
            page.click("main button.main")
        _shot(page, served, f"{name}-{form}")
    context.close()


def _shot(page: Page, served: Served, name: str) -> None:
    """The page without what differs from machine to machine."""
    page.evaluate(SCRUB, [str(Path(served.state.path).parent / "home"), served.state.path])
    page.screenshot(path=str(FOLDER / f"{name}.png"), full_page=True)
    print((FOLDER / f"{name}.png").relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
