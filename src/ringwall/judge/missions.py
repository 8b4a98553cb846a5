"""Sessions that run as a registered agent, and what people say no to in them.

Invariant: words reach the agent's events after the decision that they belong to is committed, and never undo
or delay it: a registry that cannot be written loses a correction and nothing else (docs/adr/0083). Nothing
that the gate decides rests on it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from ringwall.agents.model import Correcting, State
from ringwall.agents.registry import Registry
from ringwall.approvals import proposal as approvals
from ringwall.approvals.proposal import Proposal
from ringwall.journal.write import Entry, Journal
from ringwall.judge import identity
from ringwall.judge.case import Case
from ringwall.judge.identity import IDENTITY, Bound
from ringwall.judge.person import person
from ringwall.model.errors import RingwallError, UsageError
from ringwall.model.text import msg
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

ROLE = "worker"
"""As which role of the policy a session runs, unless the person says otherwise."""

_KNOWN = 4096
_PATIENCE = 0.05  # all calls wait while one session is bound


class Missions:
    """Binds sessions to agents, each once."""

    def __init__(self, state: StateDir) -> None:
        self._registry = Registry(state, patience=_PATIENCE)
        self._known: set[tuple[str, str, str]] = set()

    def bind(self, cases: Iterable[Case], sessions: Sequence[Bound], now: float) -> None:
        """Say in the registry which of these sessions run as an agent."""
        for case in cases:
            if IDENTITY not in case.asked.environ or case.event is None:
                continue
            found = identity.known(case.asked.environ, sessions, now)
            if found is not None and found.agent and case.event.session:
                self._bind(found.agent, case.asked.host, case.event.session)

    def _bind(self, agent: str, host: str, session: str) -> None:
        if (agent, host, session) in self._known:
            return
        with suppress(RingwallError):
            self._registry.bind(agent, host, session)
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known.add((agent, host, session))


@contextmanager
def running_as(state: StateDir, name: str, role: str = ROLE) -> Iterator[Mapping[str, str]]:
    """What the environment of a session that runs as this agent, or without a name, with this role of the
    policy holds besides. Raises `UsageError` where there is no such agent, or it is put away."""
    if name:
        _check_agent(state, name)
    token = secrets.token_urlsafe(32)
    with _writing(state) as entry:
        identity.bind(entry, token, name, role, person(), int(time.time()))
    try:
        yield {IDENTITY: token}
    finally:
        with suppress(RingwallError), _writing(state) as entry:
            identity.release(entry, token, int(time.time()))


def _check_agent(state: StateDir, name: str) -> None:
    agent = Registry(state).agent(name)
    if agent.control.state is State.ARCHIVED:
        raise UsageError(
            "agents.archived",
            msg("The agent {name} is archived.", name=name),
            msg(
                "Create it anew: ringwall agents create {name} --role {role}", name=name, role=agent.spec.role
            ),
            "--agent",
        )


@contextmanager
def _writing(state: StateDir) -> Iterator[Entry]:
    store = Store(state)
    try:
        with Journal(store).writing() as entry:
            yield entry
    finally:
        store.close()


def rejected(state: StateDir, proposals: Iterable[Proposal], by: str, because: str) -> None:
    """A person refused these; what they said is the agents' whose sessions asked."""
    for one in proposals:
        if one.state is not approvals.State.REJECTED:
            continue
        with suppress(RingwallError):
            registry = Registry(state)
            name = registry.running(one.host, one.session)
            if name:
                registry.corrected(name, Correcting.PROPOSAL_REJECT, because, by, one.event)


def plan_ended(state: StateDir, root: str, by: str, because: str) -> None:
    """A person ended a plan before it was done. It belongs to a working tree and to no session, so the words
    are an agent's only where a single one works there."""
    with suppress(RingwallError):
        registry = Registry(state)
        there = [
            name
            for name in registry.names()
            if (agent := registry.agent(name)).control.state in (State.WORKING, State.REPORTED)
            and agent.spec.project == root
        ]
        if len(there) == 1:
            registry.corrected(there[0], Correcting.PLAN_REJECT, because, by)
