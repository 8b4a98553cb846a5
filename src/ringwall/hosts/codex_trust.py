"""What Codex wants besides hooks: a digest for each hook that a person trusts, and rules of its own.

Invariant: the digest is of the hook exactly as it stands in the file, so a hook that is changed is no longer
trusted, and `doctor` sees it.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from ringwall.hosts.installation import is_ours
from ringwall.model.errors import PolicyError
from ringwall.model.text import msg

DEFAULT_TIMEOUT = 600
_WORD = re.compile(r"(?<!^)(?=[A-Z])")

_SHELL = "an interactive shell takes commands that no hook sees. Run each command by itself."
_CODE = "an interactive interpreter takes code that no hook sees. Run a script."
_FORBIDDEN = {
    ("bash", "-i"): _SHELL,
    ("sh", "-i"): _SHELL,
    ("zsh", "-i"): _SHELL,
    ("script",): _SHELL,
    ("screen",): _SHELL,
    ("tmux",): _SHELL,
    ("expect",): "it types into programs where no hook sees it. Run each command by itself.",
    ("python", "-i"): _CODE,
    ("python3", "-i"): _CODE,
    ("node", "-i"): _CODE,
    ("sudo", "-i"): "a shell of the administrator is for a person.",
    ("sudo", "-s"): "a shell of the administrator is for a person.",
    ("su",): "a shell of another user is for a person.",
}

RULES = (
    "# Ringwall: typing into a program that already runs reaches no hook, so Codex itself refuses these.\n"
    + (
        "".join(
            f'prefix_rule(pattern={json.dumps(list(words))}, decision="forbidden", '
            f"justification={json.dumps(f'Ringwall: {why}')})\n"
            for words, why in _FORBIDDEN.items()
        )
    )
)
"""Written as `rules/ringwall.rules`."""


def digests(path: str, text: str) -> dict[str, str]:
    """The trust key of each hook of Ringwall's in the hooks file `path`, and the digest that trusts it."""
    return {
        key: digest(event, group, handler)
        for key, event, group, handler in _hooks(path, text)
        if is_ours(str(handler.get("command", "")))
    }


def digest(event: str, group: Mapping[str, Any], handler: Mapping[str, Any]) -> str:
    """The digest that the host computes for one command hook."""
    identity: dict[str, Any] = {
        "event_name": _snake(event),
        "hooks": [
            {
                "async": False,
                "command": handler.get("command", ""),
                "timeout": handler.get("timeout", DEFAULT_TIMEOUT),
                "type": "command",
            }
        ],
    }
    if group.get("matcher"):
        identity["matcher"] = group["matcher"]
    canonical = json.dumps(identity, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode('utf-8')).hexdigest()}"


def table(path: str, text: str, rest: str, ours: str) -> str:
    """The lines of the host's configuration that trust Ringwall's hooks in the hooks file `path`, and in the
    other files that the lines of ours trust already; `rest` is that configuration without them, and what it
    trusts needs no line. Raises `PolicyError`."""
    known = trusted(rest)
    wanted = {key: value for key, value in digests(path, text).items() if known.get(key) != value}
    for key in wanted.keys() & known.keys():
        raise PolicyError(
            "codex.trusted_otherwise",
            msg("Codex trusts another command for the hook {key}.", key=key),
            msg("Take that table out of the file, and run the command again."),
            "config.toml",
        )
    return of_others(path, ours) + _lines(wanted)


def of_others(path: str, ours: str) -> str:
    """Those of our lines that trust hooks in other files than `path`."""
    return _lines({key: value for key, value in trusted(ours).items() if not key.startswith(f"{path}:")})


def _lines(digests: Mapping[str, str]) -> str:
    return "".join(
        f"[hooks.state.{json.dumps(key, ensure_ascii=False)}]\ntrusted_hash = {json.dumps(value)}\n"
        for key, value in digests.items()
    )


def trusted(config: str) -> dict[str, str]:
    """The digests that the host's configuration holds, by key. Raises `PolicyError`."""
    try:
        state = tomllib.loads(config).get("hooks", {}).get("state", {})
        return {key: str(value.get("trusted_hash", "")) for key, value in state.items()}
    except (tomllib.TOMLDecodeError, AttributeError) as error:
        raise PolicyError(
            "codex.not_toml",
            msg("Codex's configuration cannot be read: {detail}.", detail=error),
            msg("Correct the file and run the command again."),
            "config.toml",
        ) from error


def _hooks(path: str, text: str) -> Iterator[tuple[str, str, Mapping[str, Any], Mapping[str, Any]]]:
    for event, groups in json.loads(text.removeprefix("\ufeff") or "{}").get("hooks", {}).items():
        for at, group in enumerate(groups):
            for index, handler in enumerate(group.get("hooks", ())):
                yield f"{path}:{_snake(event)}:{at}:{index}", event, group, handler


def _snake(event: str) -> str:
    return _WORD.sub("_", event).lower()
