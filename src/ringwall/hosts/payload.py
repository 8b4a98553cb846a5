"""Hook payloads as strict JSON objects.

Invariant: an object that comes out means one thing only, to us and to the host: no key twice, no text that
is not Unicode, no number that JSON cannot hold, no nesting that later readers might trip over. Everything
else is a `PayloadError`.
"""

from __future__ import annotations

import json
import math
import posixpath
from typing import Any, NoReturn, TypeVar

import msgspec

from ringwall.model.errors import PayloadError
from ringwall.model.text import Text, msg

Shape = TypeVar("Shape")

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 128
MAX_DIGITS = 400
SAFE_INTEGER = 2**53 - 1


def read_object(payload: bytes) -> dict[str, Any]:
    """The JSON object in `payload`."""
    if len(payload) > MAX_BYTES:
        refuse("payload.too_long", msg("The payload is longer than {limit} bytes.", limit=MAX_BYTES))
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError as error:
        refuse("payload.not_utf8", msg("The payload is not UTF-8 at byte {at}.", at=error.start))
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        refuse("payload.not_json", msg("The payload is not JSON."), f"{error.lineno}:{error.colno}")
    except RecursionError:
        _too_deep()
    if not isinstance(value, dict):
        refuse("payload.not_an_object", msg("The payload is not a JSON object."))
    if "\\u" in text or text.count("{") + text.count("[") > MAX_DEPTH:
        _check(value)
    return value


def read_fields(payload: bytes, shape: type[Shape]) -> tuple[dict[str, Any], Shape]:
    """The object in `payload`, and those of its fields that an adapter relies on."""
    raw = read_object(payload)
    try:
        return raw, msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        refuse("payload.field", msg("The payload is not as agreed: {detail}.", detail=error))


def check_session(session: str) -> str:
    """The session's name, which is there."""
    if not session:
        refuse("payload.field", msg("The payload names no session."))
    return session


def check_folder(folder: str, below: Any = None) -> str:
    """The absolute directory in which a call runs: `folder`, or the one that the call itself names from
    there."""
    if not folder.startswith("/"):
        refuse("payload.field", msg("The working directory in the payload is not absolute."))
    if below is None or below == "":
        return folder
    if not isinstance(below, str):
        refuse("payload.field", msg("The working directory of the call is no text."))
    return posixpath.normpath(posixpath.join(folder, below))


def check_tool(tool: str | None, given: dict[str, Any] | None) -> tuple[str, dict[str, Any]]:
    """The tool's name and its input, which are there."""
    if not tool:
        refuse("payload.field", msg("The payload names no tool."))
    if given is None:
        refuse("payload.field", msg("The payload has no tool input."))
    return tool, given


def unknown_event(word: str) -> NoReturn:
    refuse("payload.unknown_event", msg("The payload speaks of an unknown event {word}.", word=ascii(word)))


def refuse(code: str, what: Text, where: str = "") -> NoReturn:
    """Raise the error of a payload that cannot be used."""
    raise PayloadError(
        code, what, msg("Run `ringwall doctor`; the host may have changed its hook contract."), where
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        refuse("payload.duplicate_key", msg("The payload has the key {key} twice.", key=ascii(twice)))
    return found


def _no_constant(word: str) -> NoReturn:
    refuse("payload.not_a_number", msg("The payload holds {word}, which is no JSON number.", word=word))


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        refuse("payload.not_a_number", msg("The payload holds a number that is too large."))
    return value


def _integer(digits: str) -> int | float:
    """Integers beyond the safe range are doubles, as they are to the hosts that wrote them."""
    if len(digits) > MAX_DIGITS:
        refuse("payload.not_a_number", msg("The payload holds a number that is too large."))
    value = int(digits)
    return value if abs(value) <= SAFE_INTEGER else _float(digits)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_float, parse_int=_integer
)


def _check(value: Any) -> None:
    """No lone surrogate and no nesting beyond the bound, in one walk without recursion."""
    pending: list[tuple[Any, int]] = [(value, 1)]
    while pending:
        item, depth = pending.pop()
        if isinstance(item, str):
            _check_text(item)
        elif isinstance(item, dict | list):
            if depth > MAX_DEPTH:
                _too_deep()
            if isinstance(item, dict):
                for key in item:
                    _check_text(key)
                pending.extend((child, depth + 1) for child in item.values())
            else:
                pending.extend((child, depth + 1) for child in item)


def _check_text(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        refuse("payload.lone_surrogate", msg("The payload holds half of a surrogate pair."))


def _too_deep() -> NoReturn:
    refuse("payload.too_deep", msg("The payload is nested deeper than {limit}.", limit=MAX_DEPTH))
