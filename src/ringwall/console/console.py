"""What all pages stand on: one desk, its store, and who may use them.

Invariant: pages are answered one at a time, so that one connection serves them all; what would take long has
a store of its own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ringwall.console.nonces import Nonces
from ringwall.console.pairing import Pairing
from ringwall.console.verifying import Verifying
from ringwall.judge.desk import Desk
from ringwall.judge.person import person
from ringwall.model.text import Text
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir


def _plain(template: str) -> str:
    return template


@dataclass(eq=False)
class Console:
    """`translate` renders templates in `language` (as HTML names it), that of whoever started it; `clock` is
    in nanoseconds."""

    state: StateDir
    port: int
    translate: Callable[[str], str] = _plain
    language: str = "en"
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    clock: Callable[[], int] = time.time_ns

    def __post_init__(self) -> None:
        self.desk = Desk(self.state, self.clock)
        self.pairing = Pairing(self.store, self.clock)
        self.nonces = Nonces()
        self.verifying = Verifying(self.state)
        self.who = f"{person()} in a browser"
        self._told: dict[str, Text] = {}

    @property
    def store(self) -> Store:
        return self.desk.store

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def show(self, text: Text) -> str:
        """A text in the reader's language."""
        try:
            return text.render(self.translate)
        except (KeyError, IndexError, ValueError):
            return text.render()

    def tell(self, browser: str, text: Text) -> None:
        """Say something on the next page that this browser loads."""
        self._told[browser] = text

    def told(self, browser: str) -> Text | None:
        return self._told.pop(browser, None)

    def close(self) -> None:
        self.desk.close()
