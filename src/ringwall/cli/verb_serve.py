"""`ringwall serve`: the console, until it is ended.

Invariant: a pairing code is printed only for a person at a terminal outside any agent's session.
"""

from __future__ import annotations

import os

import click

from ringwall.cli.catalogue import _, translate
from ringwall.cli.group import Verb
from ringwall.cli.options import at_terminal, environment
from ringwall.cli.output import Part, line, paragraph, print_lines
from ringwall.console.pairing import Pairing
from ringwall.console.serve import PORT, listening, run
from ringwall.model.text import msg
from ringwall.setup.person import require_person
from ringwall.store.engine import Store
from ringwall.store.paths import locate

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
def command(port: int) -> None:
    """Listen, say where and by which code, serve."""
    require_person(environment())
    state = locate(os.environ)
    with listening(state, port) as (sockets, here):
        print_lines([line(_("Console:"), " ", Part(f"http://{here.name}/", "bold"))])
        if at_terminal():
            store = Store(state)
            print_lines([line(_("Pairing code:"), " ", Part(Pairing(store).code(), "bold"))])
            print_lines(paragraph(_("It works once, for ten minutes. More of them: ringwall open")))
            store.close()
        else:
            print_lines(paragraph(msg("There is no terminal here, so no code is printed: ringwall open")))
        run(state, sockets, here, translate)
