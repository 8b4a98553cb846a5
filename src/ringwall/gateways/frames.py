"""JSON-RPC messages on lines.

Invariant: what comes out of `read` means one thing to every reader, and `written` gives one line that no
reader can split or read otherwise: ASCII, without white space. What is forwarded is always written anew, so
what was judged is what arrives.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, NoReturn

LONGEST = 32 * 1024 * 1024
"""Bytes of one line."""

_ENVELOPE = ("jsonrpc", "id", "method", "params", "result", "error")

INVALID_REQUEST, INVALID_PARAMS, ENDED = -32600, -32602, -32000

Message = dict[str, Any]
Key = tuple[str, str | int]
"""An id with its type: 1, "1" and true are three things."""


class Kind(StrEnum):
    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


class Malformed(ValueError):
    """A line that is no message; it goes no further."""


def read(line: bytes) -> Message:
    """The message on a line."""
    try:
        value = _DECODER.decode(line.decode("utf-8"))
    except Malformed:
        raise
    except (ValueError, RecursionError) as error:
        raise Malformed(f"it is no JSON ({type(error).__name__})") from None
    if not isinstance(value, dict):
        raise Malformed("it is not one message")
    _check(value)
    return value


def written(message: Mapping[str, Any]) -> bytes:
    """The line of a message."""
    return json.dumps(message, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def kind(message: Message) -> Kind:
    if "method" not in message:
        return Kind.RESPONSE
    return Kind.REQUEST if "id" in message else Kind.NOTIFICATION


def key_of(value: Any) -> Key | None:
    """An id to look up by; None where it is no id."""
    if isinstance(value, str):
        return "text", value
    return ("number", value) if type(value) is int else None


def result(request: Message, value: Mapping[str, Any]) -> Message:
    return {"jsonrpc": "2.0", "id": request["id"], "result": dict(value)}


def error(request: Message, code: int, text: str) -> Message:
    return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": text}}


def refused(why: str) -> Message:
    """The answer to a line that is no message: it names no id."""
    return {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": f"Ringwall: {why}"}}


def params(message: Message) -> dict[str, Any]:
    """The parameters; none are an empty object."""
    found: dict[str, Any] = message.get("params") or {}
    return found


def look_alike(value: Mapping[str, Any], names: Collection[str]) -> str | None:
    """A key that is none of `names`, but one to readers without regard to case, as Go's is."""
    folded = {name.casefold() for name in names}
    return next((key for key in value if key not in names and key.casefold() in folded), None)


def _check(message: Message) -> None:
    if message.get("jsonrpc") != "2.0":
        raise Malformed("it is not JSON-RPC 2.0")
    if (twin := look_alike(message, _ENVELOPE)) is not None:
        raise Malformed(f"some would read its key {twin!a} as another")
    if "id" in message and key_of(message["id"]) is None and not _answers_nothing(message):
        raise Malformed("its id is neither a text nor a whole number")
    outcomes = [name for name in ("result", "error") if name in message]
    if "method" in message:
        if not isinstance(message["method"], str) or outcomes:
            raise Malformed("it is neither a call nor an answer")
        if not isinstance(message.get("params", {}), dict | None):
            raise Malformed("its parameters are no object")
    elif len(outcomes) != 1 or "id" not in message:
        raise Malformed("it is neither a call nor an answer")


def _answers_nothing(message: Message) -> bool:
    """An error about a line that could not be read has no id to name."""
    return message["id"] is None and "method" not in message and "error" in message


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("a key stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Malformed("it holds a number that is too large")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
