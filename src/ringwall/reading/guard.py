"""Everything that a page does besides reading, as its browser tells.

Invariant: one event of these kinds makes the read fail, also where the act itself was stopped: an attempt is
no less an attempt for having led nowhere.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ringwall.reading.address import without_fragment
from ringwall.reading.settling import Errands, quietly

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Dialog, Frame, Page

Lists = Callable[[str, str], bool]

_DOMAINS = ("Audits", "Network", "Preload")
_TELLING = (
    "ContentSecurityPolicyIssue", "ConnectionAllowlistIssue", "BlockedByResponseIssue",
    "FederatedAuthRequestIssue",
)  # fmt: skip
_TELLING_GENERIC = ("ResponseWasBlockedByORB",)
"""Of the issues that have no kind of their own; most of them are advice about forms."""
_BY_ITSELF = "/favicon.ico"
_HTTP = ("http:", "https:")
_MOST = 50


class Guard:
    """Watches one context. `found` is what must not have happened, in order."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.navigations = 0
        self._moved_at = time.monotonic()
        self._lists: Lists = lambda _method, _url: False
        self._main: Frame | None = None
        self._pages = 0

    def note(self, what: str) -> None:
        if len(self.found) < _MOST:
            self.found.append(what)

    def expect(self, lists: Lists) -> None:
        """From now on requests that `lists` knows are none of our concern."""
        self._lists = lists

    def watch_context(self, context: BrowserContext, errands: Errands) -> None:
        def on_dialog(dialog: Dialog) -> None:
            self.note("a dialog")
            errands.start(quietly(dialog.dismiss()))

        context.on("page", self._on_page)
        context.on("dialog", on_dialog)
        context.on("serviceworker", lambda _worker: self.note("a service worker"))

    async def watch_page(self, page: Page, session: CDPSession) -> None:
        self._main = page.main_frame
        page.on("download", lambda _download: self.note("a download"))
        page.on("crash", lambda _page: self.note("the page crashed"))
        page.on("worker", lambda _worker: self.note("a worker"))
        page.on("framenavigated", self._on_navigated)
        page.on("framedetached", lambda _frame: self._moved())
        session.on("Audits.issueAdded", self._on_issue)
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.webSocketCreated", lambda event: self.note(f"a socket to {event['url']}"))
        session.on("Network.webTransportCreated", lambda event: self.note(f"a transport to {event['url']}"))
        for event in ("Preload.prefetchStatusUpdated", "Preload.prerenderStatusUpdated"):
            session.on(event, lambda told: self.note(f"a speculative load of {told['key']['url']}"))
        await asyncio.gather(*(session.send(f"{domain}.enable") for domain in _DOMAINS))

    def _on_page(self, _page: Page) -> None:
        self._pages += 1
        if self._pages > 1:
            self.note("a new window")

    def _on_navigated(self, frame: Frame) -> None:
        self._moved()
        if frame != self._main:
            return
        if frame.url != "about:blank":
            self._main_loads += 1
        if self._main_loads > 1:
            self.note(f"a navigation to {frame.url}")

    _main_loads = 0

    @property
    def still_for(self) -> float:
        """Seconds since the page or a frame of it last navigated or went away."""
        return time.monotonic() - self._moved_at

    def _moved(self) -> None:
        self.navigations += 1
        self._moved_at = time.monotonic()

    def _on_issue(self, event: dict[str, Any]) -> None:
        code = str(event["issue"]["code"])
        if code == "GenericIssue":
            code = str(event["issue"]["details"].get("genericIssueDetails", {}).get("errorType", ""))
        if code in (*_TELLING, *_TELLING_GENERIC) or "Blocked" in code:
            self.note(f"a stopped attempt ({code})")

    def _on_request(self, event: dict[str, Any]) -> None:
        """The browser's own account, which has requests that interception never shows."""
        url, method = without_fragment(event["request"]["url"]), str(event["request"]["method"])
        if url.startswith(_HTTP) and not self._lists(method, url) and not is_favicon(url):
            self.note(f"unlisted {method} {url}")


def is_favicon(url: str) -> bool:
    """What a browser asks for by itself; it is answered with nothing, and no fault of the page."""
    return url.partition("://")[2].partition("/")[2] == _BY_ITSELF[1:]
