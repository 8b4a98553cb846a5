"""One temporary context with one page: opened for one read, closed after it.

Invariant: a cell serves one read; until that begins and from the moment its labels are taken, every request
is stopped; what it sends is sent by the sender, from the contract's bytes.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ringwall.reading import limits
from ringwall.reading.contract import Request
from ringwall.reading.cookies import Borrowed
from ringwall.reading.failures import ReadFailed
from ringwall.reading.guard import Guard, is_favicon
from ringwall.reading.headers import answer_headers
from ringwall.reading.matcher import Asked, Matcher
from ringwall.reading.sender import Sender
from ringwall.reading.settling import Errands, quietly

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, WebSocketRoute
    from playwright.async_api import Route as Paused


@dataclass(frozen=True, slots=True)
class Sent:
    """One request that was sent: evidence without cookies."""

    request: str
    status: int
    size: int
    milliseconds: int


@dataclass(slots=True)
class Job:
    """What one read may do, and what it has done."""

    requests: tuple[Request, ...]
    borrowed: Borrowed
    sender: Sender
    matcher: Matcher
    sent: list[Sent] = field(default_factory=list)
    received: int = 0
    last: float = field(default_factory=time.monotonic)


class Cell:
    """See the module. `open` before anything else."""

    def __init__(self, browser: Browser, insecure: bool = False) -> None:
        self._browser = browser
        self._insecure = insecure  # tests only: certificates of a page that is never fetched by the browser
        self.guard = Guard()
        self.errands = Errands()
        self.context: BrowserContext | None = None
        self.page: Page | None = None
        self.session: CDPSession | None = None
        self._creating: asyncio.Future[BrowserContext] | None = None
        self._job: Job | None = None

    async def open(self) -> None:
        """A context and its page, with all its walls up; nothing is loaded."""
        self._creating = asyncio.ensure_future(
            self._browser.new_context(
                service_workers="block", accept_downloads=False, ignore_https_errors=self._insecure
            )
        )
        context = self.context = await asyncio.shield(self._creating)
        self.guard.watch_context(context, self.errands)
        await asyncio.gather(
            context.route("**/*", self._on_request), context.route_web_socket("**/*", self._on_socket)
        )
        self.page = await context.new_page()
        self.session = await context.new_cdp_session(self.page)
        await self.guard.watch_page(self.page, self.session)

    async def lend(self, job: Job, url: str) -> None:
        """Give the page what it may have of the login, and let the job's requests pass."""
        assert self.context is not None  # noqa: S101 - opened
        if cookies := job.borrowed.for_page():
            await self.context.add_cookies(cookies)  # type: ignore[arg-type]
        if job.borrowed.storage:
            await self.context.add_init_script(_storage_script(url, job.borrowed.storage))
        self.guard.expect(job.matcher.lists)
        self._job = job

    def shut(self) -> None:
        """From now on nothing is sent."""
        self._job = None

    @property
    def quiet_for(self) -> float:
        """Seconds since anything listed was on its way; 0 while something is."""
        if self._job is None or len(self.errands):
            return 0.0
        return time.monotonic() - self._job.last

    async def close(self) -> None:
        """End all that is on its way, then close the context. Does not wait for a page that hangs."""
        self.shut()
        await self.errands.end()
        if self.context is None and self._creating is not None:
            self.context = await self._creating
        if self.context is not None:
            await self.context.close()

    async def _on_request(self, paused: Paused) -> None:
        asked = paused.request
        if is_favicon(asked.url) and not (self._job and self._job.matcher.lists(asked.method, asked.url)):
            await quietly(paused.fulfill(status=204))
            return
        job = self._job
        if job is None:
            self.guard.note(f"{asked.method} {asked.url} at the wrong time")
            await quietly(paused.abort("blockedbyclient"))
            return
        body, kind = asked.post_data_buffer or b"", asked.headers.get("content-type", "")
        found = job.matcher.take(Asked(asked.method, asked.url, body, kind))
        if isinstance(found, str):
            self.guard.note(found)
            await quietly(paused.abort("blockedbyclient"))
            return
        self.errands.start(self._answer(job, paused, found))

    async def _answer(self, job: Job, paused: Paused, request: Request) -> None:
        begun = time.monotonic()
        document = paused.request.resource_type == "document"
        try:
            answer = await job.sender.send(request, job.borrowed, document, limits.READ_BYTES - job.received)
        except ReadFailed as failure:
            for reason in failure.reasons:
                self.guard.note(reason)
            await quietly(paused.abort("failed"))
            return
        finally:
            job.last = time.monotonic()
        job.received += len(answer.body)
        took = round((time.monotonic() - begun) * 1000)
        job.sent.append(Sent(request.id, answer.status, len(answer.body), took))
        headers = answer_headers(answer.content_type, job.requests)
        if self._job is job:
            await quietly(paused.fulfill(status=answer.status, headers=headers, body=answer.body))
        job.last = time.monotonic()

    async def _on_socket(self, socket: WebSocketRoute) -> None:
        self.guard.note(f"a socket to {socket.url}")
        await quietly(socket.close())


def _storage_script(url: str, items: Any) -> str:
    """Fills localStorage before the page's own scripts, on the route's origin only."""
    parts = urlsplit(url)
    origin, data = json.dumps(f"{parts.scheme}://{parts.netloc}"), json.dumps(json.dumps(dict(items)))
    return (
        f"if (location.origin === {origin}) {{ const held = JSON.parse({data});"
        " for (const name in held) localStorage.setItem(name, held[name]); }"
    )
