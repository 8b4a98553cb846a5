"""Doctor's look at reading by contract: what it needs, and which wall stands.

Invariant: silent where reading is off; a weaker wall is a warning, never silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from ringwall.judge.reading_rows import stand
from ringwall.judge.reading_settings import Configured, configured
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.reading.isolation import SYSTEM_WALLS, Isolation, find_chromium
from ringwall.setup.check import Check, fail, ok, warn

_WALLS: dict[Isolation, Text] = {
    Isolation.JAIL: msg("Reading: the browser has no network and no files (bubblewrap)."),
    Isolation.NAMESPACE: msg("Reading: the browser has no network; it sees this machine's files."),
    Isolation.SWITCHES: msg("Reading: the browser is kept from the network by its switches only."),
}


def reading() -> Iterator[Check]:
    """Nothing where no person has set reading up."""
    try:
        settings = configured()
    except RingwallError as error:
        yield _failed(error)
        return
    if settings.off:
        return
    for name in ("playwright", "httpx"):
        if find_spec(name) is None:
            what = msg("Reading needs {name}, which is not installed.", name=name)
            yield fail("reading.installed", what, msg("Install it: pip install 'ringwall[reading]'."))
            return
    try:
        found = find_chromium(settings.settings.chromium)
        yield ok("reading.chromium", msg("Reading uses {path}.", path=found))
        yield _wall(settings)
        contract = settings.contract()
        yield ok("reading.contract", msg("The reading contract {name} is in order.", name=contract.id))
    except RingwallError as error:
        yield _failed(error)


def _wall(settings: Configured) -> Check:
    wall = stand(settings)
    what = _WALLS[wall.isolation]
    if wall.isolation is Isolation.JAIL:
        return ok("reading.isolation", what)
    if wall.isolation in SYSTEM_WALLS:
        return warn("reading.isolation", what, msg("Install bubblewrap (Debian: apt install bubblewrap)."))
    return warn("reading.isolation", what, msg("Take `isolation` out of [reading] where bubblewrap works."))


def _failed(error: RingwallError) -> Check:
    return fail("reading", msg("{error}", error=error), error.repair)
