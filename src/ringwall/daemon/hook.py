"""`ringwall hook HOST`: the way of a payload where no daemon answered.

Invariant: stdout gets the host's reply whole or nothing; whatever fails, the status stops the call (or is 1
where the client only notifies and no call waits).
"""

from __future__ import annotations

import contextlib
import os
import sys

NOTIFY = "RINGWALL_HOOK_NOTIFY"
"""Set by the client for moments that wait for no verdict."""


def answer(host: str) -> int:
    """Answer this call, then start the daemon for the next one, so that the two do not compete for the
    processor; the exit status for the host."""
    notify = os.environ.pop(NOTIFY, "") == "1"
    try:
        payload = sys.stdin.buffer.read()
        from ringwall.daemon.start import start
        from ringwall.judge.judge import open_judge
        from ringwall.store.paths import locate

        reply = open_judge().hook(host, payload, notify=notify)
        sys.stdout.buffer.write(reply.stdout)
        sys.stdout.buffer.flush()
        sys.stderr.buffer.write(reply.stderr)
        sys.stderr.buffer.flush()
        with contextlib.suppress(Exception):  # the answer is given; the next call will say what is wrong
            start(locate(os.environ), os.environ)
    except BaseException as error:
        with contextlib.suppress(Exception):
            sys.stderr.write(
                f"Ringwall has no verdict: {type(error).__name__}: {error}. Run `ringwall doctor`.\n"
            )
        return 1 if notify else 2
    return reply.exit
