"""Doctor's look at one host: its program, what is registered with it, and whether the registered hook really
answers as it should.

Invariant: the probes go through the very command that stands in the host's files, run as the host runs it;
what a host cannot enforce is said for every host that is registered.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ringwall.hosts.installation import DECIDING_TIMEOUT, Installation, Scope
from ringwall.hosts.protocol import BLOCK, HookReply, Moment
from ringwall.hosts.registry import real_host
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.setup import check_claude, json_lists
from ringwall.setup.change import read_file
from ringwall.setup.check import Check, Status, fail, ok, warn
from ringwall.setup.registering import Layout, layout, stands
from ringwall.setup.sites import everywhere
from ringwall.store.paths import StateDir

HARMLESS = "echo ringwall-doctor"
FORBIDDEN = "rm -rf ~"


@dataclass(slots=True)
class Seen:
    """What was seen of one host: `version` and `program` are empty where it is not here, `layouts` are the
    places at which Ringwall is registered and `scopes` whose they are, `commands` the commands that decide
    there and how long the host waits for each, `holds` whether the probes went as they should."""

    name: str
    installation: Installation
    program: str = ""
    version: str = ""
    layouts: list[Layout] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    commands: dict[str, float] = field(default_factory=dict)
    holds: bool | None = None


def looked(name: str, project: str, env: Mapping[str, str], state: StateDir) -> tuple[Seen, list[Check]]:
    """The host's program and registration, and the checks of them."""
    seen = Seen(name, real_host(name).installation)
    checks = [_program(seen, env)]
    errors: list[Check] = []
    for scope, path in everywhere(seen.installation, project, env):
        try:
            found = layout(seen.installation, path, project, env, state)
            if found.registered():
                seen.layouts.append(found)
                seen.scopes.append(scope)
        except RingwallError as error:
            errors.append(fail("host.settings", msg("{error}", error=error), error.repair))
    if name == "claude":
        settings, more = check_claude.settings(project, env)
        seen.commands = check_claude.commands(settings)
        checks += more
    else:
        seen.commands = _commands(seen)
        checks += [*errors, *_registration(seen)]
    if seen.layouts:
        checks.extend(_starts(seen, project, env))
        checks.extend(_cannot(seen))
    return seen, checks


def registered(name: str, project: str, env: Mapping[str, str], state: StateDir) -> bool:
    """Whether Ringwall stands in any file of this host."""
    installation = real_host(name).installation
    return any(stands(installation, path, state) for _, path in everywhere(installation, project, env))


def _program(seen: Seen, env: Mapping[str, str]) -> Check:
    """Whether the host is there, in a version of which it is known what its hooks do."""
    title, word = seen.installation.title, seen.installation.program
    least = ".".join(map(str, seen.installation.least))
    update = msg("Update {host} to {least} or later.", host=title, least=least)
    found = shutil.which(word, path=env.get("PATH", os.defpath))
    if found is None:
        install = msg("Install {host} {least} or later, or add its folder to PATH.", host=title, least=least)
        return warn("host.program", msg("There is no program {name} on PATH.", name=word), install)
    seen.program = found
    try:
        done = subprocess.run(
            [found, "--version"], env=dict(env), capture_output=True, stdin=subprocess.DEVNULL, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return fail("host.program", msg("{path} cannot be run: {detail}", path=found, detail=error), update)
    version = re.search(rb"(\d+)\.(\d+)\.(\d+)", done.stdout)
    if version is None:
        return fail("host.program", msg("{path} does not tell its version.", path=found), update)
    seen.version = version.group().decode("ascii")
    numbers = tuple(int(part) for part in version.groups())
    told = msg("{path} is {host} {version}.", path=found, host=title, version=seen.version)
    return (
        ok("host.program", told) if numbers >= seen.installation.least else fail("host.program", told, update)
    )


def _registration(seen: Seen) -> Iterator[Check]:
    if not seen.layouts:
        init = msg("Run `ringwall init {host}`.", host=seen.name)
        yield fail("host.hooks", msg("No hook of Ringwall is registered with {host}.",
                                     host=seen.installation.title), init)  # fmt: skip
        return
    for scope, found in zip(seen.scopes, seen.layouts, strict=True):
        init = msg("Run `ringwall init {host} --scope {scope}`.", host=seen.name, scope=scope.value)
        wrong = list(_wrong(found))
        yield from (fail("host.hooks", problem, init) for problem in wrong)
        if not wrong:
            yield ok("host.hooks", msg("All hooks stand in {path} as they should.", path=found.planned.path))


def _wrong(found: Layout) -> Iterator[Text]:
    """What stands otherwise than `init` would write it now."""
    for file in found.files():
        try:
            text = found.text(file, read_file(file.path))
            as_it_should = found.with_ours(file, text) == text
        except RingwallError as error:
            yield msg("{error}", error=error)
            continue
        if as_it_should:
            continue
        if file.extra:
            yield msg("{path} is not as it should be. {why}", path=file.path, why=file.extra.why)
        else:
            yield msg("{path} is not as this installation would write it.", path=file.path)


def _starts(seen: Seen, project: str, env: Mapping[str, str]) -> Iterator[Check]:
    """Whether the host, really started, loads the plug-in."""
    if not seen.installation.starts or not seen.program:
        return
    failed = fail(
        "host.starts",
        msg("{host} was started, and the plug-in did not load.", host=seen.installation.title),
        msg("Run `ringwall init {host}`, and see what {host} prints when it starts.", host=seen.name),
    )
    try:
        done = subprocess.run(
            [seen.program, *seen.installation.starts],
            cwd=project, env=dict(env), stdin=subprocess.DEVNULL, capture_output=True, timeout=90,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        yield failed
        return
    if done.returncode == 0 and seen.installation.started(done.stdout.decode("utf-8", "replace")):
        yield ok("host.starts", msg("{host} was started, and the plug-in loaded.",
                                    host=seen.installation.title))  # fmt: skip
    else:
        yield failed


def _cannot(seen: Seen) -> Iterator[Check]:
    for hole in seen.installation.holds.holes:
        yield warn("host.cannot", hole, msg("Read docs/hosts/{host}.md.", host=seen.name))


# ---- probes


def probes(seen: Seen, project: str, env: Mapping[str, str]) -> Iterator[Check]:
    """Send a harmless, a forbidden and a broken call through every registered deciding command."""
    checks: list[Check] = []
    for command, timeout in seen.commands.items():
        harmless = json.dumps(seen.installation.sample(HARMLESS, project)).encode("utf-8")
        forbidden = json.dumps(seen.installation.sample(FORBIDDEN, project)).encode("utf-8")
        checks.append(_harmless(seen, _send(command, timeout, harmless, project, env)))
        checks.append(_forbidden(seen, _send(command, timeout, forbidden, project, env)))
        checks.append(_crash(_send(command, timeout, harmless[:-7], project, env)))
    if checks:
        seen.holds = all(check.status is not Status.FAIL for check in checks)
    yield from checks


def _commands(seen: Seen) -> dict[str, float]:
    """Every command that decides, as it stands in the host's files, and how long the host waits for it."""
    found: dict[str, float] = {}
    deciding = {row.event for row in real_host(seen.name).registrations if row.moment is Moment.BEFORE_CALL}
    for each in seen.layouts:
        if seen.installation.plugin:
            found[each.planned.command(seen.name)] = DECIDING_TIMEOUT
            continue
        text = (read_file(each.planned.path) or b"").decode("utf-8", "replace")
        for item in json_lists.items(text, each.planned.path):
            if item.ours and item.keys[-1] in deciding:
                found[item.command] = DECIDING_TIMEOUT
    return found


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a hook command did; `exit` is None where it did not end in time."""

    exit: int | None
    stdout: bytes
    stderr: bytes

    def verdict(self, seen: Seen) -> str:
        """`allow`, `ask` or `deny`, or empty where the answer is not exactly one decision."""
        if self.exit is None:
            return ""
        return seen.installation.answer(HookReply(self.stdout, self.stderr, self.exit))

    @property
    def told(self) -> str:
        text = (self.stderr or self.stdout).decode("utf-8", "backslashreplace").strip()
        return text[:300] or "-"


def _harmless(seen: Seen, answer: _Answer) -> Check:
    verdict = answer.verdict(seen)
    if verdict == "allow":
        return ok("probe.harmless", msg("A harmless call was sent through the hook and allowed."))
    if verdict in ("ask", "deny"):
        return warn(
            "probe.harmless",
            msg("A harmless call was answered with {verdict}: {told}",
                verdict=verdict, told=answer.told),
            msg("Look at the policy: `ringwall explain '{command}'`.", command=HARMLESS),
        )  # fmt: skip
    return fail(
        "probe.harmless",
        msg("A harmless call got no verdict: {told}", told=answer.told),
        msg("Mend what the other checks name."),
    )


def _forbidden(seen: Seen, answer: _Answer) -> Check:
    if answer.verdict(seen) == "deny" or (answer.exit == BLOCK and not answer.stdout):
        return ok(
            "probe.forbidden", msg("`{command}` was sent through the hook and stopped.", command=FORBIDDEN)
        )
    return fail(
        "probe.forbidden",
        msg(
            "`{command}` was sent through the hook and not denied: {told}",
            command=FORBIDDEN,
            told=answer.told,
        ),
        msg("Run `ringwall off --on` if judging is switched off, else `ringwall init`."),
    )


def _crash(answer: _Answer) -> Check:
    if answer.exit == BLOCK and not answer.stdout:
        return ok("probe.crash", msg("A broken call was sent through the hook; the host would stop it."))
    return fail(
        "probe.crash",
        msg(
            "A broken call was sent through the hook and not stopped (exit status {exit}).", exit=answer.exit
        ),
        msg("Run `ringwall init`, and install Ringwall again if this stays."),
    )


def _send(command: str, timeout: float, payload: bytes, project: str, env: Mapping[str, str]) -> _Answer:
    """Run the command as the host does: by a shell, in the project, with the payload on stdin."""
    try:
        done = subprocess.run(
            ["sh", "-c", command],
            input=payload,
            cwd=project,
            env={**env, "CLAUDE_PROJECT_DIR": project},
            capture_output=True,
            timeout=timeout,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _Answer(None, b"", str(error).encode("utf-8", "backslashreplace"))
    return _Answer(done.returncode, done.stdout, done.stderr)
