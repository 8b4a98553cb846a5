"""Claude Code's settings files: what stands in them beside hooks of ours, and what of it works against them.

Invariant: looking only; what is written is planned like that of every host (`registering.py`).
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from ringwall.hosts.installation import Scope
from ringwall.model.errors import PolicyError
from ringwall.model.json_tree import Object, Scalar, where
from ringwall.model.text import Text, msg
from ringwall.setup import json_lists
from ringwall.setup.change import decoded, read_file

MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
)
"""Where an administrator's settings are, which nothing else outranks."""


@dataclass(frozen=True, slots=True)
class Handler:
    """One registered hook command. `place` is `file:line:column`."""

    event: str
    matcher: str
    command: str
    timeout: float | None
    blocks: bool
    ours: bool
    place: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What Ringwall needs to know of one settings file."""

    path: str
    handlers: tuple[Handler, ...] = ()
    switched_off: str = ""  # the place of `disableAllHooks: true`
    managed_only: str = ""  # the place of `allowManagedHooksOnly: true`

    @property
    def ours(self) -> tuple[Handler, ...]:
        return tuple(handler for handler in self.handlers if handler.ours)


def examine(text: str, path: str) -> Settings:
    """The hooks in a settings file. Raises `PolicyError` for what is not JSON or not of the known shape."""
    root = json_lists.root_of(text, path)
    handlers = tuple(_described(text, path, item) for item in json_lists.items(text, path))
    return Settings(
        path,
        handlers,
        _set(text, path, root, "disableAllHooks"),
        _set(text, path, root, "allowManagedHooksOnly"),
    )


def locations(project: str, env: Mapping[str, str]) -> dict[str, str]:
    """The settings files that a session in `project` reads, by scope, weakest first."""
    home = env.get("CLAUDE_CONFIG_DIR") or posixpath.join(env.get("HOME", "/"), ".claude")
    return {
        "user": posixpath.join(home, "settings.json"),
        "project": posixpath.join(project, ".claude", "settings.json"),
        "local": posixpath.join(project, ".claude", "settings.local.json"),
    }


def notices(settings: Settings) -> tuple[Text, ...]:
    """What in a settings file works against Ringwall."""
    found: list[Text] = []
    if settings.switched_off:
        found.append(msg("{where}: disableAllHooks switches Ringwall off.", where=settings.switched_off))
    found += [
        msg(
            "{where}: another PreToolUse hook may change a call after Ringwall has judged it.",
            where=handler.place,
        )
        for handler in settings.handlers
        if handler.event == "PreToolUse" and not handler.ours
    ]
    return tuple(found)


def all_notices(scope: Scope, project: str, env: Mapping[str, str]) -> tuple[Text, ...]:
    """What stands against Ringwall in any settings file that the session will read."""
    found: list[Text] = []
    for word, path in locations(project, env).items():
        try:
            content = read_file(path)
            settings = examine(decoded(content, path) if content and content.strip() else "{}", path)
        except PolicyError:
            if word == scope.value:
                raise
            found.append(msg("{path} is not valid; the host ignores it.", path=path))
            continue
        found.extend(notices(settings))
        if settings.ours and word != scope.value:
            found.append(msg("{path} registers Ringwall too; each call is then judged twice.", path=path))
    return tuple(found)


def _set(text: str, path: str, root: Object, key: str) -> str:
    """The place of `key` where it is true."""
    found = root.get(key)
    return where(text, found.start, path) if isinstance(found, Scalar) and found.value is True else ""


def _described(text: str, path: str, item: json_lists.Item) -> Handler:
    handler = item.value
    entry = json_lists.plain(item.entry)
    timeout = handler.get("timeout")
    return Handler(
        event=item.keys[-1],
        matcher=str(entry.get("matcher", "")),
        command=item.command,
        timeout=timeout if isinstance(timeout, int | float) else None,
        blocks=handler.get("onFailure") == "block",
        ours=item.ours,
        place=where(text, item.node.start, path),
    )
