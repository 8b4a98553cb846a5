"""What a gateway needs to know of where it runs, and its event loop."""

from __future__ import annotations

import asyncio
import os
import posixpath
import re
import time
from collections.abc import Mapping, Sequence

from ringwall.gateways.acp import AcpGate
from ringwall.gateways.mcp import McpGate, Session
from ringwall.gateways.relay import Relay
from ringwall.gateways.verdicts import Verdicts
from ringwall.journal.identifiers import uuid7
from ringwall.judge.pins import Pins
from ringwall.judge.places import places_of
from ringwall.model.errors import UsageError
from ringwall.model.text import msg
from ringwall.store.paths import StateDir

SESSION_VARIABLE = "RINGWALL_SESSION"
"""Names the session, where `ringwall run` has started it."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*")
_RUNNERS = frozenset({"npx", "bunx", "pnpx", "uvx", "pipx", "node", "python", "python3", "uv", "deno", "bun",
                      "docker", "run", "exec", "dlx", "tool"})  # fmt: skip


def wrap_mcp(
    words: Sequence[str], name: str, folder: str, environ: Mapping[str, str], state: StateDir,
    client: Sequence[str],
) -> int:  # fmt: skip
    """Stand before the MCP server `words` until one end goes; the exit status. `client` is the argv of the
    hook client."""
    server = server_name(name, words)
    session = Session(server, folder, environ.get(SESSION_VARIABLE) or uuid7(time.time_ns()))
    root = places_of(folder, environ, state).root

    async def main() -> int:
        relay = Relay(words, environ, folder, server)
        verdicts = Verdicts(client, "mcp", environ)
        gate = McpGate(relay, session, verdicts, lambda: Pins(state, root, server, session.session))
        return await relay.run(gate)

    return asyncio.run(main())


def wrap_acp(words: Sequence[str], folder: str, environ: Mapping[str, str], client: Sequence[str]) -> int:
    """Stand before the ACP agent `words` until one end goes; the exit status."""

    async def main() -> int:
        relay = Relay(words, environ, folder, "the agent")
        return await relay.run(AcpGate(relay, folder, Verdicts(client, "acp", environ)))

    return asyncio.run(main())


def server_name(given: str, words: Sequence[str]) -> str:
    """The name by which rules speak of the server: as given, else from its command."""
    name = given or named_by(words)
    if not _NAME.fullmatch(name):
        raise UsageError(
            "mcp.server_name",
            msg("{name} cannot be the name of a server in rules.", name=ascii(name)),
            msg("Give one with --name: letters, digits, hyphens, and single underscores between them."),
            "--name",
        )
    return name


def named_by(words: Sequence[str]) -> str:
    """The first word that is no runner and no option, without its folder, version and scope."""
    plain = [word for word in words if not word.startswith("-")]
    names = [posixpath.basename(word) for word in plain]
    chosen = next((name for name in names if name not in _RUNNERS), names[0] if names else "")
    bare = chosen.partition("@")[0] or chosen.strip("@")
    stem = os.path.splitext(bare)[0]
    return re.sub(r"[^A-Za-z0-9-]+", "-", stem).strip("-")
