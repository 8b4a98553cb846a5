"""Requests that are judged together and share one commit.

Invariant: each request gets an answer, and a handler that fails gives "no verdict", never an opening.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ringwall.daemon.protocol import Request
from ringwall.hosts.protocol import BLOCK, HookReply
from ringwall.judge.waiting import Waiting

Reply = HookReply | Waiting
Handler = Callable[[Sequence[Request]], Sequence[Reply]]

GROUP = 64
"""The most that share a commit."""


def judged(handler: Handler, requests: Sequence[Request]) -> Sequence[Reply]:
    """The answers to `requests`, in their order."""
    try:
        replies = handler(requests)
    except Exception as error:
        return [_no_verdict(request, error) for request in requests]
    if len(replies) != len(requests):
        return [_no_verdict(request, ValueError("an answer is missing")) for request in requests]
    return replies


def _no_verdict(request: Request, error: Exception) -> HookReply:
    text = f"Ringwall has no verdict: {type(error).__name__}: {error}. Run `ringwall doctor`.\n"
    status = 1 if request.notify else BLOCK
    return HookReply(b"", text.encode("utf-8", "backslashreplace"), status)
