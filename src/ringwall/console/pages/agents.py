"""The agents: where their missions stand, and what people said to them."""

from __future__ import annotations

from ringwall.agents.model import MOVES, Act, Spec, State
from ringwall.agents.registry import Agent, Registry
from ringwall.console.page import Go, Page, View, Visit
from ringwall.model.errors import StateError, UsageError
from ringwall.model.text import Text, msg

NEWEST = 100

_ACTS = (Act.REVISE, Act.ACCEPT, Act.REJECT, Act.START, Act.ARCHIVE)
_WITH_WORDS = frozenset({Act.REVISE, Act.REJECT})


def show(visit: Visit) -> View:
    """All of them; what is put away last."""
    registry = Registry(visit.console.state, visit.console.clock)
    agents: list[Agent] = []
    broken: list[tuple[str, Text]] = []
    for name in registry.names():
        try:
            agents.append(registry.agent(name))
        except StateError as error:
            broken.append((name, error.what))
    agents.sort(key=lambda agent: (agent.control.state is State.ARCHIVED, agent.spec.name))
    return View("agents.html", {"agents": agents, "broken": broken})


def one(visit: Visit) -> View:
    """An agent with its newest events, and what can be said to it now."""
    registry = Registry(visit.console.state, visit.console.clock)
    name = visit.path["name"]
    agent = registry.agent(name)
    events = registry.events(name)[-NEWEST:]
    spec: Spec = agent.spec
    acts = [act for act in _ACTS if act in MOVES[agent.control.state]]
    values = {"agent": agent, "spec": spec, "events": events[::-1], "acts": acts, "words": _WITH_WORDS}
    return View("agent.html", values)


def act(visit: Visit) -> Go:
    """A person's word to an agent."""
    registry = Registry(visit.console.state, visit.console.clock)
    name = visit.path["name"]
    wanted = next((each for each in _ACTS if each.value == visit.path["act"]), None)
    if wanted is None:
        raise UsageError("agents.act", msg("There is no such act."), msg("Load the page again."))
    words = visit.form.get("words", "").strip()
    if wanted in _WITH_WORDS and not words:
        raise UsageError(
            "agents.no_words",
            msg("A correction without words teaches nothing."),
            msg("Say what was wrong, or what to do differently."),
        )
    agent = registry.act(name, wanted, words, visit.console.who)
    return Go(f"/agents/{name}", msg("{name} is {state} now.", name=name, state=agent.control.state.value))


page = Page(
    msg("Agents"),
    "/agents",
    {"/agents": show, "/agents/{name}": one},
    {"/agents/{name}/{act}": act},
    order=65,
)
