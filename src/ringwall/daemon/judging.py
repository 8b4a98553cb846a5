"""What the daemon does with its requests: it judges them."""

from __future__ import annotations

from collections.abc import Sequence

from ringwall.daemon.group import Handler
from ringwall.daemon.protocol import Request
from ringwall.hosts.protocol import HookReply
from ringwall.judge.judge import Asked, Judge
from ringwall.store.paths import StateDir


def handler(state: StateDir) -> Handler:
    """Judges groups of requests with the state in `state`."""
    judge = Judge(state)
    judge.warm()

    def handle(requests: Sequence[Request]) -> Sequence[HookReply]:
        return judge.hooks([Asked(one.host, one.payload, one.environ, one.notify) for one in requests])

    return handle
