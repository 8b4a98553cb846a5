"""`ringwall daemon run | start | stop | status`: the process that answers hooks quickly."""

from __future__ import annotations

import os
import signal
import time

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import as_json
from ringwall.cli.output import paragraph, print_json, print_lines
from ringwall.daemon.lock import holder
from ringwall.daemon.start import start
from ringwall.model.errors import StateError
from ringwall.model.text import Text, msg
from ringwall.store.paths import StateDir, locate

_PATIENCE = 10.0
_TICK = 0.05


@click.group(
    cls=VerbGroup, help=_("Start, stop or look at the daemon. It starts by itself when a hook needs it.")
)
def command() -> None:
    """The group itself does nothing."""


@command.command("run", cls=Verb, help=_("Be the daemon, in the foreground, until idle or ended."))
def run_() -> int:
    """Serve; ends at once where a daemon runs already."""
    import sys

    from ringwall.daemon.__main__ import main

    sys.argv[1:] = [locate(os.environ).path]
    return main()


@command.command("start", cls=Verb, help=_("Start the daemon unless it runs."))
@as_json
def start_(as_json: bool) -> int:
    """Start and wait until it holds its lock."""
    state = locate(os.environ)
    started = start(state, os.environ)
    if not _becomes(state, running=True):
        raise StateError(
            "daemon.not_started",
            msg("The daemon did not start."),
            msg("See its log: {path}", path=state.daemon_log),
        )
    text = msg("The daemon was started.") if started else msg("The daemon runs already.")
    return _tell(state, text, as_json, True)


@command.command("stop", cls=Verb, help=_("End the daemon after the calls that it is judging."))
@as_json
def stop_(as_json: bool) -> int:
    """Ask it to end and wait until it has."""
    state = locate(os.environ)
    process = holder(state)
    if process == 0:
        raise StateError(
            "daemon.starting", msg("The daemon is only just starting."), msg("Try again in a moment.")
        )
    if process is not None:
        os.kill(process, signal.SIGTERM)
        if not _becomes(state, running=False):
            raise StateError(
                "daemon.not_ended",
                msg("The daemon (process {process}) does not end.", process=process),
                msg("End it: kill -9 {process}", process=process),
            )
    text = msg("The daemon has ended.") if process is not None else msg("No daemon runs.")
    return _tell(state, text, as_json, True)


@command.command("status", cls=Verb, help=_("Say whether the daemon runs; exit status 1 when it does not."))
@as_json
def status_(as_json: bool) -> int:
    """How it stands."""
    state = locate(os.environ)
    return _tell(state, told(state), as_json, holder(state) is not None)


def told(state: StateDir) -> Text:
    """How the daemon stands, in words."""
    process = holder(state)
    if process is None:
        return msg("No daemon runs; the next hook starts one.")
    return msg("The daemon runs (process {process}).", process=process)


def _becomes(state: StateDir, running: bool) -> bool:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if (holder(state) is not None) == running:
            return True
        time.sleep(_TICK)
    return False


def _tell(state: StateDir, text: Text, as_json: bool, ok: bool) -> int:
    process = holder(state)
    if as_json:
        print_json({"running": process is not None, "process": process, "socket": state.socket})
    else:
        print_lines(paragraph(show(text)))
    return 0 if ok else 1
