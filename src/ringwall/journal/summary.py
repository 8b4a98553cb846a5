"""An event of the journal in a few words.

Invariant: an event of a type that is not known here is told by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ringwall.journal.record import Record
from ringwall.model.text import Text, msg

_FIELDS = (
    "command",
    "file_path",
    "notebook_path",
    "path",
    "pattern",
    "url",
    "query",
    "skill",
    "prompt",
    "script",
)


def told(record: Record) -> tuple[str, Text]:
    """The verdict, where there is one, and what happened, on one line."""
    body = record.content()
    match record.type:
        case "decision":
            call = call_words(str(body.get("tool", "")), body.get("input", {}))
            return str(body.get("verdict", "")), msg("{call}", call=call)
        case "unjudged":
            words = msg(
                "let through unjudged: {call}", call=call_words(str(body.get("tool")), body.get("input", {}))
            )
            return "", words
        case "failure":
            return "deny", msg("no verdict: {what}", what=body.get("what", ""))
    return "", _other(record.type, body)


def call_words(tool: str, values: Mapping[str, Any]) -> str:
    """A tool call on one line: the tool and the field that tells most."""
    told = next((str(values[name]) for name in _FIELDS if isinstance(values.get(name), str)), "")
    return f"{tool}: {told}" if told else tool


def _other(kind: str, body: Mapping[str, Any]) -> Text:
    match kind:
        case "ask.outcome":
            return msg("the person’s answer: {outcome}", outcome=body.get("outcome", ""))
        case "proposal.opened":
            return msg("proposal {number} waits for a person", number=body.get("number", ""))
        case "proposal.decided":
            return msg(
                "{who}: proposal {number} {outcome} {because}",
                who=body.get("by", ""), number=body.get("number", ""), outcome=body.get("outcome", ""),
                because=body.get("because", ""),
            )  # fmt: skip
        case "proposal.consumed":
            return msg("proposal {number}: the act, once", number=body.get("number", ""))
        case "proposal.ended":
            return msg(
                "proposal {number} {outcome}: {why}",
                number=body.get("number", ""), outcome=body.get("outcome", ""), why=body.get("why", ""),
            )  # fmt: skip
        case "action.proposed":
            return msg("proposed: {action}", action=body.get("kind", ""))
        case "proposal.ran":
            return msg(
                "proposal {number} was run; exit status {exit}",
                number=body.get("number", ""), exit=body.get("exit", ""),
            )  # fmt: skip
        case "grant.given":
            return msg(
                "a person granted {rule} for the {scope}",
                rule=body.get("rule", ""),
                scope=body.get("scope", ""),
            )
        case "grant.revoked":
            return msg("a person revoked {rule}", rule=body.get("rule", ""))
        case "policy.trusted":
            return msg("a person trusts {path}", path=body.get("path", ""))
        case "policy.distrusted":
            return msg("a person no longer trusts {path}", path=body.get("path", ""))
        case "escape.issued":
            return msg("a person lifted the floor for one act: {because}", because=body.get("because", ""))
        case "escape.revoked":
            return msg("a person took escape {number} back", number=body.get("number", ""))
        case "escape.used":
            return msg("escape {number}: the act, once", number=body.get("number", ""))
        case "tool.pinned":
            return msg(
                "what {server} says of {tool} was pinned",
                server=body.get("server", ""), tool=body.get("tool") or "–",
            )  # fmt: skip
        case "judging.off":
            return msg("a person switched judging off: {reason}", reason=body.get("reason") or "–")
        case "judging.on":
            return msg("a person switched judging on again")
        case "console.paired":
            return msg("{kind} {label} was paired", kind=body.get("kind", ""), label=body.get("label", ""))
        case "console.unpaired":
            return msg("{kind} {label} was unpaired", kind=body.get("kind", ""), label=body.get("label", ""))
        case "harvest.decided":
            return msg(
                "{who}: candidate {id} is {status} {reason}",
                who=body.get("by", ""), id=str(body.get("candidate", ""))[:12],
                status=body.get("status", ""), reason=body.get("reason", ""),
            )  # fmt: skip
        case "harvest.moved":
            return msg("a person said that a project is elsewhere; its ledgers went along")
        case "session.bound":
            return msg("a session was started as {agent}", agent=body.get("agent") or body.get("role", ""))
        case "journal.cut":
            return msg("the end of the journal was found missing in {stream}", stream=body.get("stream", ""))
        case "host.event":
            return msg("{host}: {event}", host=body.get("host", ""), event=body.get("event", ""))
    return Text(kind)
