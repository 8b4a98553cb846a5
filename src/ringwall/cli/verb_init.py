"""`ringwall init`: put the hooks into a host's settings, after showing the difference."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.changes import carry_out
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, as_json, environment, project, yes
from ringwall.hosts.registry import HOSTS
from ringwall.model.text import msg
from ringwall.setup.init import Scope, plan_init, plan_remove


@click.command(
    cls=Verb, help=_("Put Ringwall in front of HOST (default: claude); the difference is shown first.")
)
@click.argument("host", type=click.Choice(sorted(HOSTS)), default="claude", metavar="[HOST]")
@click.option(
    "--scope", type=click.Choice([scope.value for scope in Scope]), default=Scope.PROJECT.value,
    help=_("Whose settings: of the project, your own in the project, or your own everywhere."),
)  # fmt: skip
@click.option("--remove", is_flag=True, help=_("Take Ringwall out again; the file is as it was before."))
@click.option("--dry-run", is_flag=True, help=_("Only show the difference."))
@project
@yes
@as_json
def command(
    host: str, scope: str, remove: bool, dry_run: bool, project: str, yes: bool, as_json: bool
) -> int:
    """Plan the change and carry it out."""
    plan = plan_remove if remove else plan_init
    change = plan(host, Scope(scope), absolute(project), environment())
    done = msg("Ringwall no longer stands in front of {host}.", host=host) if remove else msg(
        "Ringwall stands in front of {host}. Try it out: ringwall doctor", host=host
    )  # fmt: skip
    return carry_out(change, show(done), sure=yes, only_show=dry_run, as_json=as_json)
