"""Doctor's look at what only Claude Code has: switches in its settings, an administrator's rule, and how each
hook is registered.

Invariant: every settings file that a session reads is looked at, and one that cannot be read is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ringwall.hosts import claude
from ringwall.hosts.installation import DECIDING_TIMEOUT, Planned
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text, msg
from ringwall.setup import claude_settings
from ringwall.setup.change import decoded, read_file
from ringwall.setup.check import Check, fail, ok, warn
from ringwall.setup.claude_settings import Handler, Settings
from ringwall.setup.hook_client import hook_client


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


def commands(found: list[Settings]) -> dict[str, float]:
    """The registered commands that decide on calls, and how long the host waits for each."""
    return {
        handler.command: handler.timeout or DECIDING_TIMEOUT
        for each in found
        for handler in each.ours
        if handler.event == "PreToolUse"
    }


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
    lists = claude.installation.lists(Planned(hook_client(), ""))
    expected = {keys[-1]: group for keys, group in lists.items()}
    problems = [text for row in claude.registrations for text in _problems(row.event, expected, ours)]
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
