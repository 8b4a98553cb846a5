"""`ringwall acp wrap -- COMMAND`: a gateway before an agent of the Agent Client Protocol."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import absolute, environment, project
from ringwall.judge.waiting import HEADLESS
from ringwall.setup.hook_client import hook_client


@click.group(cls=VerbGroup, help=_("Stand between an editor and an agent (Agent Client Protocol)."))
def command() -> None:
    """The group itself does nothing."""


@command.command(
    "wrap", cls=Verb,
    help=_(
        "Start the agent COMMAND and judge what it asks its editor for: permissions, files, terminals. Put "
        "it in the place of COMMAND in the settings of the editor."
    ),
    context_settings={"ignore_unknown_options": True},
)  # fmt: skip
@project
@click.option(
    "--headless", is_flag=True, help=_("Nobody sits at the editor: questions wait for `ringwall approve`.")
)
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…")
def wrap(project: str, headless: bool, words: tuple[str, ...]) -> int:
    """Relay until one end goes."""
    from ringwall.gateways.wrapping import wrap_acp

    said = {HEADLESS: "1"} if headless else {}
    return wrap_acp(words, absolute(project), {**environment(), **said}, hook_client())
