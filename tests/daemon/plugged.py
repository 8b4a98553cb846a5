"""A daemon whose handler does what the payload says: `python plugged.py STATE [IDLE]`."""

import os
import sys
import time
from collections.abc import Sequence

from ringwall.daemon import lock
from ringwall.daemon.protocol import Request
from ringwall.daemon.server import Server
from ringwall.hosts.protocol import HookReply
from ringwall.store.paths import StateDir


def handle(requests: Sequence[Request]) -> Sequence[HookReply]:
    return [_reply(request, len(requests)) for request in requests]


def _reply(request: Request, together: int) -> HookReply:
    word, _, rest = request.payload.partition(b" ")
    match word:
        case b"say":
            return HookReply(rest, b"told\n", 0)
        case b"block":
            return HookReply(b"", rest, 2)
        case b"home":
            return HookReply(b'{"home":"%s"}' % request.environ.get("HOME", "").encode())
        case b"size":
            return HookReply(b'{"size":%d}' % len(request.payload))
        case b"together":
            time.sleep(0.5)
            return HookReply(b'{"together":%d}' % together)
        case b"die":
            os._exit(1)
        case b"sleep":
            time.sleep(float(rest))
            return HookReply(b"{}")
    raise ValueError("no such word")


if __name__ == "__main__":
    state = StateDir(sys.argv[1])
    state.prepare()
    if lock.take(state) is None:
        sys.exit(7)
    idle = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    Server(state, handle, idle).run()
