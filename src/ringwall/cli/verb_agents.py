"""`ringwall agents create | list | show | revise | accept | reject | event | archive`: agents by name.

Invariant: what changes an agent is a person's act and stands in its events with the person's words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from ringwall.agents.model import OPERATOR, Act, AgentEvent, State
from ringwall.agents.registry import Agent, Registry
from ringwall.cli.catalogue import _, show
from ringwall.cli.desk import person
from ringwall.cli.group import Verb, VerbGroup
from ringwall.cli.options import absolute, as_json, environment, project
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.visible import visible_line
from ringwall.model.errors import StateError, UsageError
from ringwall.model.text import msg
from ringwall.setup.person import require_person
from ringwall.store.paths import locate

_STYLES = {
    State.WORKING: "bold cyan", State.REPORTED: "bold yellow", State.ACCEPTED: "bold green",
    State.REJECTED: "bold red", State.ARCHIVED: "dim",
}  # fmt: skip
_NEWEST = 20

_name = click.argument("name", metavar="NAME")


@click.group(cls=VerbGroup, help=_("Name agents, follow their missions, and say what was wrong with them."))
def command() -> None:
    """The group itself does nothing."""


@command.command(cls=Verb, help=_("Create agent NAME: small letters, digits and hyphens."))
@_name
@click.option("--role", required=True, metavar="ROLE", help=_("What it works as, such as developer."))
@project
@as_json
def create(name: str, role: str, project: str, as_json: bool) -> None:
    """A new agent; one that was archived makes room."""
    agent = _deciding().create(name, role, absolute(project), person())
    _tell(agent, as_json)


@command.command("list", cls=Verb, help=_("List the agents and where their missions stand."))
@click.option("--all", "archived", is_flag=True, help=_("Archived ones too."))
@as_json
def list_(archived: bool, as_json: bool) -> None:
    """One line each; a broken one is named."""
    registry = Registry(locate(environment()))
    agents: list[Agent] = []
    broken: list[StateError] = []
    for name in registry.names():
        try:
            agents.append(registry.agent(name))
        except StateError as error:
            broken.append(error)
    shown = [each for each in agents if archived or each.control.state is not State.ARCHIVED]
    if as_json:
        print_json([_row(each) for each in shown])
    elif shown:
        print_lines(map(_line, shown))
    else:
        print_lines(paragraph(_("There is no agent. To make one: ringwall agents create NAME --role ROLE")))
    for fault in broken:
        click.echo(f"{fault.where}: {show(fault.what)}", err=True)


@command.command("show", cls=Verb, help=_("Show agent NAME and its newest events."))
@_name
@as_json
def show_(name: str, as_json: bool) -> None:
    """Spec, control, events."""
    registry = Registry(locate(environment()))
    agent, events = registry.agent(name), registry.events(name)
    if as_json:
        print_json({**_row(agent), "events": msgspec.to_builtins(events)})
        return
    print_lines([_line(agent), *paragraph(agent.spec.project, 2, "dim")])
    print_lines(each for event in events[-_NEWEST:] for each in _event_lines(event))


@command.command(cls=Verb, help=_("Send NAME back to work, and say what to do differently."))
@_name
@click.option("--note", required=True, metavar="WORDS", help=_("What to do differently; it is harvested."))
@as_json
def revise(name: str, note: str, as_json: bool) -> None:
    """A correction."""
    _tell(_deciding().act(name, Act.REVISE, _said(note), person()), as_json)


@command.command(cls=Verb, help=_("Accept what NAME has done."))
@_name
@click.option("--note", default="", metavar="WORDS", help=_("A remark; it is not harvested."))
@as_json
def accept(name: str, note: str, as_json: bool) -> None:
    """The mission ends well."""
    _tell(_deciding().act(name, Act.ACCEPT, note, person()), as_json)


@command.command(cls=Verb, help=_("Reject what NAME has done, and say why."))
@_name
@click.option("--reason", "--note", "reason", required=True, metavar="WORDS", help=_("Why; it is harvested."))
@as_json
def reject(name: str, reason: str, as_json: bool) -> None:
    """A correction that ends the mission."""
    _tell(_deciding().act(name, Act.REJECT, _said(reason), person()), as_json)


@command.command(
    cls=Verb,
    help=_(
        "Record that something happened to NAME. `report` says that its work is done, `start` that a new "
        "mission begins; any other TYPE is only recorded."
    ),
)
@_name
@click.argument("type", metavar="TYPE")
@click.option("--detail", default="{}", metavar="JSON", help=_("More about it: a JSON object."))
@as_json
def event(name: str, type: str, detail: str, as_json: bool) -> None:
    """An event; only two types move the mission."""
    registry = _deciding()
    if type in (Act.REPORT, Act.START):
        _tell(registry.act(name, Act(type), by=person()), as_json)
        return
    told = registry.record(name, type, _object(detail), OPERATOR)
    if as_json:
        print_json(msgspec.to_builtins(told))
    else:
        print_lines(_event_lines(told))


@command.command(cls=Verb, help=_("Put NAME away; its events stay, and the name is free again."))
@_name
@as_json
def archive(name: str, as_json: bool) -> None:
    """The last act."""
    _tell(_deciding().act(name, Act.ARCHIVE, by=person()), as_json)


def _deciding() -> Registry:
    """The registry for a person. Raises `UsageError` in an agent's session."""
    require_person(environment())
    return Registry(locate(environment()))


def _said(words: str) -> str:
    if not words.strip():
        raise UsageError(
            "agents.no_words",
            msg("A correction without words teaches nothing."),
            msg("Say what was wrong, or what to do differently."),
        )
    return words


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UsageError(
            "agents.detail",
            msg("The detail is not a JSON object."),
            msg("Write it like {example}.", example='{"branch": "main"}'),
            "--detail",
        )
    return value


def _tell(agent: Agent, as_json: bool) -> None:
    if as_json:
        print_json(_row(agent))
    else:
        print_lines([_line(agent)])


def _row(agent: Agent) -> dict[str, Any]:
    values: dict[str, Any] = {**msgspec.to_builtins(agent.spec), **msgspec.to_builtins(agent.control)}
    return values


def _line(agent: Agent) -> Line:
    control = agent.control
    return line(
        Part(agent.spec.name, "bold"), "  ", Part(control.state.value.ljust(8), _STYLES[control.state]), "  ",
        agent.spec.role, "  ",
        Part(show(msg("mission {number}", number=control.mission)), "dim"), "  ",
        Part(control.changed[:16].replace("T", " "), "dim"),
    )  # fmt: skip


def _event_lines(event: AgentEvent) -> Iterator[Line]:
    yield line(
        Part(f"{event.seq:>4}  {visible_line(event.at[:19].replace('T', ' '))}  ", "dim"),
        Part(visible_line(event.type), "bold"),
        Part(f"  {visible_line(event.actor)}", "dim"),
    )
    note = event.detail.get("note")
    if isinstance(note, str):
        yield from paragraph(note, 6)
