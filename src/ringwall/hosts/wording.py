"""What every adapter says in the same words, and the two forms in which a hook may answer.

Invariant: nothing that is printed can be disguised: every control, format and surrogate character of a
reason is spelled out, but for the line breaks that Ringwall itself puts between hints.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

import msgspec

from ringwall.hosts.protocol import BLOCK, HookReply
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict

_PLAIN = msgspec.json.Encoder()
_ASCII = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))

NOTHING = HookReply(b"")
"""No output at all: on some hosts the only form of "no opinion"."""


def reason(decision: Decision, notice: Text | None = None) -> str:
    """Why, in one line for the agent and for a person at a prompt."""
    opinion = decision.deciding
    parts = [opinion.reason, opinion.advice, notice]
    told = " ".join(str(part) for part in parts if part is not None)
    match decision.verdict:
        case Verdict.ALLOW:
            text = msg("Ringwall allows this: {told} [{code}]", told=told, code=opinion.code)
        case Verdict.ASK:
            text = msg("Ringwall leaves this to a person: {told} [{code}]", told=told, code=opinion.code)
        case Verdict.DENY:
            text = msg("Ringwall denies this: {told} [{code}]", told=told, code=opinion.code)
    return visible(str(text))


def hints(notice: Text) -> str:
    """A notice of several hints, each on a line of its own."""
    return "\n".join(map(visible, str(notice).split("\n")))


def printed(reply: Mapping[str, Any]) -> HookReply:
    """One JSON object on stdout, in ASCII where a reader might stumble."""
    text = _PLAIN.encode(reply)
    return HookReply(text if text.isascii() else _ASCII.encode(reply).encode("ascii"))


def stopped(told: Text) -> HookReply:
    """Exit status 2 and the reason on stderr, which stops the call on every host with command hooks."""
    return HookReply(b"", line(told), BLOCK)


def no_verdict() -> HookReply:
    return stopped(msg("Ringwall reached no verdict, so the call is stopped."))


def failed(waits: bool, error: RingwallError) -> HookReply:
    """The reply of a failure. Where a call waits it stops the call; where none does it only tells."""
    if waits:
        return stopped(msg("Ringwall has no verdict, so the call is stopped: {error}", error=error))
    return HookReply(b"{}", line(msg("Ringwall: {error}", error=error)))


def line(told: Text) -> bytes:
    return visible(str(told)).encode("utf-8", "backslashreplace") + b"\n"


def visible(text: str) -> str:
    """`text` with every control, format and surrogate character spelled out, so that what a person or a
    terminal is shown cannot be disguised."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_spelled, text))


def _spelled(char: str) -> str:
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return f"\\u{{{ord(char):x}}}"
    return char
