"""Payloads of the hosts that name their fields as Claude Code does, read into events.

Invariant: an event word that a host is not known to use is an error, never a call that nobody judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ringwall.hosts.payload import check_folder, check_session, read_fields, unknown_event
from ringwall.hosts.protocol import HostEvent, Moment, Registration
from ringwall.model.action import ToolCall
from ringwall.model.step import USER, Lineage, Message, Step

WITH_CALL = frozenset({Moment.BEFORE_CALL, Moment.PERMISSION, Moment.AFTER_CALL, Moment.CALL_FAILED})
BEFORE_STEPS = frozenset({Moment.PROMPT, Moment.SESSION_START, Moment.STEP})
EMPTYING = frozenset({"compact", "clear"})
"""Why a session begins anew with nothing of before in sight."""


class Fields(msgspec.Struct, frozen=True):
    """The fields that Ringwall relies on; newer ones are carried along in `HostEvent.raw`."""

    hook_event_name: str
    session_id: str
    cwd: str
    permission_mode: str | None = None
    tool_name: str | None = None
    tool_input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    parent_agent_id: str | None = None
    transcript_path: str | None = None
    source: str | None = None
    prompt: str | None = None
    mcp_context: dict[str, Any] | None = None


def read_event(
    payload: bytes,
    registrations: Sequence[Registration],
    unregistered: frozenset[str],
    called: Callable[[Fields], ToolCall],
    failed: Callable[[Mapping[str, Any]], bool] = lambda _: False,
) -> HostEvent:
    """The event in `payload`; `called` makes the tool call of an event that is about one, `failed` tells from
    the payload of a call that ran whether it failed. Raises `PayloadError` for anything that is not certain.
    """
    raw, fields = read_fields(payload, Fields)
    check_session(fields.session_id)
    check_folder(fields.cwd)
    moment = moment_of(fields.hook_event_name, registrations, unregistered)
    if moment is Moment.AFTER_CALL and failed(raw):
        moment = Moment.CALL_FAILED
    call = called(fields) if moment in WITH_CALL else None
    step = step_of(fields) if moment in BEFORE_STEPS else None
    session = call.session if call else fields.session_id
    return HostEvent(fields.hook_event_name, moment, call, session, fields.cwd, raw, step)


def moment_of(word: str, registrations: Sequence[Registration], unregistered: frozenset[str]) -> Moment:
    """When the event happens that a host calls `word`."""
    for row in registrations:
        if row.event == word:
            return row.moment
    if word not in unregistered:
        unknown_event(word)
    return Moment.OTHER


def step_of(fields: Fields) -> Step:
    parent = fields.parent_agent_id or ""
    return Step(
        lineage=Lineage(origin="subagent" if fields.agent_id else "", parent=parent),
        messages=(Message(USER, fields.prompt),) if fields.prompt is not None else (),
        transcript=fields.transcript_path or "",
        emptied=fields.source in EMPTYING,
    )
