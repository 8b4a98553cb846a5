"""Tools that look: how calls are judged here, what a call would do, why one was judged as it was.

Invariant: nothing is changed, journalled, or run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec

from ringwall.gate.trace import as_json
from ringwall.journal.read import Filter, find, read
from ringwall.journal.record import Record
from ringwall.judge.here import here
from ringwall.judge.recall import Recall
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.judge.verdict import judge
from ringwall.mcp.tools import Answer, Site, Tool, threaded
from ringwall.model.action import ToolCall
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.model.visible import visible
from ringwall.store.engine import Store

HOST = "claude"
"""Whose tool names are meant, as by `ringwall check`."""


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shell command, or a call of another tool."""

    command: Annotated[str, msgspec.Meta(description="A shell command line; nothing of it is run.")] = ""
    tool: Annotated[str, msgspec.Meta(description="Another tool than Bash, by name.")] = ""
    input: Annotated[dict[str, Any], msgspec.Meta(description="The input of that tool.")] = {}


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of the journal."""

    id: Annotated[
        str, msgspec.Meta(description="The id of a decision, or its end; empty for the last decision.")
    ] = ""


def status(_nothing: Nothing, site: Site) -> Answer:
    """How this folder is judged."""
    found = here(site.folder, site.environ, site.state)
    pause = found.standing.pause(time.time())
    problems = [str(problem) for problem in found.in_force.problems]
    until = datetime.fromtimestamp(pause.ends, UTC).isoformat() if pause else None
    data = {
        "project": found.places.root, "preset": found.policy.preset, "policy_digest": found.policy.digest,
        "judging": pause is None, "off_until": until, "problems": problems,
    }  # fmt: skip
    judged = f"Calls are let through unjudged until {until}." if pause else "Calls are judged."
    text = f"Project {found.places.root}, preset {found.policy.preset}. {judged}"
    return Answer(visible(" ".join([text, *problems])), data)


def check(call: Call, site: Site) -> Answer:
    """The verdict and what to do instead."""
    judged = _judged(call, site)
    told = f"{judged['verdict']} [{judged['code']}]: {judged['reason']}"
    names = ("verdict", "stage", "code", "rule", "reason", "advice")
    effects = [{name: one[name] for name in ("name", "target", "certain")} for one in judged["effects"]]
    text = f"{told} {judged['advice']}" if judged["advice"] else told
    return Answer(visible(text), {**{name: judged[name] for name in names}, "effects": effects})


def explain(call: Call, site: Site) -> Answer:
    """The effects and every stage's opinion."""
    judged = _judged(call, site)
    return Answer("\n".join(map(visible, _explained(judged))), judged)


def why(event: Event, site: Site) -> Answer:
    """A decision of the past, as the journal has it."""
    record = _found(event.id, site)
    body = record.content()
    if record.type != "decision":
        return Answer(f"{record.id} is no decision but {record.type}.", {"id": record.id}, failed=True)
    lines = [f"{record.at} {body.get('tool')} {body.get('input')}", *_explained(body["trace"])]
    return Answer("\n".join(map(visible, lines)), {"id": record.id, "at": record.at, **body})


def _judged(call: Call, site: Site) -> dict[str, Any]:
    if bool(call.command) == bool(call.tool):
        raise UsageError(
            "mcp.no_call",
            msg("Either a command or a tool says what to judge."),
            msg("Give `command`, or `tool` with `input`."),
        )
    tool, given = (call.tool, call.input) if call.tool else ("Bash", {"command": call.command})
    found = here(site.folder, site.environ, site.state)
    disk = DiskSurroundings(found.places, site.environ)
    decision = judge(ToolCall(HOST, tool, given, cwd=site.folder), disk, found.policy, Recall())
    return as_json(decision)


def _explained(judged: dict[str, Any]) -> Iterator[str]:
    yield f"{judged['verdict']} [{judged['code']}]: {judged['reason']}"
    if judged.get("advice"):
        yield f"Instead: {judged['advice']}"
    for effect in judged["effects"]:
        sure = "" if effect["certain"] else " (possibly)"
        yield f"effect {effect['name']} {effect['target']}{sure}".rstrip()
    for at, opinion in enumerate(judged["trace"]):
        mark = "decides" if at == judged["winner"] else "said"
        rule = f" (rule {opinion['rule']['text']})" if opinion["rule"] else ""
        yield f"{opinion['stage']} {mark} {opinion['verdict']}: {opinion['reason']}{rule}"


def _found(name: str, site: Site) -> Record:
    if os.path.exists(site.state.database):
        store = Store(site.state)
        try:
            with store.reading() as connection:
                if name:
                    return find(connection, name)
                for record in read(connection, Filter(type="decision", newest=1)):
                    return record
        finally:
            store.close()
    raise UsageError(
        "journal.no_such_event",
        msg("The journal holds no such decision."),
        msg("Ask with the id from Ringwall's answer, or without one for the last decision."),
    )


TOOLS = (
    Tool("status", "By which policy tool calls are judged in this folder.", Nothing, threaded(status), True),
    Tool(
        "check",
        "The verdict that a shell command or another tool call would get now, and why. Runs nothing.",
        Call,
        threaded(check),
        True,
    ),
    Tool(
        "explain",
        "All that a shell command or another tool call would do, and what each stage of the judging says"
        " about it. Runs nothing.",
        Call,
        threaded(explain),
        True,
    ),
    Tool("why", "Why a call was judged as it was, from the journal.", Event, threaded(why), True),
)
