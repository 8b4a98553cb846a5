"""The agents that a person has named, and what becomes of their missions.

Invariant: an agent changes under its own lock, control first and event after it. The two are not one
transaction: an event may be missing after a crash, and whoever reads events bears with that (H-12).
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

from ringwall.agents.files import (
    CONTROL,
    EVENTS,
    SPEC,
    control_json,
    line_of,
    read_control,
    read_events,
    read_spec,
    spec_json,
)
from ringwall.agents.model import (
    CREATED,
    MOVES,
    NAME,
    OPERATOR,
    SESSION,
    Act,
    AgentEvent,
    Control,
    Correcting,
    Spec,
    State,
    checked_name,
)
from ringwall.model.errors import StateError, UsageError
from ringwall.model.text import msg
from ringwall.store.durable import Folder, folder
from ringwall.store.paths import StateDir

AGENTS, FORMER = "agents", ".former"

_SESSIONS_KEPT = 32
_EVENT_TYPE = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
_RESERVED = frozenset({CREATED, SESSION, *Act, *Correcting})

LONGEST_EVENT = 64 * 1024
"""Bytes of one event."""

Clock = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent as it stands."""

    spec: Spec
    control: Control


class Registry:
    """All agents of one state directory. `patience`: how many seconds it waits for a lock."""

    def __init__(self, state: StateDir, clock: Clock = time.time_ns, patience: float | None = None) -> None:
        self._state = state
        self._clock = clock
        self._patience = patience

    def create(self, name: str, role: str, project: str, by: str = "") -> Agent:
        """A new agent, with a mission to work at. An archived one of that name makes room. Raises
        `UsageError` where one is there, or a name is none."""
        spec = Spec(
            checked_name(name, msg("name of an agent")),
            checked_name(role, msg("role")),
            _absolute(project),
        )
        self._state.prepare()
        with self._top(make=True) as top, self._locked(top):
            self._make_room(top, name)
            with top.below(name, make=True) as place, self._locked(place):
                control = Control(incarnation=secrets.token_hex(16), changed=self._now())
                created = self._event(place, CREATED, OPERATOR, {"role": role, **_by(by)})
                place.write(SPEC, spec_json(spec))
                place.write(CONTROL, control_json(control))
                place.append(EVENTS, line_of(created))
        return Agent(spec, control)

    def names(self) -> list[str]:
        """The agents there are, archived ones too, by name."""
        if not os.path.isdir(f"{self._state.path}/{AGENTS}"):
            return []
        with self._top() as top:
            return [name for name in top.names() if NAME.fullmatch(name)]

    def agent(self, name: str) -> Agent:
        """Raises `UsageError` where there is none of that name, `StateError` where it is broken."""
        with self._open(name) as place:
            return _read(place)

    def events(self, name: str) -> list[AgentEvent]:
        with self._open(name) as place:
            return list(read_events(place.read(EVENTS)))

    def act(self, name: str, act: Act, note: str = "", by: str = "", actor: str = OPERATOR) -> Agent:
        """Move the agent's mission; the note stands in the event (H-10). Raises `UsageError` where its
        mission does not allow it."""
        with self._open(name) as place, self._locked(place):
            agent = _read(place)
            after = MOVES[agent.control.state].get(act)
            if after is None:
                raise _not_now(agent, act)
            mission = agent.control.mission + (act is Act.START)
            control = msgspec.structs.replace(
                agent.control, state=after, mission=mission, changed=self._now()
            )
            detail = {"mission": mission, **({"note": note} if note else {}), **_by(by)}
            event = self._event(place, act.value, actor, detail)
            place.write(CONTROL, control_json(control))
            place.append(EVENTS, line_of(event))
            return Agent(agent.spec, control)

    def record(self, name: str, type: str, detail: Mapping[str, Any], actor: str) -> AgentEvent:
        """Add an event that moves nothing. Raises `UsageError` for a type that says that something moved, or
        that a person corrected something."""
        if not _EVENT_TYPE.fullmatch(type) or type in _RESERVED:
            raise UsageError(
                "agents.type",
                msg("{type} is no type of an event that can be recorded.", type=ascii(type[:80])),
                msg("Use a word of small letters and underscores that no verb of `ringwall agents` has."),
            )
        return self._add(name, type, detail, actor)

    def corrected(self, name: str, what: Correcting, note: str, by: str, call: str = "") -> AgentEvent:
        """A person refused something that the agent proposed, and said why; `call` is the journal's id of the
        tool call, where it was one."""
        detail = {"note": note, **_by(by), **({"call": call} if call else {})}
        return self._add(name, what.value, detail, OPERATOR)

    def _add(self, name: str, type: str, detail: Mapping[str, Any], actor: str) -> AgentEvent:
        with self._open(name) as place, self._locked(place):
            _read(place)
            event = self._event(place, type, actor, detail)
            place.append(EVENTS, line_of(event))
            return event

    def bind(self, name: str, host: str, session: str) -> None:
        """Say that a session of a host runs as this agent; said once."""
        with self._open(name) as place, self._locked(place):
            agent = _read(place)
            if (host, session) in agent.control.sessions:
                return
            kept = (*agent.control.sessions, (host, session))[-_SESSIONS_KEPT:]
            event = self._event(place, SESSION, "ringwall", {"host": host, "session": session})
            place.write(CONTROL, control_json(msgspec.structs.replace(agent.control, sessions=kept)))
            place.append(EVENTS, line_of(event))

    def running(self, host: str, session: str) -> str:
        """The agent that this session runs as, empty where it is none; without a host it is any host's."""
        for name in self.names():
            try:
                control = self.agent(name).control
            except StateError:
                continue
            bound = any(one == session and host in ("", known) for known, one in control.sessions)
            if bound and control.state is not State.ARCHIVED:
                return name
        return ""

    @contextmanager
    def _top(self, make: bool = False) -> Iterator[Folder]:
        with folder(self._state.path) as state, state.below(AGENTS, make=make) as top:
            yield top

    @contextmanager
    def _open(self, name: str) -> Iterator[Folder]:
        if not NAME.fullmatch(name) or not os.path.isdir(f"{self._state.path}/{AGENTS}/{name}"):
            raise UsageError(
                "agents.none",
                msg("There is no agent {name}.", name=ascii(name[:80])),
                msg("See `ringwall agents list`."),
            )
        with self._top() as top, top.below(name) as place:
            yield place

    def _locked(self, place: Folder) -> AbstractContextManager[None]:
        return place.locked(seconds=self._patience)

    def _make_room(self, top: Folder, name: str) -> None:
        """Refuse where an agent stands; put an archived one aside; go on where a crash has left only the
        beginning of one."""
        if not top.has(name):
            return
        with top.below(name) as place:
            if not any(read_events(place.read(EVENTS))):
                return
            agent = _read(place)
        if agent.control.state is not State.ARCHIVED:
            raise UsageError(
                "agents.there",
                msg("There is an agent {name} already.", name=name),
                msg("Take another name, or archive it: ringwall agents archive {name}", name=name),
            )
        with top.below(FORMER, make=True) as former:
            top.move(name, former, f"{name}.{agent.control.incarnation or secrets.token_hex(16)}")

    def _event(self, place: Folder, type: str, actor: str, detail: Mapping[str, Any]) -> AgentEvent:
        """The next event. Raises `UsageError` where it cannot be kept, before anything has changed."""
        last = max((event.seq for event in read_events(place.read(EVENTS))), default=0)
        event = AgentEvent(last + 1, self._now(), type, actor, dict(detail))
        try:
            fits = len(line_of(event)) <= LONGEST_EVENT
        except UnicodeEncodeError:
            fits = False
        if not fits:
            raise UsageError(
                "agents.event",
                msg("An event is Unicode text of at most {most} bytes.", most=LONGEST_EVENT),
                msg("Say it shorter, or without what is no text."),
            )
        return event

    def _now(self) -> str:
        moment = datetime.fromtimestamp(self._clock() / 1e9, UTC)
        return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _read(place: Folder) -> Agent:
    spec = read_spec(place.read(SPEC), place.path)
    return Agent(spec, read_control(place.read(CONTROL), place.path))


def _absolute(project: str) -> str:
    if not os.path.isabs(project) or "\0" in project:
        raise UsageError(
            "agents.project",
            msg("{path} is not the absolute path of a project.", path=ascii(project)),
            msg("Name the folder of the project."),
            "--project",
        )
    return os.path.normpath(project)


def _not_now(agent: Agent, act: Act) -> UsageError:
    may = ", ".join(sorted(MOVES[agent.control.state])) or "-"
    return UsageError(
        "agents.state",
        msg(
            "The mission of {name} is {state}; it cannot be moved by `{act}` now.",
            name=agent.spec.name, state=agent.control.state.value, act=act.value,
        ),
        msg("What is possible now: {may}.", may=may),
    )  # fmt: skip


def _by(by: str) -> dict[str, str]:
    return {"by": by} if by else {}
