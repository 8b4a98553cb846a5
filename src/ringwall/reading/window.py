"""The login window: a person's own browser, in which nobody but they navigates.

Invariant: it is talked to over a pipe, never over a port; nothing here types, clicks or navigates after it
has opened; every input, navigation, opened or closed page of it makes a new revision at once.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ringwall.model.text import msg
from ringwall.reading.contract import Request
from ringwall.reading.cookies import Borrowed, cookies_from
from ringwall.reading.failures import refused
from ringwall.reading.isolation import QUIET
from ringwall.reading.labels import STYLES, Seen, read_snapshot
from ringwall.reading.permit import End
from ringwall.reading.record import Noticed
from ringwall.reading.settling import Errands, quietly, settled

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Frame, Page, Playwright
    from playwright.async_api import Request as Asking

Changed = Callable[[End], None]

_BINDING = "ringwallInput"
_WORLD = "ringwall"
_LISTEN = (
    "for (const kind of ['keydown', 'pointerdown', 'touchstart', 'paste', 'drop', 'beforeinput'])"
    " window.addEventListener(kind, event => { if (event.isTrusted) globalThis." + _BINDING + "(kind); },"
    " { capture: true, passive: true });"
)
_CLOSE_SECONDS = 10.0
_MOST_NOTICED = 5000


class LoginWindow:
    """One window from its opening to its closing. `revision` grows with every change of it."""

    def __init__(self, on_change: Changed) -> None:
        self.session = secrets.token_hex(8)
        self.revision = 1
        self.closed = False
        self._on_change = on_change
        self._errands = Errands()
        self._context: BrowserContext | None = None
        self._noticed: list[Noticed] | None = None

    @classmethod
    async def open(
        cls, driver: Playwright, chromium: str, profile: str, url: str, on_change: Changed, *,
        extra: tuple[str, ...] = (), insecure: bool = False,
    ) -> LoginWindow:  # fmt: skip
        """A window on `url` with the profile in that directory. Raises `RingwallError` without a display."""
        os.makedirs(profile, mode=0o700, exist_ok=True)
        os.chmod(profile, 0o700)
        window = cls(on_change)
        try:
            context = await driver.chromium.launch_persistent_context(
                profile,
                executable_path=chromium,
                headless=False,
                chromium_sandbox=os.geteuid() != 0,
                args=[*QUIET, *extra],
                no_viewport=True,
                color_scheme="null",
                reduced_motion="null",
                forced_colors="null",
                ignore_https_errors=insecure,
            )
        except Exception as error:
            raise refused(
                "no_window",
                msg("The login window could not be opened: {why}.", why=str(error).splitlines()[0][:200]),
                msg("It needs a display: run it in a desktop session, and no other window on its profile."),
            ) from error
        window._context = context
        for page in context.pages:
            await window._watch(page)
        context.on("page", lambda page: window._errands.start(window._opened(page)))
        context.on("close", lambda _context: window._on_close())
        if context.pages:
            with suppress(Exception):  # what cannot be reached the person sees for themselves
                await context.pages[0].goto(url, wait_until="commit", timeout=15_000)
        window.revision = 1
        return window

    def bump(self, why: End) -> int:
        """A new revision: whatever was permitted has ended."""
        self.revision += 1
        self._on_change(why)
        return self.revision

    async def borrow(self, requests: Iterable[Request], site: str) -> Borrowed:
        """The login as far as these requests would carry it. Opens no page and asks no page's script."""
        assert self._context is not None  # noqa: S101 - opened
        cookies = {
            url: cookies_from(await self._context.cookies([url]), site)
            for url in sorted({request.url for request in requests})
        }
        return Borrowed(cookies, await self._storage(site))

    async def look(self) -> tuple[str, Seen]:
        """Address and labels of the page in front, for passive observation."""
        page = self._front()
        session = await page.context.new_cdp_session(page)
        try:
            snapshot = await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(STYLES)})
        finally:
            await quietly(session.detach())
        return page.url, read_snapshot(snapshot)

    def record(self) -> None:
        """Note from now on what the window's pages ask for."""
        assert self._context is not None  # noqa: S101
        if self._noticed is None:
            self._context.on("request", self._notice)
        self._noticed = []

    def recorded(self) -> list[Noticed]:
        """What was noted; noting ends."""
        noticed, self._noticed = self._noticed or [], None
        if self._context is not None:
            with suppress(KeyError, ValueError):
                self._context.remove_listener("request", self._notice)
        return noticed

    def _notice(self, request: Asking) -> None:
        if self._noticed is None or len(self._noticed) >= _MOST_NOTICED:
            return
        body = request.post_data_buffer or b""
        content_type = request.headers.get("content-type", "") if request.method != "GET" else ""
        text, kind = body.decode("utf-8", "replace"), request.resource_type
        self._noticed.append(Noticed(request.method, request.url, text, content_type, kind))

    @property
    def addresses(self) -> list[str]:
        return [page.url for page in self._context.pages] if self._context is not None else []

    async def close(self) -> None:
        self.closed = True
        await self._errands.end()
        if self._context is not None:
            await settled(self._context.close(), _CLOSE_SECONDS)

    def _front(self) -> Page:
        pages = self._context.pages if self._context is not None else []
        if not pages:
            raise refused(
                "no_page",
                msg("The login window has no page."),
                msg("Open one in it, or open the window again."),
            )
        return pages[-1]

    async def _storage(self, site: str) -> dict[str, str]:
        """The localStorage of a page that is on the site, as the browser holds it."""
        assert self._context is not None  # noqa: S101
        for page in self._context.pages:
            if _origin(page.url) != _origin(site):
                continue
            session = await self._context.new_cdp_session(page)
            try:
                tree = await session.send("Page.getFrameTree")
                frame = {"frameId": tree["frameTree"]["frame"]["id"]}
                key = (await session.send("Storage.getStorageKey", frame))["storageKey"]
                await session.send("DOMStorage.enable")
                place = {"storageId": {"storageKey": key, "isLocalStorage": True}}
                found = await session.send("DOMStorage.getDOMStorageItems", place)
                return dict(found["entries"])
            finally:
                await quietly(session.detach())
        return {}

    async def _opened(self, page: Page) -> None:
        self.bump(End.NAVIGATION)
        await quietly(self._watch(page))

    async def _watch(self, page: Page) -> None:
        """Hear of input and navigation without the page's scripts being able to see or stop it."""
        page.on(
            "dialog", lambda _dialog: None
        )  # a person answers it; without a listener it would be dismissed
        page.on("framenavigated", lambda frame: self._navigated(page, frame))
        page.on("close", self._page_closed)
        await self._listen(await page.context.new_cdp_session(page))

    async def _listen(self, session: CDPSession) -> None:
        session.on("Runtime.bindingCalled", self._heard)
        await session.send("Runtime.enable")
        await session.send("Runtime.addBinding", {"name": _BINDING, "executionContextName": _WORLD})
        await session.send("Page.enable")
        await session.send(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": _LISTEN, "worldName": _WORLD, "runImmediately": True},
        )

    def _page_closed(self, _page: Page) -> None:
        if not self.closed:
            self.bump(End.NAVIGATION)

    def _heard(self, event: dict[str, Any]) -> None:
        if event.get("name") == _BINDING:
            self.bump(End.INPUT)

    def _navigated(self, page: Page, frame: Frame) -> None:
        if self.closed:
            return
        self.bump(End.NAVIGATION)
        if frame != page.main_frame:
            self._errands.start(quietly(self._listen_to_frame(frame)))

    async def _listen_to_frame(self, frame: Frame) -> None:
        """A frame of another site runs in a process of its own and has a session of its own."""
        await self._listen(await frame.page.context.new_cdp_session(frame))

    def _on_close(self) -> None:
        if not self.closed:
            self.closed = True
            self._on_change(End.RESTART)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
