"""Waiting that a cancellation cannot cut short.

Invariant: what was opened is closed before a cancellation is let through, and no wait lasts longer than its
bound.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from typing import Any


async def settled(awaitable: Awaitable[Any], seconds: float) -> bool:
    """Wait for at most `seconds`, whatever happens to the caller; whether it ended well. A cancellation that
    came meanwhile is raised afterwards."""
    future = asyncio.ensure_future(awaitable)
    end, cancelled = time.monotonic() + seconds, False
    while not future.done() and (left := end - time.monotonic()) > 0:
        try:
            await asyncio.wait({future}, timeout=left)
        except asyncio.CancelledError:
            cancelled = True
    well = future.done() and not future.cancelled() and future.exception() is None
    if not future.done():
        future.cancel()
    if cancelled:
        raise asyncio.CancelledError
    return well


async def quietly(awaitable: Awaitable[Any]) -> None:
    """Await what may find its page or context gone."""
    with suppress(Exception):
        await awaitable


class Errands:
    """Tasks that belong to one owner and end with it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def __len__(self) -> int:
        return len(self._tasks)

    async def end(self) -> None:
        """Cancel what runs and wait until it has ended."""
        running = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=5)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen; whoever started it looks at what it did
