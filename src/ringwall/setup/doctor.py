"""`ringwall doctor`: looks at every part that a judged call needs, and really sends calls through.

Invariant: doctor changes nothing but that its probes stand in the journal; a check that could not be made
is not `ok`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ringwall.hosts.registry import host as known_host
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.setup import check_host, check_machine, check_policy
from ringwall.setup.check import Check, Report, Status, fail
from ringwall.store.paths import locate

__all__ = ["Check", "Report", "Status", "examine"]

DAEMON_SECONDS = 15.0


def examine(host: str, project: str, env: Mapping[str, str]) -> Report:
    """All checks for `host` in `project`, in a fixed order."""
    known_host(host)
    return Report(tuple(_checks(project, env)))


def _checks(project: str, env: Mapping[str, str]) -> Iterator[Check]:
    yield check_machine.python()
    yield check_machine.package()
    yield check_machine.client()
    yield check_host.program(env)
    settings, checks = check_host.settings(project, env)
    yield from checks
    try:
        state = locate(env)
    except RingwallError as error:
        yield fail("state", msg("{error}", error=error), error.repair)
        return
    yield check_machine.state_directory(state)
    yield from check_policy.policy(project, env)
    yield check_policy.switch(env)
    probes = tuple(check_host.probes(settings, project, env))
    yield check_machine.daemon(state, DAEMON_SECONDS if probes else 0)
    yield check_machine.journal(state)
    yield from probes
