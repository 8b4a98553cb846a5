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
from ringwall.setup.hook_client import hook_client
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
            msg("The MCP library is not installed: {name}.", name="mcp"),
            msg("Install it with: {command}", command="pip install 'ringwall[mcp]'"),
        ) from missing
    site = Site(absolute(project), environment(), locate(os.environ))
    anyio.run(served, site)


@command.command(
    "wrap", cls=Verb,
    help=_(
        "Start the MCP server COMMAND and judge each call of its tools. Put it in the place of COMMAND in "
        "the settings of a host. What the server says of its tools is held to what it said first."
    ),
    context_settings={"ignore_unknown_options": True},
)  # fmt: skip
@click.option("--name", default="", metavar="SERVER", help=_("Its name in rules (default: from COMMAND)."))
@project
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…")
def wrap(name: str, project: str, words: tuple[str, ...]) -> int:
    """Relay until one end goes."""
    from ringwall.gateways.wrapping import wrap_mcp

    state = locate(os.environ)
    return wrap_mcp(words, name, absolute(project), environment(), state, hook_client())
