"""The engines by name.

Invariant: an engine's module is imported when that engine is chosen, and no other; each has a function
`made(environ) -> Engine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from ringwall.harvest.grouping.engine import Engine
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

ENGINES: dict[str, str] = {}
"""Name → module below `ringwall.harvest.grouping`; the first is the default."""


def engine_named(name: str, environ: Mapping[str, str]) -> Engine:
    """The engine of this name, the default where it is empty. Raises `UsageError` where there is none."""
    chosen = name or next(iter(ENGINES), "")
    if chosen not in ENGINES:
        raise UsageError(
            "harvest.engine",
            msg("There is no engine {name}.", name=ascii(name[:80])),
            msg("Engines are: {names}.", names=", ".join(ENGINES) or "-"),
            "--engine",
        )
    made: Engine = import_module(f"ringwall.harvest.grouping.{ENGINES[chosen]}").made(environ)
    return made
