"""pi: an extension in its process forwards each call (contract of 1.6.0; see docs/hosts/pi.md).

Invariant: this host ends when an extension does not load, and stops a call whose extension fails, so no call
runs unjudged where the extension is registered.
"""

from __future__ import annotations

from ringwall.hosts import plugged
from ringwall.hosts.installation import Form, Holds, Installation, Scope, Site
from ringwall.hosts.protocol import Registration
from ringwall.model.text import msg

name = "pi"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = False

registrations: tuple[Registration, ...] = plugged.REGISTRATIONS

_DIALECT = plugged.Dialect(name)
parse, reply, asks, failure = _DIALECT.parse, _DIALECT.reply, _DIALECT.asks, _DIALECT.failure

installation = Installation(
    title="pi",
    program="pi",
    least=(1, 6, 0),
    sites=(
        Site(Scope.PROJECT, ".pi/extensions", "ringwall.js"),
        Site(Scope.USER, "~/.pi/agent", "extensions/ringwall.js", "PI_CODING_AGENT_DIR"),
    ),
    guards=(
        Site(Scope.PROJECT, ".pi/extensions", ""),
        Site(Scope.PROJECT, ".pi", "settings.json"),
        Site(Scope.USER, "~/.pi/agent", "extensions", "PI_CODING_AGENT_DIR"),
        Site(Scope.USER, "~/.pi/agent", "settings.json", "PI_CODING_AGENT_DIR"),
    ),
    session_variables=("PI_SESSION_ID", "PI_CODING_AGENT"),
    form=Form.OWN,
    plugin="pi.mjs",
    sample=_DIALECT.sample,
    answer=plugged.answer,
    unhooks=("--no-extensions", "-ne"),
    run=("-e", "{}"),
    holds=Holds(
        asks=msg("console"),
        subagents=msg("none"),
        crash=msg("stops"),
        timeout=msg("stops"),
        unloaded=msg("ends"),
        holes=(
            msg("`--no-extensions` starts pi without Ringwall; use `ringwall run pi` where that matters."),
        ),
    ),
)
