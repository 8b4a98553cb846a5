"""`ringwall serve`: the console, until it is ended.

Invariant: a pairing code is printed only for a person at a terminal outside any agent's session.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from ringwall.cli.catalogue import _, language, translate
from ringwall.cli.group import Verb
from ringwall.cli.options import as_json, at_terminal, environment
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.console.pairing import Pairing
from ringwall.console.serve import PORT, listening, run
from ringwall.setup.person import require_person
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir, locate

port = click.option(
    "--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), metavar="N",
    help=_("The port on localhost; 0 for any free one."),
)  # fmt: skip


@click.command(
    cls=Verb,
    help=_(
        "Serve the page where people decide, on this machine alone, until ended with Ctrl-C. "
        "Prints the code that pairs a browser or a terminal."
    ),
)
@port
@as_json
def command(port: int, as_json: bool) -> None:
    """Listen, say where and by which code, serve."""
    require_person(environment())
    state = locate(os.environ)
    with listening(state, port) as (sockets, here):
        code = _code(state) if at_terminal() else ""
        address = f"http://{here.name}/"
        if as_json:
            print_json({"address": address, "code": code})
        else:
            print_lines(_shown(address, code))
        run(state, sockets, here, translate, language(os.environ).replace("_", "-"))


def _code(state: StateDir) -> str:
    store = Store(state)
    try:
        return Pairing(store).code()
    finally:
        store.close()


def _shown(address: str, code: str) -> Iterator[Line]:
    yield line(_("Console:"), " ", Part(address, "bold"))
    if code:
        yield line(_("Pairing code:"), " ", Part(code, "bold"))
        yield from paragraph(_("It works once, for ten minutes. More of them: ringwall open"))
    else:
        yield from paragraph(_("There is no terminal here, so no code is printed: ringwall open"))
