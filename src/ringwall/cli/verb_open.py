"""`ringwall open`: the console in a browser.

Invariant: a code is given only at a paired terminal outside any agent's session; a terminal is paired by
opening the console only as long as nothing else is.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb
from ringwall.cli.options import as_json, at_terminal, environment
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.verb_serve import port
from ringwall.console.pairing import Pairing
from ringwall.console.terminal import terminal
from ringwall.judge.endpoint import Endpoint, endpoint
from ringwall.model.errors import StateError
from ringwall.model.text import msg
from ringwall.setup.person import require_terminal
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir, locate

_PATIENCE = 30.0
_TICK = 0.05
_KEPT = (
    "HOME", "USER", "LOGNAME", "PATH", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TMPDIR", "TZ",
    "RINGWALL_HOME", "RINGWALL_LANG", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
    "CLAUDE_CONFIG_DIR",
)  # fmt: skip
"""What a console in the background knows of this terminal's environment: no keys of services."""


@click.command(
    cls=Verb,
    help=_(
        "Open the page where people decide, starting it where it does not run, and print a code that pairs "
        "the browser. At a terminal outside the agent."
    ),
)
@port
@click.option("--no-browser", is_flag=True, help=_("Only say where it is."))
@click.option("--anew", is_flag=True, help=_("Unpair every browser and terminal first, and start it anew."))
@as_json
def command(port: int, no_browser: bool, anew: bool, as_json: bool) -> None:
    """Find it or start it, show it, and give a code where that is this terminal's to give."""
    require_terminal(environment(), at_terminal())
    state = locate(os.environ)
    store = Store(state)
    pairing, own = Pairing(store), terminal()
    try:
        here = endpoint(state)
        if anew:
            pairing.unpair_all()
            if here is not None:
                _end(state, here)
            here = None
        here = here or _started(state, port)
        if own is not None and not pairing.places():
            pairing.starter(own)
        code = pairing.code() if own is not None and pairing.known_terminal(own) else ""
    finally:
        store.close()
    address = f"http://{here.name}/"
    if as_json:
        print_json({"address": address, "code": code})
    else:
        print_lines(_shown(address, code))
    if not no_browser:
        webbrowser.open(address)


def _shown(address: str, code: str) -> Iterator[Line]:
    yield line(_("Console:"), " ", Part(address, "bold"))
    if code:
        yield line(_("Pairing code:"), " ", Part(code, "bold"))
        yield from paragraph(_("It works once, for ten minutes; a browser that is paired needs none."))
    else:
        yield from paragraph(
            _("This terminal is not paired, so it gives no code. A paired browser does: page Pairing.")
        )
        yield from paragraph(_("If none is left: ringwall open --anew"))


def _started(state: StateDir, port: int) -> Endpoint:
    """A console apart from this terminal."""
    state.prepare()
    log = os.open(state.console_log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    words = [sys.executable, "-P", "-m", "ringwall.cli.main", "serve", "--port", str(port)]
    environ = {name: os.environ[name] for name in _KEPT if name in os.environ}
    process = subprocess.Popen(
        words, cwd="/", env=environ, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    os.close(log)
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        here = endpoint(state)
        if here is not None and here.pid == process.pid:
            return here
        time.sleep(_TICK)
    raise StateError(
        "console.not_started",
        msg("The console did not start."),
        msg("See its log: {path}", path=state.console_log),
    )


def _end(state: StateDir, here: Endpoint) -> None:
    """End the console that runs, so that another one is started."""
    os.kill(here.pid, 15)
    end = time.monotonic() + _PATIENCE
    while endpoint(state) is not None:
        if time.monotonic() > end:
            raise StateError(
                "console.not_ended",
                msg("The console (process {process}) does not end.", process=here.pid),
                msg("End it: kill -9 {process}", process=here.pid),
            )
        time.sleep(_TICK)
