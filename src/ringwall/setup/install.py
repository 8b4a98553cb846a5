"""`ringwall install`: what is there and what is missing, and for whom skills and hooks are installed.

Invariant: checking changes nothing and starts none of the programs that it looks for; PATH is the one that
is handed in, and no other folder is looked at.
"""

from __future__ import annotations

import os
import pwd
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec

from ringwall.hosts.registry import HOSTS
from ringwall.model.errors import UsageError
from ringwall.model.text import Text, msg
from ringwall.setup.check import Check, Report, fail, ok, warn
from ringwall.setup.hook_client import installed_client
from ringwall.setup.init import found_hosts
from ringwall.setup.skill_files import PLACES, SKILLS, folder, is_current

MIXED_HOMES = "WARN: DSH_HOME={path} both HOME and DSH_HOME must be isolated together"
"""The same in every language: scripts look for it."""


class Need(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program, what it is for, and how to get it."""

    name: str
    required: bool
    why: str
    get: str


def mixed_homes(env: Mapping[str, str]) -> str | None:
    """The warning where only HOME was moved aside, so that DSH_HOME still names the real one (P-36)."""
    chosen, home = env.get("DSH_HOME", ""), env.get("HOME", "")
    if not chosen or not os.path.isdir(chosen) or _same(home, _usual_home()):
        return None
    return None if _same(chosen, os.path.join(home, ".dsh")) else MIXED_HOMES.format(path=chosen)


def meant(named: Sequence[str], env: Mapping[str, str]) -> tuple[str, ...]:
    """The hosts that are meant: those that are named, else those whose program is on PATH."""
    if named:
        return tuple(dict.fromkeys(named))
    found = found_hosts(env)
    if not found:
        raise UsageError(
            "install.no_host",
            msg("No agent host is on PATH."),
            msg("Install one, or name it: --host claude"),
        )
    return found


def examine(named: Sequence[str], env: Mapping[str, str]) -> Report:
    """What is there of all that is needed, in a fixed order."""
    return Report(tuple(_checks(named, env)))


def _checks(named: Sequence[str], env: Mapping[str, str]) -> Iterator[Check]:
    path = env.get("PATH", "")
    for need in needs():
        yield _program(need, path)
    yield _client()
    hosts = tuple(dict.fromkeys(named)) or found_hosts(env)
    if not hosts:
        yield warn("hosts", msg("No agent host is on PATH."), _install_hosts())
    for host in hosts:
        yield _host(host, path)
        yield _skills(host, env)


def _program(need: Need, path: str) -> Check:
    name = f"program.{need.name}"
    found = shutil.which(need.name, path=path) if path else None
    if found is not None:
        return ok(name, msg("{name} is {path}.", name=need.name, path=found))
    missing = msg("{name} is not on PATH ({why}).", name=need.name, why=need.why)
    return (fail if need.required else warn)(name, missing, msg("Get it: {how}.", how=need.get))


def _client() -> Check:
    found = installed_client()
    if found is not None:
        return ok("client", msg("ringwall-hook is {path}.", path=found))
    again = msg("Install Ringwall again; where there is a C compiler it gets its fast client.")
    return warn("client", msg("ringwall-hook is not installed; its source is run."), again)


def _host(host: str, path: str) -> Check:
    installation = HOSTS[host].installation
    found = shutil.which(installation.program, path=path) if path else None
    if found is not None:
        return ok(f"host.{host}", msg("{title} is {path}.", title=installation.title, path=found))
    what = msg("{title} is not on PATH ({program}).", title=installation.title, program=installation.program)
    return warn(f"host.{host}", what, _install_hosts())


def _skills(host: str, env: Mapping[str, str]) -> Check:
    name = f"skills.{host}"
    if host not in PLACES:
        return warn(name, msg("{host} has no skills.", host=host), msg("Go on without them."))
    lacking = [skill for skill in SKILLS if not is_current(host, skill, env)]
    where = folder(host, env)
    if not lacking:
        return ok(name, msg("The skills {names} are in {path}.", names=", ".join(SKILLS), path=where))
    what = msg("Skills that are missing or not as they come: {names} in {path}.",
               names=", ".join(lacking), path=where)  # fmt: skip
    return warn(name, what, msg("Run: ringwall install --skills --host {host}", host=host))


def _install_hosts() -> Text:
    return msg("Install one of {names}, or add its folder to PATH.", names=", ".join(sorted(HOSTS)))


@lru_cache(maxsize=1)
def needs() -> tuple[Need, ...]:
    content = files("ringwall.setup").joinpath("needs.toml").read_text(encoding="utf-8")
    return tuple(msgspec.convert(tomllib.loads(content)["programs"], list[Need]))


def _usual_home() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _same(one: str, other: str) -> bool:
    return bool(one) and bool(other) and os.path.realpath(one) == os.path.realpath(other)
