"""`ringwall init`: put the hooks into the settings of hosts, after showing the difference."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.changes import carry_out_all
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, as_json, environment, project, yes
from ringwall.hosts.registry import HOSTS
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.init import Scope, found_hosts, plan_init, plan_remove

ALL = "all"


@click.command(
    cls=Verb,
    help=_(
        "Put Ringwall in front of HOST (default: claude; all: each that is found); the difference is shown "
        "first."
    ),
)
@click.argument("host", type=click.Choice([*sorted(HOSTS), ALL]), required=False, metavar="[HOST]")
@click.option("--host", "named", type=click.Choice([*sorted(HOSTS), ALL]), help=_("The same as HOST."))
@click.option(
    "--scope", type=click.Choice([scope.value for scope in Scope]), default=None,
    help=_(
        "Whose settings: of the project (usual for claude), your own in the project, or your own everywhere "
        "(usual for the others)."
    ),
)  # fmt: skip
@click.option("--remove", is_flag=True, help=_("Take Ringwall out again; the files are as they were before."))
@click.option("--dry-run", is_flag=True, help=_("Only show the difference."))
@click.option(
    "--trust-hooks", is_flag=True,
    help=_("Say yes for yourself where a host wants you to trust the hooks; --yes does not."),
)  # fmt: skip
@project
@yes
@as_json
def command(
    host: str | None, named: str | None, scope: str | None, remove: bool, dry_run: bool, trust_hooks: bool,
    project: str, yes: bool, as_json: bool,
) -> int:  # fmt: skip
    """Plan the changes and carry them out."""
    plan = plan_remove if remove else plan_init
    hosts = _hosts(host, named)
    folder = absolute(project)
    whose = Scope(scope) if scope else None
    changes = tuple(change for each in hosts for change in plan(each, whose, folder, environment()))
    titles = ", ".join(HOSTS[each].installation.title for each in hosts)
    done = msg("Ringwall no longer stands in front of {host}.", host=titles) if remove else msg(
        "Ringwall stands in front of {host}. Try it out: ringwall doctor", host=titles
    )  # fmt: skip
    return carry_out_all(
        changes, show(done), sure=yes, consents=trust_hooks or remove, only_show=dry_run, as_json=as_json
    )


def _hosts(host: str | None, named: str | None) -> tuple[str, ...]:
    if host and named and host != named:
        raise UsageError(
            "cli.two_hosts",
            msg("Two hosts are named: {first} and {second}.", first=host, second=named),
            msg("Name one, or `all`."),
        )
    wanted = host or named or "claude"
    if wanted != ALL:
        return (wanted,)
    found = found_hosts(environment())
    if not found:
        raise UsageError(
            "cli.no_host",
            msg("No host that Ringwall knows is on PATH."),
            msg("Install one, or name it."),
        )
    return found
