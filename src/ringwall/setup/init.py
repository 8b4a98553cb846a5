"""`ringwall init`: registers the hooks with a host, and takes them out again.

Invariant: what was in the file stays there, byte for byte; running it twice changes nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ringwall.setup.change import Change


class Scope(StrEnum):
    """Whose settings: everybody's in the project, one's own in the project, or one's own everywhere."""

    PROJECT = "project"
    LOCAL = "local"
    USER = "user"


def plan_init(host: str, scope: Scope, project: str, env: Mapping[str, str]) -> Change:
    """The change that registers all hooks of `host`. `project` is an absolute directory; `env` gives HOME,
    PATH and RINGWALL_HOME. Raises `PolicyError` for settings that are not JSON, with file:line:column."""
    raise NotImplementedError


def plan_remove(host: str, scope: Scope, project: str, env: Mapping[str, str]) -> Change:
    """The change that takes exactly our hooks out again."""
    raise NotImplementedError
