"""`ringwall import claude`: takes over Claude Code's permission rules into `.ringwall/permissions.json`.

Invariant: existing rules stay as they are, and none is added twice.
"""

from __future__ import annotations

from collections.abc import Mapping

from ringwall.setup.change import Change


def plan_import(project: str, env: Mapping[str, str]) -> Change:
    """The change to the project's permission file; `notices` name rules that were not taken over, and why.
    Raises `PolicyError` for a file that is not JSON, with file:line:column."""
    raise NotImplementedError
