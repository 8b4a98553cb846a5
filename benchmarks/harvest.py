"""How long it takes to collect from many agents: `python -m benchmarks.harvest [EVENTS [AGENTS]]`.

Half of the events are corrections, in three languages, some with a secret; the agents share twenty projects
and three roles.
"""

from __future__ import annotations

import json
import os
import random
import resource
import secrets
import sys
import tempfile
import time

from benchmarks.table import Figure, show
from ringwall.harvest.collect import collect
from ringwall.store.paths import StateDir

EVENTS, AGENTS = 100_000, 500
COLD, WARM = 10.0, 1.0
_WORDS = (
    "use UUIDs for ids please", "не коммить токены в репозиторий", "不要使用自增的主键",
    "run the tests first",
    "the error is swallowed here", "see src/shop/orders/models.py line 40", "no tabs", "see https://example.org/a",
)  # fmt: skip


def measure(events: int = EVENTS, agents: int = AGENTS) -> list[Figure]:
    """A cold run, one with nothing new, and one with one new event."""
    with tempfile.TemporaryDirectory() as folder:
        state = StateDir(f"{folder}/state")
        _fill(state, folder, events, agents)
        cold = _seconds(state)
        warm = _seconds(state)
        _one_more(state)
        again = _seconds(state)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    of = f"{events:,} events, {agents} agents"
    return [
        Figure(f"collect, cold, {of}", cold, "s", aim=f"≤ {COLD:.0f} s", reached=cold <= COLD),
        Figure("collect, nothing new", warm, "s", aim=f"≤ {WARM:.0f} s", reached=warm <= WARM),
        Figure("collect, one new event", again, "s"),
        Figure("memory, at most", memory, "MiB"),
    ]


def _seconds(state: StateDir) -> float:
    begun = time.perf_counter()
    collect(state)
    return time.perf_counter() - begun


def _fill(state: StateDir, folder: str, events: int, agents: int) -> None:
    chance = random.Random(7)
    for number in range(agents):
        name = f"agent-{number}"
        project = f"{folder}/project-{number % 20}"
        os.makedirs(project, exist_ok=True)
        os.makedirs(f"{state.path}/agents/{name}", mode=0o700)
        _write(state, name, "spec.json", json.dumps(_spec(name, number, project)))
        _write(state, name, "control.json", json.dumps({"incarnation": secrets.token_hex(16)}))
        rows = [_event(1, "agent_created", {})]
        for seq in range(2, events // agents + 1):
            kind = "revise" if chance.random() < 0.5 else "seen"
            rows.append(_event(seq, kind, {"note": _note(chance, seq), "by": "person:mira"}))
        _write(state, name, "events.jsonl", "".join(rows))


def _spec(name: str, number: int, project: str) -> dict[str, str]:
    return {"name": name, "role": ("developer", "reviewer", "writer")[number % 3], "project": project}


def _event(seq: int, kind: str, detail: dict[str, str]) -> str:
    at = f"2026-11-{1 + seq % 28:02d}T08:{seq // 60 % 60:02d}:{seq % 60:02d}.000000Z"
    row = {"seq": seq, "at": at, "type": kind, "actor": "operator", "detail": detail}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _note(chance: random.Random, seq: int) -> str:
    words = " ".join(chance.choice(_WORDS) for _ in range(chance.randint(1, 4)))
    return f"{words} token=abcdef{seq:012d}" if seq % 50 == 0 else f"{words} ({seq})"


def _one_more(state: StateDir) -> None:
    with open(f"{state.path}/agents/agent-0/events.jsonl", "a", encoding="utf-8") as file:
        file.write(_event(999_999, "revise", {"note": "one more"}))


def _write(state: StateDir, name: str, file: str, text: str) -> None:
    with open(f"{state.path}/agents/{name}/{file}", "w", encoding="utf-8") as opened:
        opened.write(text)


if __name__ == "__main__":
    print(show(measure(*map(int, sys.argv[1:]))))
