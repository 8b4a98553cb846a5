"""`ringwall doctor`: looks at every part that a judged call needs, and really sends calls through.

Invariant: doctor changes nothing but that its probes stand in the journal; a check that could not be made
is not `ok`, and what a host cannot hold is said beside what holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ringwall.hosts.registry import HOSTS, real_host
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.setup import check_host, check_machine, check_policy, check_reading
from ringwall.setup.check import Check, HostRow, Report, Status, fail
from ringwall.setup.check_host import Seen
from ringwall.setup.init import found_hosts
from ringwall.store.paths import StateDir, locate

__all__ = ["Check", "HostRow", "Report", "Status", "examine"]

DAEMON_SECONDS = 15.0


def examine(host: str | None, project: str, env: Mapping[str, str]) -> Report:
    """All checks for `host` in `project`, in a fixed order; without one, for every host whose program is
    here or with which Ringwall is registered."""
    if host is not None:
        real_host(host)
    try:
        state = locate(env)
    except RingwallError as error:
        unlocated = fail("state", msg("{error}", error=error), error.repair)
        return Report((check_machine.python(), check_machine.package(), check_machine.client(), unlocated))
    names = (host,) if host is not None else _here(project, env, state) or ("claude",)
    seen: list[Seen] = []
    checks = tuple(_checks(names, project, env, state, seen))
    return Report(checks, tuple(_row(each) for each in seen))


def _here(project: str, env: Mapping[str, str], state: StateDir) -> tuple[str, ...]:
    installed = set(found_hosts(env))
    return tuple(
        name for name in HOSTS if name in installed or check_host.registered(name, project, env, state)
    )


def _checks(
    names: Sequence[str], project: str, env: Mapping[str, str], state: StateDir, seen: list[Seen]
) -> Iterator[Check]:
    yield check_machine.python()
    yield check_machine.package()
    yield check_machine.client()
    for name in names:
        one, checks = check_host.looked(name, project, env, state)
        seen.append(one)
        yield from (replace(check, host=name) for check in checks)
    yield check_machine.state_directory(state)
    yield from check_policy.policy(project, env)
    yield check_policy.switch(env)
    yield from check_reading.reading()
    probes = tuple(
        replace(check, host=each.name) for each in seen for check in check_host.probes(each, project, env)
    )
    yield check_machine.daemon(state, DAEMON_SECONDS if probes else 0)
    yield check_machine.journal(state)
    yield from probes


def _row(seen: Seen) -> HostRow:
    holds = seen.installation.holds
    return HostRow(
        host=seen.name,
        title=seen.installation.title,
        version=seen.version,
        hooks=tuple(each.planned.path for each in seen.layouts),
        probed=seen.holds,
        asks=holds.asks,
        subagents=holds.subagents,
        crash=holds.crash,
        timeout=holds.timeout,
        unloaded=holds.unloaded,
    )
