"""How a process that judges many calls collects its garbage.

Invariant: what was loaded before the first call is never looked through again, for none of it goes away; what
calls leave behind is looked through seldom, for almost all of it is gone by itself.
"""

from __future__ import annotations

import gc

_MADE = 20_000  # objects beyond those that are gone, between two looks: some twenty calls


def settle() -> None:
    """Call once, when everything is loaded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_MADE)
