"""`ringwall install`: say what is missing; install skills, and hooks for all projects of a person."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.changes import carry_out_all
from ringwall.cli.check_view import print_report
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, as_json, environment, yes
from ringwall.hosts.registry import HOSTS
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.change import Change
from ringwall.setup.init import Scope, plan_init, plan_remove
from ringwall.setup.install import examine, meant, mixed_homes
from ringwall.setup.person import require_person
from ringwall.setup.skill_files import PLACES, plan_skills, plan_skills_removal


@click.command(
    cls=Verb,
    help=_(
        "Say what is missing (--check), install Ringwall’s skills (--skills), or skills and hooks for all "
        "your projects (--global). The difference is shown first."
    ),
)
@click.option("--check", is_flag=True, help=_("Say what is there, what is missing, and how to get it."))
@click.option(
    "--global",
    "everywhere",
    is_flag=True,
    help=_("Install the skills, and hooks in your own settings of each host."),
)
@click.option("--skills", is_flag=True, help=_("Install the skills role, sdd and ringwall."))
@click.option(
    "--host", "hosts", type=click.Choice(sorted(HOSTS)), multiple=True, metavar="HOST",
    help=_("For this host alone, as `ringwall init` names it (may be repeated; else each on PATH)."),
)  # fmt: skip
@click.option("--remove", is_flag=True, help=_("Take them away again; what was there before comes back."))
@click.option("--replace", is_flag=True, help=_("Also replace, or remove, skills that somebody changed."))
@click.option("--dry-run", is_flag=True, help=_("Only show the difference."))
@click.option(
    "--trust-hooks", is_flag=True,
    help=_("Say yes for yourself where a host wants you to trust the hooks; --yes does not."),
)  # fmt: skip
@yes
@as_json
def command(
    check: bool, everywhere: bool, skills: bool, hosts: tuple[str, ...], remove: bool, replace: bool,
    dry_run: bool, trust_hooks: bool, yes: bool, as_json: bool,
) -> int:  # fmt: skip
    """Check, or plan the changes and carry them out."""
    if check + everywhere + skills != 1:
        raise UsageError(
            "install.what",
            msg("Say one thing that is to be done."),
            msg("Use --check, --skills or --global."),
        )
    env = environment()
    warning = mixed_homes(env)
    if warning is not None:
        click.echo(warning, err=True)
    if check:
        return print_report(examine(hosts, env), as_json, _("Nothing that is needed is missing."))
    require_person(env)
    wanted = meant(hosts, env)
    changes = _skills(wanted, remove, replace) + (_hooks(wanted, remove) if everywhere else ())
    titles = ", ".join(HOSTS[host].installation.title for host in wanted)
    done = msg("Removed from {hosts}.", hosts=titles) if remove else msg(
        "Installed for {hosts}.", hosts=titles
    )  # fmt: skip
    return carry_out_all(
        changes, show(done), sure=yes, consents=trust_hooks or remove, only_show=dry_run, as_json=as_json
    )


def _skills(hosts: Sequence[str], remove: bool, replace: bool) -> tuple[Change, ...]:
    with_skills = [host for host in hosts if host in PLACES]
    plan = plan_skills_removal if remove else plan_skills
    return plan(with_skills, environment(), replace=replace)


def _hooks(hosts: Sequence[str], remove: bool) -> tuple[Change, ...]:
    plan = plan_remove if remove else plan_init
    return tuple(change for host in hosts for change in plan(host, Scope.USER, absolute("."), environment()))
