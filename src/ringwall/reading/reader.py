"""The warm reading browser, and one read with it.

Invariant: a read returns, fails or is cancelled only after its context is closed and nothing of it is on its
way; a browser that does not close a context is ended. Nothing is ever tried again.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ringwall.reading import isolation, limits
from ringwall.reading.cell import Cell, Job, Sent
from ringwall.reading.contract import Contract, Route
from ringwall.reading.cookies import Borrowed
from ringwall.reading.failures import ReadFailed, without_extra
from ringwall.reading.isolation import Wall
from ringwall.reading.labels import STYLES, Seen, read_snapshot
from ringwall.reading.matcher import Matcher
from ringwall.reading.sender import Sender
from ringwall.reading.settling import quietly, settled

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

_SNAPSHOT = {"computedStyles": list(STYLES), "includePaintOrder": False, "includeDOMRects": False}


@dataclass(frozen=True, slots=True)
class Taken:
    """What one read brought: labels, and what was sent for them; `quiet` says whether the network was so for
    a moment when they were taken. `steps` are milliseconds from its begin."""

    seen: Seen
    sent: tuple[Sent, ...]
    quiet: bool = True
    steps: dict[str, int] = field(default_factory=dict)


async def start_playwright() -> Playwright:
    """The driver that browsers are talked to with. Raises `RingwallError` where it is not installed."""
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        raise without_extra("playwright") from error
    return await async_playwright().start()


class Reader:
    """One browser behind one wall. With `spare`, a fresh context is always ready for the next read."""

    def __init__(
        self, driver: Playwright, wall: Wall, chromium: str, sender: Sender, *,
        extra: tuple[str, ...] = (), insecure: bool = False, spare: bool = True,
    ) -> None:  # fmt: skip
        self._driver = driver
        self._wall = wall
        self._chromium = chromium
        self._sender = sender
        self._extra = extra
        self._insecure = insecure
        self._keeps_spare = spare
        self._browser: Browser | None = None
        self._folder = ""
        self._spare: tuple[Cell, asyncio.Task[None]] | None = None

    @property
    def browser(self) -> Browser | None:
        return self._browser

    async def start(self) -> None:
        """Start the browser unless it runs."""
        if self._browser is not None and self._browser.is_connected():
            return
        await self.stop()
        self._folder = tempfile.mkdtemp(prefix="ringwall-reader-")
        program = f"{self._folder}/chromium"
        with open(os.open(program, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700), "w") as file:
            file.write(isolation.launcher(self._wall, self._chromium))
        self._browser = await self._driver.chromium.launch(
            executable_path=program,
            headless=True,
            chromium_sandbox=self._wall.sandbox,
            args=[*isolation.QUIET, *isolation.DEAD_END, *self._extra],
            env={"PATH": "/usr/bin:/bin", "HOME": self._folder, "LANG": "C.UTF-8", "TMPDIR": self._folder},
        )
        self._prepare_spare()

    async def stop(self) -> None:
        """End the browser and all that it has open."""
        spare, self._spare = self._spare, None
        if spare is not None:
            spare[1].cancel()
        browser, self._browser = self._browser, None
        if browser is not None:
            await settled(browser.close(), limits.CLOSE_SECONDS)
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""

    async def read(self, contract: Contract, route: Route, borrowed: Borrowed) -> Taken:
        """Read one route. Raises `ReadFailed`; whatever happens, the context is closed when it ends."""
        begun = time.monotonic()
        await self.start()
        requests = contract.requests_of(route)
        job = Job(requests, borrowed, self._sender, Matcher.of(requests))
        cell, opening = self._next()
        steps: dict[str, int] = {}
        try:
            async with asyncio.timeout(limits.READ_SECONDS):
                await asyncio.shield(opening)
                _mark(steps, "opened", begun)
                seen, quiet = await self._perform(cell, job, route, steps, begun)
        except TimeoutError:
            raise ReadFailed(*cell.guard.found, f"not done within {limits.READ_SECONDS:g} seconds") from None
        except ReadFailed:
            raise
        except Exception as error:  # the driver's: a closed target, a crash, its own time-outs
            raise ReadFailed(*cell.guard.found, _first_line(error)) from error
        finally:
            cell.shut()
            await self._close(cell, opening)
        _mark(steps, "closed", begun)
        if cell.guard.found:  # what the closing has brought to light counts too
            raise ReadFailed(*cell.guard.found)
        return Taken(seen, tuple(job.sent), quiet, steps)

    async def _perform(
        self, cell: Cell, job: Job, route: Route, steps: dict[str, int], begun: float
    ) -> tuple[Seen, bool]:
        assert cell.page is not None and cell.session is not None  # noqa: S101 - opened
        await cell.lend(job, route.url)
        response = await cell.page.goto(route.url, wait_until="load", timeout=limits.LOAD_SECONDS * 1000)
        _mark(steps, "loaded", begun)
        if response is None:
            raise ReadFailed("there was no page")
        await _quiet(cell)
        quiet = cell.quiet_for >= limits.QUIET_SECONDS
        before = (cell.guard.navigations, [frame.url for frame in cell.page.frames])
        snapshot: dict[str, Any] = await cell.session.send("DOMSnapshot.captureSnapshot", _SNAPSHOT)
        cell.shut()
        await cell.session.send("Page.getFrameTree")  # by then all that moved meanwhile has been told of
        _mark(steps, "captured", begun)
        if before != (cell.guard.navigations, [frame.url for frame in cell.page.frames]):
            cell.guard.note("something navigated while the labels were taken")
        if cell.page.url != route.url:
            cell.guard.note(f"the address became {cell.page.url}")
        if cell.guard.found:
            raise ReadFailed(*cell.guard.found)
        return read_snapshot(snapshot), quiet

    def _next(self) -> tuple[Cell, asyncio.Task[None]]:
        spare, self._spare = self._spare, None
        if spare is not None and not (spare[1].done() and (spare[1].cancelled() or spare[1].exception())):
            return spare
        return self._fresh()

    def _fresh(self) -> tuple[Cell, asyncio.Task[None]]:
        assert self._browser is not None  # noqa: S101 - started
        cell = Cell(self._browser, self._insecure)
        opening = asyncio.ensure_future(cell.open())
        opening.add_done_callback(_seen)
        return cell, opening

    def _prepare_spare(self) -> None:
        if self._keeps_spare and self._spare is None and self._browser is not None:
            self._spare = self._fresh()

    async def _close(self, cell: Cell, opening: asyncio.Task[None]) -> None:
        """A page command that hangs is not waited for; the context's end is."""
        opening.cancel()
        try:
            well = await settled(cell.close(), limits.CLOSE_SECONDS)
        except asyncio.CancelledError:
            self._prepare_spare()
            raise
        if not well:
            cell.guard.note("its context could not be closed")
            await settled(quietly(self.stop()), limits.CLOSE_SECONDS)
            return
        with suppress(Exception):
            self._prepare_spare()


async def _quiet(cell: Cell) -> None:
    end = time.monotonic() + limits.SETTLE_SECONDS
    while not cell.guard.found and time.monotonic() < end:
        if min(cell.quiet_for, cell.guard.still_for) >= limits.QUIET_SECONDS:
            return
        await asyncio.sleep(0.01)
    if cell.guard.still_for < limits.QUIET_SECONDS:
        cell.guard.note("the page or a frame of it kept navigating")


def _mark(steps: dict[str, int], name: str, begun: float) -> None:
    steps[name] = round((time.monotonic() - begun) * 1000)


def _seen(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:160]
