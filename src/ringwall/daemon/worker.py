"""The one thread that judges.

Invariant: requests are judged in the order in which they came, and an answer is given only after what it
rests on is committed. All that are waiting are taken together, so that they share one commit. A call that
waits for a person does not keep the thread: its answer is a `Waiting`.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from ringwall.daemon.protocol import Request
from ringwall.hosts.protocol import BLOCK, HookReply
from ringwall.judge.waiting import Waiting

Reply = HookReply | Waiting
Handler = Callable[[Sequence[Request]], Sequence[Reply]]
Answer = Callable[[Sequence[tuple[object, Reply]]], None]
Job = Callable[[], None]

GROUP = 64
"""Requests that share a commit."""


class Worker:
    """Feeds `handler` from a queue; `answer` is called in the worker's thread, once per group."""

    def __init__(self, handler: Handler, answer: Answer) -> None:
        self._handler = handler
        self._answer = answer
        self._waiting: queue.SimpleQueue[tuple[object, Request] | Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="judge", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def put(self, token: object, request: Request) -> None:
        self._waiting.put((token, request))

    def run(self, job: Job) -> None:
        """Do something else that needs the judge's state, between two groups."""
        self._waiting.put(job)

    def finish(self) -> None:
        """Judge all that is waiting, then end."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            group, last = self._next_group()
            if group:
                replies = self._judge([request for _, request in group])
                self._answer([(token, reply) for (token, _), reply in zip(group, replies, strict=True)])
            if callable(last):
                with suppress(Exception):  # no call waits for it
                    last()
            going = last is not None

    def _next_group(self) -> tuple[list[tuple[object, Request]], Job | bool | None]:
        """The next requests, and what ended them: a job, None at the end of all work, or the group's size."""
        group: list[tuple[object, Request]] = []
        item = self._waiting.get()
        while isinstance(item, tuple):
            group.append(item)
            if len(group) == GROUP or self._waiting.empty():
                return group, True
            item = self._waiting.get()
        return group, item

    def _judge(self, requests: list[Request]) -> Sequence[Reply]:
        try:
            replies = self._handler(requests)
        except Exception as error:
            return [_no_verdict(request, error) for request in requests]
        if len(replies) != len(requests):
            return [_no_verdict(request, ValueError("an answer is missing")) for request in requests]
        return replies


def _no_verdict(request: Request, error: Exception) -> HookReply:
    text = f"Ringwall has no verdict: {type(error).__name__}: {error}. Run `ringwall doctor`.\n"
    status = 1 if request.notify else BLOCK
    return HookReply(b"", text.encode("utf-8", "backslashreplace"), status)
