"""What the console does by itself: tell open pages that something has changed, and read on in the journal.

Invariant: what a page is told says only that, and how many wait; it then asks for itself again. One watcher
serves all pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
from anyio import to_thread
from starlette.responses import Response, StreamingResponse

from ringwall.console.console import Console
from ringwall.console.index import catch_up
from ringwall.judge.desk import Desk
from ringwall.model.errors import StateError
from ringwall.store.engine import Store

LOOK_SECONDS = 0.5
READ_SECONDS = 2.0
BREATH_SECONDS = 0.02
QUIET_SECONDS = 15.0
MOST_PAGES = 32


class Live:
    """The stream of changes."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._pages: set[asyncio.Queue[str | None]] = set()
        self._last = ""

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        """Watches as long as the application runs."""
        tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._read_on())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for page in self._pages:
                page.put_nowait(None)

    def stream(self) -> Response:
        """The answer to one page that wants to be told."""
        if len(self._pages) >= MOST_PAGES:
            return Response(status_code=503)
        return StreamingResponse(self._events(), media_type="text/event-stream")

    async def _events(self) -> AsyncIterator[str]:
        page: asyncio.Queue[str | None] = asyncio.Queue()
        self._pages.add(page)
        try:
            yield f"retry: 2000\ndata: {self._last}\n\n" if self._last else "retry: 2000\n\n"
            while True:
                try:
                    told = await asyncio.wait_for(page.get(), QUIET_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if told is None:
                    return
                yield f"data: {told}\n\n"
        finally:
            self._pages.discard(page)

    async def _watch(self) -> None:
        desk = Desk(self._console.state, self._console.clock)
        try:
            while True:
                await anyio.sleep(LOOK_SECONDS)
                if not self._pages:
                    continue
                with suppress(StateError):
                    self._tell(await to_thread.run_sync(lambda: _standing(desk)))
        finally:
            desk.close()

    async def _read_on(self) -> None:
        """Take new records into the index, a few at a time, so that no call has to wait for long."""
        store = Store(self._console.state)
        seen: tuple[int, int] | None = None
        try:
            while True:
                await anyio.sleep(READ_SECONDS)
                with suppress(StateError):
                    changes = await to_thread.run_sync(store.changes)
                    if changes != seen:
                        await _to_the_end(store)
                    seen = changes
        finally:
            store.close()

    def _tell(self, now: str) -> None:
        if now != self._last:
            self._last = now
            for page in self._pages:
                page.put_nowait(now)


async def _to_the_end(store: Store) -> None:
    while True:
        count = await to_thread.run_sync(catch_up, store)
        if not count:
            return
        await anyio.sleep(BREATH_SECONDS)


def _standing(desk: Desk) -> str:
    """Differs when a queue would look otherwise."""
    waiting, newest, sum_of_waiting = desk.tally()
    return f'{{"waiting": {waiting}, "newest": {newest}, "sum": {sum_of_waiting}}}'
