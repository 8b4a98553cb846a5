"""`ringwall run HOST -- ARGS`: one session of a host with hooks and identity, and nothing written to the
project. Invariant: the settings file of the session is private and gone afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def run(host: str, arguments: Sequence[str], project: str, env: Mapping[str, str]) -> int:
    """Run the host until it ends; its exit status (128 + n after signal n). Raises `UsageError` where the
    host's program is not on PATH."""
    raise NotImplementedError
