"""What stands in the files of one agent.

Invariant: a control file is either as it was written or an error; of the events every line that can be read
is read, and a line that cannot is passed over (H-31).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ringwall.agents.model import INCARNATION, AgentEvent, Control, Spec
from ringwall.model.errors import StateError
from ringwall.model.text import Text, msg

SPEC, CONTROL, EVENTS = "spec.json", "control.json", "events.jsonl"

_EVENT = msgspec.json.Decoder(AgentEvent)


def read_spec(content: bytes | None, where: str) -> Spec:
    """The spec in a file. Raises `StateError`."""
    try:
        return msgspec.json.decode(content or b"", type=Spec)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise _broken(f"{where}/{SPEC}", msg("{why}", why=fault)) from fault


def read_control(content: bytes | None, where: str) -> Control:
    """The control in a file, whole. Raises `StateError`."""
    read_incarnation(content, where)
    try:
        return msgspec.json.decode(content or b"", type=Control)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise _broken(f"{where}/{CONTROL}", msg("{why}", why=fault)) from fault


def read_incarnation(content: bytes | None, where: str) -> str:
    """The incarnation that a control file names, empty where it is an object without that key: an agent from
    before there were any. Raises `StateError` for everything else (H-16, H-21 to H-23)."""
    place = f"{where}/{CONTROL}"
    try:
        value: Any = msgspec.json.decode(content or b"")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise _broken(place, msg("{why}", why=fault)) from fault
    if not isinstance(value, dict):
        raise _broken(place, msg("it is not a JSON object"))
    if "incarnation" not in value:
        return ""
    incarnation = value["incarnation"]
    if not isinstance(incarnation, str) or not INCARNATION.fullmatch(incarnation):
        raise _broken(place, msg("`incarnation` is not 32 hex digits"))
    return incarnation


def read_events(content: bytes | None) -> Iterator[AgentEvent]:
    """Every event that can be read, in their order."""
    for line in (content or b"").split(b"\n"):
        if not line.strip():
            continue
        try:
            event = _EVENT.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        if event.seq > 0:
            yield event


def spec_json(spec: Spec) -> bytes:
    return _lines(msgspec.to_builtins(spec))


def control_json(control: Control) -> bytes:
    """What `read_control` reads; without the incarnation where the agent never had one."""
    values = msgspec.to_builtins(control)
    if not control.incarnation:
        del values["incarnation"]
    return _lines(values)


def line_of(event: AgentEvent) -> bytes:
    return msgspec.json.encode(event) + b"\n"


def _lines(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _broken(where: str, why: Text) -> StateError:
    return StateError(
        "agents.file",
        msg("This file of an agent cannot be used: {why}.", why=why),
        msg("Put back what it was, or archive the folder by hand and create the agent anew."),
        where,
    )
