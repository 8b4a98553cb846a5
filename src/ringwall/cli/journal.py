"""The journal as verbs read it. Invariant: reading never makes a state directory where there is none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ringwall.store.paths import locate

if TYPE_CHECKING:
    from ringwall.store.engine import Store


@contextmanager
def opened() -> Iterator[Store | None]:
    """The store of this user, or None where nothing was ever journalled."""
    state = locate(os.environ)
    if not os.path.exists(state.database):
        yield None
        return
    from ringwall.store.engine import Store

    store = Store(state)
    try:
        yield store
    finally:
        store.close()
