"""One hook call on its way through the judge: what was asked, and what is known of it so far.

Invariant: only `judge/judge.py` fills a case in; whoever answers it reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringwall.hosts.protocol import Dialect, HostEvent
from ringwall.judge import asks
from ringwall.judge.policies import InForce
from ringwall.judge.standing import Pause
from ringwall.judge.wall.turn import Turn
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.text import Text


@dataclass(frozen=True, slots=True)
class Asked:
    """One hook call: the host's word, its payload, and what the agent's shell starts with; `waited`: it has
    waited for a person already."""

    host: str
    payload: bytes
    environ: Mapping[str, str]
    notify: bool = False
    waited: bool = False


@dataclass(slots=True)
class Case:
    """An asked call on its way: what is known of it so far. `asking` and `answer` are there where it needs a
    person; `hints` are what its step is told; `turns` are what it means to a plan, `line` what is told of
    that; `record` is the event of the call."""

    asked: Asked
    host: Dialect | None = None
    event: HostEvent | None = None
    decision: Decision | None = None
    pause: Pause | None = None
    in_force: InForce | None = None
    asking: asks.Asking | None = None
    answer: asks.Answer | None = None
    hints: tuple[str, ...] = ()
    turns: Sequence[Turn] = ()
    line: Text | None = None
    record: str = ""
    error: RingwallError | None = None
