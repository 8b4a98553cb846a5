"""`ringwall init`: registers the hooks with a host, and takes them out again.

Invariant: what was in the file stays there, byte for byte; running it twice changes nothing more.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ringwall.hosts.registry import host as known_host
from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import PolicyError, UsageError
from ringwall.model.text import Text, msg
from ringwall.setup import claude_settings, receipt
from ringwall.setup.change import Change, decoded, read_file
from ringwall.setup.hook_client import hook_client
from ringwall.store.paths import StateDir, locate


class Scope(StrEnum):
    """Whose settings: everybody's in the project, one's own in the project, or one's own everywhere."""

    PROJECT = "project"
    LOCAL = "local"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registering(Change):
    """Puts the hooks in, and first keeps what the file was."""

    state: StateDir
    kept: receipt.Receipt

    def apply(self) -> None:
        if self.needed:
            receipt.save(self.state, self.kept)
        Change.apply(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removing(Change):
    """Takes the hooks out; `folder` is removed too when it is empty then, because we made it."""

    state: StateDir
    folder: str

    def apply(self) -> None:
        Change.apply(self)
        receipt.forget(self.state, self.path)
        if self.folder and not os.listdir(self.folder):
            os.rmdir(self.folder)


def plan_init(host: str, scope: Scope, project: str, env: Mapping[str, str]) -> Change:
    """The change that registers all hooks of `host`. `project` is an absolute directory; `env` gives HOME,
    PATH and RINGWALL_HOME. Raises `PolicyError` for settings that are not JSON, with file:line:column."""
    path = _settings_file(host, scope, project, env)
    state = locate(env)
    before = read_file(path)
    text = _text(before, path)
    after = claude_settings.with_hooks(text, path, hook_client()).encode("utf-8")
    kept = _receipt(state, path, before, after)
    notices = _notices(scope, project, env)
    return Registering(path, before, after, notices, state=state, kept=kept)


def plan_remove(host: str, scope: Scope, project: str, env: Mapping[str, str]) -> Change:
    """The change that takes exactly our hooks out again."""
    path = _settings_file(host, scope, project, env)
    state = locate(env)
    content = read_file(path)
    kept = receipt.load(state, path)
    folder = os.path.dirname(path) if kept is not None and kept.made_folder else ""
    return Removing(path, content, _restored(path, content, kept), state=state, folder=folder)


def _settings_file(host: str, scope: Scope, project: str, env: Mapping[str, str]) -> str:
    known_host(host)
    if scope is Scope.USER and not env.get("HOME"):
        raise UsageError(
            "setup.no_home",
            msg("HOME is not set, so there are no user settings."),
            msg("Set HOME, or use the project's settings."),
        )
    return claude_settings.locations(project, env)[scope.value]


def _text(content: bytes | None, path: str) -> str:
    """The settings as text; an empty or missing file is an empty object."""
    if content is None or not content.strip():
        return "{}\n"
    return decoded(content, path)


def _receipt(state: StateDir, path: str, before: bytes | None, after: bytes) -> receipt.Receipt:
    """What `--remove` shall give back: what the first `init` found, unless it was edited since."""
    kept = receipt.load(state, path)
    made_folder = kept.made_folder if kept else not os.path.isdir(os.path.dirname(path))
    original = _restored(path, before, kept)
    return receipt.Receipt(path, original, digest_bytes(after), made_folder)


def _restored(path: str, content: bytes | None, kept: receipt.Receipt | None) -> bytes | None:
    if content is None or not content.strip():
        return content
    if kept is not None and kept.covers(content):
        return kept.before
    rest = claude_settings.without_hooks(_text(content, path), path)
    ours_alone = kept is not None and kept.before is None
    return None if ours_alone and not rest.strip("{} \t\r\n") else rest.encode("utf-8")


def _notices(scope: Scope, project: str, env: Mapping[str, str]) -> tuple[Text, ...]:
    """What stands against Ringwall in any settings file that the session will read."""
    found: list[Text] = []
    if scope is Scope.PROJECT and os.path.lexists(os.path.join(project, ".git")):
        found.append(
            msg(
                "These settings are often shared through git, but the path of the hook is this machine's; "
                "where it is missing, every call is stopped. `ringwall init --scope local` keeps them yours."
            )
        )
    for word, path in claude_settings.locations(project, env).items():
        try:
            content = read_file(path)
            settings = claude_settings.examine(_text(content, path), path)
        except PolicyError:
            if word == scope.value:
                raise
            found.append(msg("{path} is not valid; the host ignores it.", path=path))
            continue
        found.extend(claude_settings.notices(settings))
        if settings.ours and word != scope.value:
            found.append(msg("{path} registers Ringwall too; each call is then judged twice.", path=path))
    return tuple(found)
