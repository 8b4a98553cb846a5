"""`ringwall mcp serve`: Ringwall's own tools for agents. `ringwall mcp wrap -- COMMAND`: a gateway before an
MCP server."""

from __future__ import annotations

import os

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import absolute, environment, project
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.store.paths import locate


@click.group(cls=VerbGroup, help=_("Speak the Model Context Protocol: as a server, or before one."))
def command() -> None:
    """The group itself does nothing."""


@command.command("serve", cls=Verb, help=_("Offer Ringwall’s own tools over standard input and output."))
@project
def serve(project: str) -> None:
    """Serve until standard input ends."""
    try:
        import anyio

        from ringwall.mcp.serving import serve as served
        from ringwall.mcp.tools import Site
    except ModuleNotFoundError as missing:
        raise UsageError(
            "mcp.not_installed",
            msg("The MCP library is not installed: {name}.", name=missing.name),
            msg("Install it with: {command}", command="pip install 'ringwall[mcp]'"),
        ) from missing
    site = Site(absolute(project), environment(), locate(os.environ))
    anyio.run(served, site)
