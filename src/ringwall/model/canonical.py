"""Canonical JSON (RFC 8785) and the digests made from it.

Invariant: two values have one digest exactly when they are the same JSON value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

import msgspec
import rfc8785

_SAFE_INTEGER = 2**53 - 1
_SORTED = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """`value` as RFC 8785 bytes. Raises `rfc8785.CanonicalizationError` for what JSON cannot hold.

    Most values hold only what a sorted encoder writes in the same bytes, fifty times as fast.
    """
    if _plain(value):
        try:
            return _SORTED.encode(value)
        except UnicodeEncodeError:  # lone surrogates: let RFC 8785 name the fault
            pass
    return rfc8785.dumps(value)


def canonical_struct(value: msgspec.Struct, plain: Collection[str] = ()) -> bytes | None:
    """A struct as RFC 8785 bytes, None where that takes a closer look. The fields in `plain` are known to
    hold nothing but texts, safe integers, truth values and containers of them with ASCII keys."""
    for name in value.__struct_fields__:
        if name not in plain and not _plain(getattr(value, name)):
            return None
    try:
        return _SORTED.encode(value)
    except UnicodeEncodeError:  # lone surrogates
        return None


def digest(value: Any) -> str:
    """SHA-256 over the canonical form, as `sha256:<64 hex digits>`."""
    return f"sha256:{hashlib.sha256(canonical(value)).hexdigest()}"


def digest_bytes(content: bytes) -> str:
    """SHA-256 over `content`, as `sha256:<64 hex digits>`."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _plain(value: Any) -> bool:
    """Whether key order, numbers and strings are written alike by both encoders: ASCII keys, no floats."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        safe: bool = -_SAFE_INTEGER <= value <= _SAFE_INTEGER
        return safe
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str or not key.isascii() or not _plain(item):
                return False
        return True
    if kind is list or kind is tuple:
        return all(map(_plain, value))
    return False
