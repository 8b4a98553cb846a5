"""What only a person may do. Invariant: inside an agent's session it is refused, whatever the arguments.

At tier 0 this stops an agent that follows its instructions, not a program that clears its environment; the
gate denies the agent's own calls of these verbs besides.
"""

from __future__ import annotations

from collections.abc import Mapping

from ringwall.hosts.registry import HOSTS
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.setup.run import SESSION_VARIABLE

AGENT_VARIABLES = (
    *(name for host in HOSTS.values() for name in host.installation.session_variables),
    SESSION_VARIABLE,
)
"""Set in everything that runs in an agent's session."""

NAMING_VARIABLES = tuple(name for name in AGENT_VARIABLES if name.endswith(("_ID", SESSION_VARIABLE)))
"""Those whose value names the session."""


def require_person(env: Mapping[str, str]) -> None:
    """Raises `UsageError` in an agent's session."""
    found = next((name for name in AGENT_VARIABLES if env.get(name)), None)
    if found is not None:
        raise UsageError(
            "setup.in_a_session",
            msg(
                "This is for a person, and {variable} says that an agent's session runs here.", variable=found
            ),
            msg("Use a terminal outside the agent."),
        )


def require_terminal(env: Mapping[str, str], terminal: bool) -> None:
    """Raises `UsageError` in an agent's session, and where nobody sits at a terminal."""
    require_person(env)
    if not terminal:
        raise UsageError(
            "setup.no_terminal",
            msg("This is for a person at a terminal, and there is none."),
            msg("Run the command in a terminal, without redirecting its input."),
        )
