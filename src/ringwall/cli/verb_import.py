"""`ringwall import`: take over the permission rules that another tool has already."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _
from ringwall.cli.changes import carry_out
from ringwall.cli.group import VerbGroup
from ringwall.cli.options import absolute, as_json, environment, project, yes
from ringwall.setup.import_claude import plan_import


@click.group(cls=VerbGroup, help=_("Take over the permission rules that another tool has already."))
def command() -> None:
    """The group itself does nothing."""


@command.command(
    short_help=_("Take over Claude Code’s rules."),
    help=_("Take over Claude Code’s allow, ask and deny rules into .ringwall/permissions.json."),
)
@click.option("--dry-run", is_flag=True, help=_("Only show the difference."))
@project
@yes
@as_json
def claude(dry_run: bool, project: str, yes: bool, as_json: bool) -> int:
    """Plan the import and carry it out."""
    change = plan_import(absolute(project), environment())
    done = _("The rules were taken over. What they allow counts once you trust the file: ringwall trust")
    return carry_out(change, done, sure=yes, only_show=dry_run, as_json=as_json)
