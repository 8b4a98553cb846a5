"""The numbers that make a form good for one use.

Invariant: a nonce is redeemed once, by the browser that it was made for, at the path that it was made for.
They live in this process alone: after a restart every page that is open is stale, and says so.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from ringwall.model.errors import UsageError
from ringwall.model.text import msg

LASTS = 12 * 3600.0
MOST = 50_000


class Nonces:
    """Those that can still be redeemed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: OrderedDict[str, tuple[str, str, float]] = OrderedDict()

    def issue(self, browser: str, path: str) -> str:
        """A new one for a form of this browser that goes to `path`."""
        while len(self._open) >= MOST:
            self._open.popitem(last=False)
        made = secrets.token_urlsafe(18)
        self._open[made] = (browser, path, self._clock() + LASTS)
        return made

    def redeem(self, browser: str, path: str, nonce: str) -> None:
        """Use one up. Raises `UsageError` where it is none, or no longer one, or one for something else."""
        found = self._open.pop(nonce, None)
        if found is None or found[:2] != (browser, path) or found[2] < self._clock():
            raise UsageError(
                "console.stale",
                msg("This page is out of date, or was sent already. Nothing was done."),
                msg("Load the page again, look at it, and decide then."),
            )
