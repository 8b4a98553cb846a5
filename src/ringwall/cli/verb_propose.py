"""`ringwall propose git-push | merge | pr-open | pr-merge | deploy`: an agent asks for an outward act, and
Ringwall does it on a yes."""

from __future__ import annotations

import os

import click

from ringwall.approvals.proposal import Proposal, State
from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import as_json
from ringwall.cli.output import line, paragraph, print_json, print_lines
from ringwall.cli.proposal_view import proposal_row
from ringwall.cli.visible import visible
from ringwall.judge.here import here
from ringwall.judge.person import person
from ringwall.judge.typed import Act, Ended, Proposing, deploy, merge, merge_request, open_request, push
from ringwall.model.text import msg
from ringwall.policy.model import Policy
from ringwall.setup.person import AGENT_VARIABLES, NAMING_VARIABLES
from ringwall.store.engine import Store
from ringwall.store.paths import locate

wait = click.option(
    "--wait", "seconds", type=click.IntRange(0, 3600), default=100, metavar="S",
    help=_("How many seconds to wait for the person (default: 100)."),
)  # fmt: skip


@click.group(
    cls=VerbGroup,
    help=_(
        "Propose an outward act. A person sees what it would do; on a yes Ringwall does exactly that, once."
    ),
)
def command() -> None:
    """The group itself does nothing."""


@command.command("git-push", cls=Verb, help=_("Push the commit that is checked out now."))
@click.argument("remote", default="origin")
@click.argument("branch", default="")
@wait
@as_json
def git_push(remote: str, branch: str, seconds: int, as_json: bool) -> int:
    """Propose a push."""
    place = _Here()
    return place.propose(push(place.folder, place.home, place.policy, remote, branch), seconds, as_json)


@command.command(
    "merge", cls=Verb, help=_("Merge BRANCH, as it is now, into the branch that is checked out.")
)
@click.argument("branch")
@wait
@as_json
def merge_(branch: str, seconds: int, as_json: bool) -> int:
    """Propose a merge."""
    place = _Here()
    return place.propose(merge(place.folder, place.home, place.policy, branch), seconds, as_json)


@command.command(
    "pr-open", cls=Verb, help=_("Open a pull request for the branch that is checked out (with gh).")
)
@click.option("--title", required=True, metavar="TITLE", help=_("Its title."))
@click.option("--body", default="", metavar="TEXT", help=_("Its text."))
@click.option(
    "--base", default="main", metavar="BRANCH", help=_("The branch that it is for (default: main).")
)
@wait
@as_json
def pr_open(title: str, body: str, base: str, seconds: int, as_json: bool) -> int:
    """Propose a pull request."""
    place = _Here()
    act = open_request(place.folder, place.home, place.policy, title, body, base)
    return place.propose(act, seconds, as_json)


@command.command(
    "pr-merge", cls=Verb, help=_("Merge pull request NUMBER at the commit that it has now (with gh).")
)
@click.argument("number", type=click.IntRange(1))
@wait
@as_json
def pr_merge(number: int, seconds: int, as_json: bool) -> int:
    """Propose to merge a pull request."""
    place = _Here()
    act = merge_request(place.folder, os.environ, place.policy, number)
    return place.propose(act, seconds, as_json)


@command.command(
    "deploy", cls=Verb, help=_("Run the deployment NAME of the policy ([deploy] in ringwall.toml).")
)
@click.argument("name")
@wait
@as_json
def deploy_(name: str, seconds: int, as_json: bool) -> int:
    """Propose a deployment."""
    place = _Here()
    return place.propose(deploy(place.folder, place.home, place.policy, name), seconds, as_json)


class _Here:
    """Where this runs: the folder, its policy, and who asks."""

    def __init__(self) -> None:
        self.folder = os.getcwd()
        found = here(self.folder, os.environ, locate(os.environ))
        self.home = found.places.home
        self.policy: Policy = found.policy

    def propose(self, act: Act, seconds: int, as_json: bool) -> int:
        """Ask, wait, tell; the exit status: of what ran, 1 where nothing ran."""
        session = next((os.environ[name] for name in NAMING_VARIABLES if os.environ.get(name)), "")
        agent = any(os.environ.get(name) for name in AGENT_VARIABLES)
        requester = "agent:shell" if agent else person()
        store = Store(locate(os.environ))
        try:
            proposing = Proposing(store, self.policy)
            ended = proposing.propose(act, requester, session, seconds, os.environ, _waits)
        finally:
            store.close()
        if as_json:
            row = proposal_row(ended.proposal)
            print_json({**row, "exit": ended.exit, "output": ended.output})
        else:
            _tell(ended)
        return 1 if ended.exit is None else ended.exit if 0 <= ended.exit < 256 else 1


def _waits(proposal: Proposal) -> None:
    """Say on standard error what is waited for, so that nobody takes waiting for hanging."""
    told = msg(
        "Proposal {number} waits for a person: ringwall open, or ringwall approve {number}.",
        number=proposal.number,
    )
    click.echo(show(told), err=True)


def _tell(ended: Ended) -> None:
    proposal = ended.proposal
    if ended.exit is not None:
        print_lines([*(line(row) for row in visible(ended.output).splitlines())])
        print_lines(paragraph(msg(
            "Proposal {number} was run; exit status {exit}.", number=proposal.number, exit=ended.exit
        )))  # fmt: skip
    elif proposal.state is State.REJECTED:
        print_lines(paragraph(msg(
            "{who} rejected this (proposal {number}): {because}",
            who=proposal.decided_by, number=proposal.number, because=proposal.because,
        )))  # fmt: skip
    else:
        print_lines(paragraph(msg(
            "Nobody has decided yet. Go on with other work and run exactly this again later, or tell the "
            "person: `ringwall approve {number}`.", number=proposal.number,
        )))  # fmt: skip
