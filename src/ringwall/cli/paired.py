"""The terminal as a place where a person decides.

Invariant: a terminal decides only when it is paired with the console; the code for that comes from a place
that is, never from this terminal itself.
"""

from __future__ import annotations

import click

from ringwall.cli.catalogue import show
from ringwall.console.pairing import Pairing
from ringwall.console.terminal import terminal
from ringwall.model.errors import UsageError
from ringwall.model.text import msg


def paired_terminal(pairing: Pairing) -> None:
    """Make sure that this terminal is paired, asking for a code where it is not. Raises `UsageError`."""
    here = terminal()
    if here is None:
        raise UsageError(
            "console.no_terminal",
            msg("This terminal cannot be told from others."),
            msg("Decide in the console: ringwall open"),
        )
    if pairing.known_terminal(here) is not None:
        return
    if not pairing.any():
        raise UsageError(
            "console.unpaired",
            msg("No browser or terminal is paired yet, so nobody can decide here."),
            msg("Run `ringwall open` in this terminal first."),
        )
    told = msg("This terminal is not paired. A code stands on the page Pairing of a paired browser.")
    click.echo(show(told))
    code = click.prompt(show(msg("Pairing code")), default="", show_default=False)
    pairing.terminal(code, here)
