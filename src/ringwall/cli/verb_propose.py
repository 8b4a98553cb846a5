"""`ringwall propose git-push | merge | pr-open`: an agent asks for an outward act, and Ringwall does it on a
yes."""

from __future__ import annotations

import os

import click

from ringwall.approvals.proposal import State
from ringwall.cli.catalogue import _
from ringwall.cli.desk import person
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import as_json
from ringwall.cli.output import line, paragraph, print_json, print_lines
from ringwall.cli.proposal_view import proposal_row
from ringwall.cli.visible import visible
from ringwall.judge.places import places_of
from ringwall.judge.policies import Policies
from ringwall.judge.standing import read_standing
from ringwall.judge.typed import Act, Proposing, merge, open_request, push
from ringwall.model.text import msg
from ringwall.policy.model import Policy
from ringwall.setup.person import AGENT_VARIABLES
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
    with _Here() as here:
        return here.propose(push(here.folder, here.home, here.policy, remote, branch), seconds, as_json)


@command.command(
    "merge", cls=Verb, help=_("Merge BRANCH, as it is now, into the branch that is checked out.")
)
@click.argument("branch")
@wait
@as_json
def merge_(branch: str, seconds: int, as_json: bool) -> int:
    """Propose a merge."""
    with _Here() as here:
        return here.propose(merge(here.folder, here.home, here.policy, branch), seconds, as_json)


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
    with _Here() as here:
        return here.propose(
            open_request(here.folder, here.home, here.policy, title, body, base), seconds, as_json
        )


class _Here:
    """Where this runs: the folder, its policy, and who asks."""

    def __enter__(self) -> _Here:
        state = locate(os.environ)
        self.folder = os.getcwd()
        places = places_of(self.folder, os.environ, state)
        self.home = places.home
        self._store = Store(state)
        with self._store.reading() as connection:
            standing = read_standing(connection)
        trusted = standing.trusted_below(f"{places.root}/.ringwall")
        self.policy: Policy = Policies().in_force(places, trusted, standing.sources).loaded.policy
        return self

    def __exit__(self, *_error: object) -> None:
        self._store.close()

    def propose(self, act: Act, seconds: int, as_json: bool) -> int:
        """Ask, wait, tell; the exit status: of what ran, 1 where nothing ran."""
        session = next((os.environ[name] for name in AGENT_VARIABLES[1:] if os.environ.get(name)), "")
        agent = any(os.environ.get(name) for name in AGENT_VARIABLES)
        requester = "agent:shell" if agent else person()
        ended = Proposing(self._store, self.policy).propose(act, requester, session, seconds, os.environ)
        proposal = ended.proposal
        if as_json:
            print_json({**proposal_row(proposal), "exit": ended.exit, "output": ended.output})
            return 1 if ended.exit is None else min(ended.exit % 256, 255)
        if ended.exit is not None:
            print_lines([*(line(row) for row in visible(ended.output).splitlines())])
            print_lines(
                paragraph(
                    msg(
                        "Proposal {number} was run; exit status {exit}.",
                        number=proposal.number,
                        exit=ended.exit,
                    )
                )
            )
            return ended.exit if 0 <= ended.exit < 256 else 1
        if proposal.state is State.REJECTED:
            print_lines(paragraph(msg(
                "{who} rejected this (proposal {number}): {because}",
                who=proposal.decided_by, number=proposal.number, because=proposal.because,
            )))  # fmt: skip
        else:
            print_lines(paragraph(msg(
                "Nobody has decided yet. Go on with other work and run exactly this again later, or tell the "
                "person: `ringwall approve {number}`.", number=proposal.number,
            )))  # fmt: skip
        return 1
