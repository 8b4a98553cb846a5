"""`ringwall hook HOST` as a host calls it: payload in, reply out, no command-line library in between.

Invariant: stdout gets the host's reply and nothing else; without a reply the exit status is 2, which stops
the call.
"""

from __future__ import annotations

import sys

STOP = 2


def answer(host: str) -> int:
    """Answer the payload on stdin; the exit status for the host."""
    try:
        from ringwall.judge.judge import open_judge

        reply = open_judge().hook(host, sys.stdin.buffer.read())
        sys.stdout.buffer.write(reply.stdout)
        sys.stdout.buffer.flush()
        sys.stderr.buffer.write(reply.stderr)
    except BaseException as error:
        sys.stderr.write(f"Ringwall has no verdict ({type(error).__name__}): run `ringwall doctor`.\n")
        return STOP
    return reply.exit
