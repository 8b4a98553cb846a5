"""Canonical JSON (RFC 8785) and the digests made from it.

Invariant: two values have one digest exactly when they are the same JSON value.
"""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785


def canonical(value: Any) -> bytes:
    """`value` as RFC 8785 bytes. Raises `rfc8785.CanonicalizationError` for what JSON cannot hold."""
    return rfc8785.dumps(value)


def digest(value: Any) -> str:
    """SHA-256 over the canonical form, as `sha256:<64 hex digits>`."""
    return f"sha256:{hashlib.sha256(canonical(value)).hexdigest()}"


def digest_bytes(content: bytes) -> str:
    """SHA-256 over `content`, as `sha256:<64 hex digits>`."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
