"""OpenCode: a plug-in in its process forwards each call (contract of 1.18.33; see docs/hosts/opencode.md).

Invariant: the configuration denies every tool until the plug-in has loaded and lifts that denial itself, so
a plug-in that does not load leaves a host without tools, not a host without Ringwall.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ringwall.hosts import plugged
from ringwall.hosts.installation import Form, Holds, Installation, Planned, Scope, Site
from ringwall.hosts.protocol import Registration
from ringwall.model.text import msg

name = "opencode"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = False

registrations: tuple[Registration, ...] = plugged.REGISTRATIONS

_BUILT_IN = frozenset(
    {
        "apply_patch", "bash", "codesearch", "edit", "glob", "grep", "invalid", "list", "lsp", "multiedit",
        "patch", "plan_enter", "plan_exit", "question", "read", "skill", "task", "todoread", "todowrite",
        "webfetch", "websearch", "write",
    }
)  # fmt: skip

LOCKED_OUT: Mapping[str, Any] = {"*": "deny"}
"""The rule for every tool that stands in the configuration until the plug-in lifts it."""


def _named(tool: str) -> tuple[str, str]:
    """The MCP server and tool of `server_tool`."""
    server, _, own = tool.partition("_")
    return (server, own) if tool not in _BUILT_IN and server and own else ("", tool)


_DIALECT = plugged.Dialect(name, _named, below="workdir")
parse, reply, asks, failure = _DIALECT.parse, _DIALECT.reply, _DIALECT.asks, _DIALECT.failure


def _started(output: str) -> bool:
    """Whether the configuration that the host prints shows that the plug-in has lifted the rule."""
    at = output.find("{")
    try:
        permission = json.loads(output[at:]).get("permission", {}) if at >= 0 else None
    except ValueError:
        return False
    return isinstance(permission, dict) and permission.get("*") != LOCKED_OUT


def _lists(planned: Planned) -> Mapping[tuple[str, ...], Any]:
    return {("plugin",): f"file://{quote(posixpath.join(planned.plugins, 'ringwall-opencode.mjs'))}"}


def _members(planned: Planned) -> Mapping[tuple[str, ...], Any]:
    return {("permission", "*"): dict(LOCKED_OUT)}


installation = Installation(
    title="OpenCode",
    program="opencode",
    least=(1, 18, 33),
    sites=(
        Site(Scope.PROJECT, "", "opencode.json"),
        Site(Scope.USER, "~/.config", "opencode/opencode.json", "XDG_CONFIG_HOME"),
    ),
    guards=(
        Site(Scope.PROJECT, "", "opencode.jsonc"),
        Site(Scope.PROJECT, ".opencode", "plugin"),
        Site(Scope.PROJECT, ".opencode", "plugins"),
        Site(Scope.PROJECT, ".opencode", "opencode.json"),
        Site(Scope.USER, "~/.config", "opencode/opencode.jsonc", "XDG_CONFIG_HOME"),
        Site(Scope.USER, "~/.config", "opencode/plugin", "XDG_CONFIG_HOME"),
        Site(Scope.USER, "~/.config", "opencode/plugins", "XDG_CONFIG_HOME"),
    ),
    session_variables=("OPENCODE",),
    form=Form.LISTS,
    lists=_lists,
    members=_members,
    plugin="opencode.mjs",
    starts=("debug", "config"),
    started=_started,
    unhooks=("--pure",),
    sample=_DIALECT.sample,
    answer=plugged.answer,
    holds=Holds(
        asks=msg("console"),
        subagents=msg("yes"),
        crash=msg("stops"),
        timeout=msg("stops"),
        unloaded=msg("stops"),
        holes=(
            msg("`--pure` starts OpenCode without plug-ins, and so without tools while our rule stands."),
        ),
    ),
)
