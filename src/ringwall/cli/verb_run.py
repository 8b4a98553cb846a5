"""`ringwall run HOST -- ARGS`: one agent session with Ringwall in front; the project is not changed."""

from __future__ import annotations

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb
from ringwall.cli.options import absolute, environment, project
from ringwall.hosts.registry import HOSTS
from ringwall.judge.missions import ROLE, running_as
from ringwall.judge.waiting import HEADLESS
from ringwall.policy.roles import ROLES
from ringwall.setup.person import require_person
from ringwall.setup.run import run
from ringwall.store.paths import locate


@click.command(
    cls=Verb,
    help=_(
        "Start HOST with Ringwall in front; what follows -- is for HOST. Ends with the exit status of HOST."
    ),
    context_settings={"ignore_unknown_options": True},
)
@click.argument("host", type=click.Choice(sorted(HOSTS)), metavar="HOST")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@project
@click.option(
    "--headless/--attended", default=None,
    help=_("Nobody, or somebody, sits at the prompt of HOST (default: as HOST tells)."),
)  # fmt: skip
@click.option("--agent", metavar="NAME", help=_("The agent that the session runs as (ringwall agents)."))
@click.option(
    "--role", type=click.Choice(ROLES), metavar="ROLE",
    help=_("reader, worker, lead or owner: its role in the policy (default: worker)."),
)  # fmt: skip
def command(
    host: str, arguments: tuple[str, ...], project: str, headless: bool | None, agent: str | None,
    role: str | None,
) -> int:  # fmt: skip
    """Run the session."""
    said = {} if headless is None else {HEADLESS: "1" if headless else "0"}
    env = {**environment(), **said}
    if agent is None and role is None:
        return run(host, arguments, absolute(project), env)
    require_person(env)
    with running_as(locate(env), agent or "", role or ROLE) as more:
        return run(host, arguments, absolute(project), {**env, **more})
