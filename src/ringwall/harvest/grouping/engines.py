"""The engines by the name under which a person chooses them. Invariant: one line per engine."""

from __future__ import annotations

from collections.abc import Mapping

from ringwall.harvest.grouping.agent_cli import AgentCli, programs
from ringwall.harvest.grouping.embedded import strict, wide
from ringwall.harvest.grouping.endpoint import Endpoint
from ringwall.harvest.grouping.engine import Engine
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

DEFAULT = "embedded"
BASE, MODEL, KEY = "RINGWALL_ENGINE_URL", "RINGWALL_ENGINE_MODEL", "RINGWALL_ENGINE_KEY"


def names() -> tuple[str, ...]:
    """All engines, the default first."""
    return (DEFAULT, "embedded-wide", *sorted(programs()), "endpoint")


def engine_named(name: str, environ: Mapping[str, str]) -> Engine:
    """The engine of this name, the default for none. Raises `UsageError` where it is not known or set up."""
    if name in ("", DEFAULT):
        return strict()
    if name == "embedded-wide":
        return wide()
    if name in programs():
        return AgentCli(programs()[name], environ)
    if name == "endpoint":
        return _endpoint(environ)
    raise unknown(name)


def unknown(name: str) -> UsageError:
    """There is no engine of this name."""
    return UsageError(
        "harvest.engine.unknown",
        msg("{name} is no engine.", name=ascii(name[:80])),
        msg("Choose one of: {names}.", names=", ".join(names())),
    )


def _endpoint(environ: Mapping[str, str]) -> Endpoint:
    base, model = environ.get(BASE, ""), environ.get(MODEL, "")
    if not base or not model:
        raise UsageError(
            "harvest.endpoint.unset",
            msg("The engine endpoint needs an address and a model."),
            msg("Set {base} (such as http://127.0.0.1:11434/v1) and {model}.", base=BASE, model=MODEL),
        )
    return Endpoint(base, model, environ.get(KEY, ""))
