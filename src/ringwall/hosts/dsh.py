"""DeepSeek Harness: a plug-in in its process forwards each call and each step (contract of 0.2.1rc2; see
docs/hosts/dsh.md).

Invariant: the profile's agent loop waits for the plug-in's service, so where the plug-in does not load the
host does not start.
"""

from __future__ import annotations

import json
import posixpath

from ringwall.hosts import plugged
from ringwall.hosts.installation import Form, Holds, Installation, Planned, Scope, Site
from ringwall.hosts.protocol import Registration
from ringwall.model.text import msg

name = "dsh"
"""The word for this host on the command line, in tool calls and in the journal."""

can_ask = False

registrations: tuple[Registration, ...] = plugged.REGISTRATIONS

_DIALECT = plugged.Dialect(name, below="workdir")
parse, reply, asks, failure = _DIALECT.parse, _DIALECT.reply, _DIALECT.asks, _DIALECT.failure

# What an agent is told before a step is no matter of this module: the plug-in forwards `agent/pre-step` as
# the event `step` and adds the `context` of the answer; its texts come from prestep/, by way of the judge.


def _text(planned: Planned) -> str:
    """Two entries of a profile's patch: the plug-in, and the agent loop that waits for it."""
    path = posixpath.join(planned.plugins, "ringwall-dsh.mjs")
    return (
        "- insert:\n"
        "    - id: ringwall\n"
        f"      name: {json.dumps(path, ensure_ascii=False)}\n"
        "- id: agent-loop\n"
        "  inject:\n"
        "    - ringwallGate\n"
    )


installation = Installation(
    title="DeepSeek Harness",
    program="dsh",
    least=(0, 2, 1),
    sites=(Site(Scope.USER, "", "profiles/*/cordis.patch.yml", "DSH_HOME"),),
    guards=(Site(Scope.USER, "", "profiles", "DSH_HOME"), Site(Scope.USER, "", "plugins", "DSH_HOME")),
    session_variables=("DSH_SESSION_ID",),
    form=Form.BLOCK,
    seed="[]\n",
    text=_text,
    plugin="dsh.mjs",
    sample=_DIALECT.sample,
    answer=plugged.answer,
    run=("--patch", "{}"),
    holds=Holds(
        asks=msg("console"),
        subagents=msg("yes"),
        crash=msg("stops"),
        timeout=msg("stops"),
        unloaded=msg("ends"),
        holes=(msg("A profile that is made later has no hooks until `ringwall init dsh` is run again."),),
    ),
)
