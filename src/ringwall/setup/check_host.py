"""Doctor's look at Claude Code: its program, its settings, and the hooks as they are registered there.

Invariant: the probes go through the very command that stands in the settings, run as the host runs it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ringwall.hosts.claude import registrations
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.setup import claude_settings
from ringwall.setup.change import decoded, read_file
from ringwall.setup.check import Check, fail, ok, warn
from ringwall.setup.claude_settings import Handler, Settings
from ringwall.setup.hook_client import hook_client

LEAST_VERSION = (2, 1, 295)
"""The first version that honours `onFailure`, without which a crashed hook lets the call run."""

PROBE_SESSION = "ringwall-doctor"
HARMLESS = "echo ringwall-doctor"
FORBIDDEN = "rm -rf ~"


def program(env: Mapping[str, str]) -> Check:
    """Whether the host is there, in a version whose hooks can block."""
    least = ".".join(map(str, LEAST_VERSION))
    update = msg("Update Claude Code to {least} or later.", least=least)
    found = shutil.which("claude", path=env.get("PATH", os.defpath))
    if found is None:
        install = msg("Install Claude Code {least} or later, or add its folder to PATH.", least=least)
        return warn("host.program", msg("There is no program claude on PATH."), install)
    try:
        done = subprocess.run(
            [found, "--version"], env=dict(env), capture_output=True, stdin=subprocess.DEVNULL, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return fail("host.program", msg("{path} cannot be run: {detail}", path=found, detail=error), update)
    version = re.match(rb"(\d+)\.(\d+)\.(\d+)", done.stdout)
    if version is None:
        return fail("host.program", msg("{path} does not tell its version.", path=found), update)
    numbers = tuple(int(part) for part in version.groups())
    told = msg("{path} is Claude Code {version}.", path=found, version=version.group().decode("ascii"))
    return ok("host.program", told) if numbers >= LEAST_VERSION else fail("host.program", told, update)


def settings(project: str, env: Mapping[str, str]) -> tuple[list[Settings], list[Check]]:
    """All settings files that a session reads, and the checks of what stands in them."""
    found: list[Settings] = []
    checks: list[Check] = []
    for path in (*claude_settings.MANAGED, *claude_settings.locations(project, env).values()):
        try:
            content = read_file(path)
            if content is not None and content.strip():
                found.append(claude_settings.examine(decoded(content, path), path))
        except RingwallError as error:
            checks.append(fail("host.settings", msg("{error}", error=error), error.repair))
    checks.extend(_switches(found))
    checks.extend(_managed_only(found))
    checks.extend(_registration(found))
    return found, checks


def _managed_only(found: list[Settings]) -> Iterator[Check]:
    """An administrator may let only hooks run that stand in the administrator's own file."""
    for each in found:
        if each.path in claude_settings.MANAGED and each.managed_only and not each.ours:
            yield fail(
                "host.managed_only",
                msg("{where}: only an administrator's hooks run here.", where=each.managed_only),
                msg("Ask the administrator to put Ringwall's hooks into that file."),
            )


def _switches(found: list[Settings]) -> Iterator[Check]:
    for each in found:
        for notice in claude_settings.notices(each):
            if each.switched_off:
                yield fail("host.disabled", notice, msg("Take `disableAllHooks` out."))
            else:
                yield warn("host.other_hooks", notice, msg("Make sure that this hook changes no input."))


def _registration(found: list[Settings]) -> Iterator[Check]:
    ours = [handler for each in found for handler in each.ours]
    if not ours:
        yield fail("host.hooks", msg("No hook of Ringwall is registered here."), msg("Run `ringwall init`."))
        return
    client = hook_client()
    expected = claude_settings.wanted(client)
    problems = [text for row in registrations for text in _problems(row.event, expected, ours)]
    place = ours[0].place.partition(":")[0]
    if problems:
        repair = msg("Run `ringwall init` to bring the hooks up to date.")
        yield from (fail("host.hooks", problem, repair) for problem in problems)
    else:
        yield ok("host.hooks", msg("All hooks stand in {path} as they should.", path=place))


def _problems(event: str, expected: Mapping[str, Any], ours: list[Handler]) -> Iterator[Text]:
    mine = [handler for handler in ours if handler.event == event]
    wanted = expected[event]["hooks"][0]
    if not mine:
        yield msg("The hook for {event} is missing.", event=event)
    for handler in mine:
        if handler.matcher not in ("", "*"):
            yield msg("{where}: the hook for {event} covers only {matcher}.",
                      where=handler.place, event=event, matcher=handler.matcher)  # fmt: skip
        if "onFailure" in wanted and not handler.blocks:
            yield msg("{where}: a failed hook for {event} would let the call run.",
                      where=handler.place, event=event)  # fmt: skip
        if handler.command != wanted["command"]:
            yield msg("{where}: the hook for {event} runs another command than this installation's.",
                      where=handler.place, event=event)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a hook command did; `exit` is None where it did not end in time."""

    exit: int | None
    stdout: bytes
    stderr: bytes

    @property
    def decision(self) -> str:
        """`allow`, `ask` or `deny`, or empty where the answer is not exactly one decision."""
        try:
            specific = json.loads(self.stdout)["hookSpecificOutput"]
            return str(specific["permissionDecision"]) if self.exit == 0 else ""
        except (ValueError, KeyError, TypeError):
            return ""

    @property
    def told(self) -> str:
        text = (self.stderr or self.stdout).decode("utf-8", "backslashreplace").strip()
        return text[:300] or "-"


def probes(found: list[Settings], project: str, env: Mapping[str, str]) -> Iterator[Check]:
    """Send a harmless, a forbidden and a broken call through every registered deciding command."""
    commands = {
        handler.command: handler for each in found for handler in each.ours if handler.event == "PreToolUse"
    }
    for handler in commands.values():
        yield _harmless(_send(handler, _payload(HARMLESS, project), project, env))
        yield _forbidden(_send(handler, _payload(FORBIDDEN, project), project, env))
        yield _crash(_send(handler, _payload(HARMLESS, project)[:-7], project, env))


def _harmless(answer: _Answer) -> Check:
    if answer.decision == "allow":
        return ok("probe.harmless", msg("A harmless call was sent through the hook and allowed."))
    if answer.decision in ("ask", "deny"):
        return warn(
            "probe.harmless",
            msg("A harmless call was answered with {verdict}: {told}",
                verdict=answer.decision, told=answer.told),
            msg("Look at the policy: `ringwall explain '{command}'`.", command=HARMLESS),
        )  # fmt: skip
    return fail(
        "probe.harmless",
        msg("A harmless call got no verdict: {told}", told=answer.told),
        msg("Mend what the other checks name."),
    )


def _forbidden(answer: _Answer) -> Check:
    if answer.decision == "deny" or (answer.exit == 2 and not answer.stdout):
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
    if answer.exit == 2 and not answer.stdout:
        return ok("probe.crash", msg("A broken call was sent through the hook; the host would stop it."))
    return fail(
        "probe.crash",
        msg(
            "A broken call was sent through the hook and not stopped (exit status {exit}).", exit=answer.exit
        ),
        msg("Run `ringwall init`, and install Ringwall again if this stays."),
    )


def _send(handler: Handler, payload: bytes, project: str, env: Mapping[str, str]) -> _Answer:
    """Run the command as the host does: by a shell, in the project, with the payload on stdin."""
    try:
        done = subprocess.run(
            ["sh", "-c", handler.command],
            input=payload,
            cwd=project,
            env={**env, "CLAUDE_PROJECT_DIR": project},
            capture_output=True,
            timeout=handler.timeout or claude_settings.DECIDING_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _Answer(None, b"", str(error).encode("utf-8", "backslashreplace"))
    return _Answer(done.returncode, done.stdout, done.stderr)


def _payload(command: str, project: str) -> bytes:
    """A PreToolUse payload in the shape that the host sends."""
    return json.dumps(
        {
            "session_id": PROBE_SESSION,
            "transcript_path": "",
            "cwd": project,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": shlex.quote(command)},
            "tool_use_id": PROBE_SESSION,
        }
    ).encode("utf-8")
