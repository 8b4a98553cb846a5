"""What the daemon does with its requests: it judges them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ringwall.daemon.group import Reply
from ringwall.daemon.protocol import Request
from ringwall.judge.case import Asked
from ringwall.judge.judge import Judge
from ringwall.store.paths import StateDir


class Judging:
    """Judges groups of requests with the state in `state`, and knows which proposals still wait."""

    def __init__(self, state: StateDir) -> None:
        self._judge = Judge(state)
        self._judge.warm()

    def __call__(self, requests: Sequence[Request]) -> Sequence[Reply]:
        return self._judge.hooks(
            [Asked(one.host, one.payload, one.environ, one.notify, one.waited) for one in requests]
        )

    def undecided(self, numbers: Sequence[int]) -> Collection[int]:
        return self._judge.undecided(numbers)
