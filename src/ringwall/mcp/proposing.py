"""Tools that propose outward acts: a person is shown what would happen, and on a yes Ringwall does it, once.

Invariant: who asks over MCP is an agent, always, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from ringwall.approvals.proposal import State
from ringwall.judge.here import here
from ringwall.judge.typed import Act, Ended, Proposing, deploy, merge, merge_request, open_request, push
from ringwall.mcp.tools import Answer, Site, Tool, threaded
from ringwall.model.visible import visible
from ringwall.policy.model import Policy
from ringwall.store.engine import Store

REQUESTER = "agent:mcp"
SESSION_VARIABLE = "RINGWALL_SESSION"


class _Waiting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    wait: Annotated[
        int, msgspec.Meta(ge=0, le=600, description="How many seconds to wait for the person's answer.")
    ] = 45


class Push(_Waiting, frozen=True, kw_only=True):
    """Where to."""

    remote: Annotated[str, msgspec.Meta(description="The remote's name.")] = "origin"
    branch: Annotated[str, msgspec.Meta(description="The branch there; empty for the one here.")] = ""


class Merge(_Waiting, frozen=True, kw_only=True):
    """What."""

    branch: Annotated[str, msgspec.Meta(description="The branch to merge into the one that is checked out.")]


class Request(_Waiting, frozen=True, kw_only=True):
    """A new pull request."""

    title: Annotated[str, msgspec.Meta(max_length=256, description="Its title.")]
    body: Annotated[str, msgspec.Meta(max_length=65_536, description="Its text.")] = ""
    base: Annotated[str, msgspec.Meta(description="The branch that it is for.")] = "main"


class Merging(_Waiting, frozen=True, kw_only=True):
    """A pull request that is there."""

    number: Annotated[int, msgspec.Meta(ge=1, description="Its number.")]


class Deployment(_Waiting, frozen=True, kw_only=True):
    """One of those that the policy has."""

    name: Annotated[str, msgspec.Meta(description="Its name under [deploy] in ringwall.toml.")]


def _proposes(made: Callable[[Any, Site, str, Policy], Act]) -> Callable[[Any, Site], Answer]:
    """The tool that proposes the act that `made` gives."""

    def run(asked: Any, site: Site) -> Answer:
        found = here(site.folder, site.environ, site.state)
        act = made(asked, site, found.places.home, found.policy)
        store = Store(site.state)
        try:
            session = site.environ.get(SESSION_VARIABLE, "")
            proposing = Proposing(store, found.policy)
            return _told(proposing.propose(act, REQUESTER, session, asked.wait, site.environ))
        finally:
            store.close()

    return run


def _told(ended: Ended) -> Answer:
    proposal = ended.proposal
    data = {"proposal": proposal.number, "state": proposal.state.value, "exit": ended.exit}
    if ended.exit is not None:
        text = f"Proposal {proposal.number} was run; exit status {ended.exit}.\n{ended.output}"
        return Answer(visible(text), data, failed=ended.exit != 0)
    if proposal.state is State.REJECTED:
        told = f"{proposal.decided_by} rejected this (proposal {proposal.number}): {proposal.because}"
        return Answer(visible(told), data, failed=True)
    return Answer(
        f"Nobody has decided yet. Go on with other work and propose exactly this again later, or tell the "
        f"person: `ringwall approve {proposal.number}`.",
        data,
    )


def _tool(
    name: str, does: str, arguments: type[_Waiting], made: Callable[[Any, Site, str, Policy], Act]
) -> Tool:
    text = f"Propose to {does}. A person sees what it would do; on a yes Ringwall does exactly that, once."
    return Tool(f"propose_{name}", text, arguments, threaded(_proposes(made)))


TOOLS = (
    _tool(
        "git_push", "push the commit that is checked out now", Push,
        lambda asked, site, home, policy: push(site.folder, home, policy, asked.remote, asked.branch),
    ),
    _tool(
        "merge", "merge a branch, as it is now, into the branch that is checked out", Merge,
        lambda asked, site, home, policy: merge(site.folder, home, policy, asked.branch),
    ),
    _tool(
        "pr_open", "open a pull request for the branch that is checked out (with gh)", Request,
        lambda asked, site, home, policy: open_request(
            site.folder, home, policy, asked.title, asked.body, asked.base
        ),
    ),
    _tool(
        "pr_merge", "merge a pull request at the commit that it has now (with gh)", Merging,
        lambda asked, site, home, policy: merge_request(site.folder, site.environ, policy, asked.number),
    ),
    _tool(
        "deploy", "run a deployment that the policy has", Deployment,
        lambda asked, site, home, policy: deploy(site.folder, home, policy, asked.name),
    ),
)  # fmt: skip
