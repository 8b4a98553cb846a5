"""What `ringwall mcp wrap` adds to a call of a tool: judged and journalled, against the bare server.

Measured in turns, through pipes, with a server that answers at once. `python -m benchmarks.gateway [ROUNDS]`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.session import session
from benchmarks.table import Figure, percentile, show

BARE = "tools/call, bare server"

_SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    listed = {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
    result = listed if asked["method"] == "tools/list" else {"content": []}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


class Line:
    """A server, or a gateway before one, that is asked one thing after another."""

    def __init__(self, words: list[str], env: Mapping[str, str], folder: str) -> None:
        self._process = subprocess.Popen(
            words, env=dict(env), cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._number = 0

    def ask(self, method: str, **params: Any) -> float:
        """Milliseconds until the answer."""
        self._number += 1
        asked = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        assert self._process.stdin is not None and self._process.stdout is not None
        begun = time.perf_counter()
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        took = (time.perf_counter() - begun) * 1000
        if answer["id"] != self._number or answer.get("result", {}).get("isError"):
            raise RuntimeError(answer)
        return took

    def close(self) -> None:
        self._process.communicate(timeout=30)


def measure(rounds: int = 200) -> list[Figure]:
    server = [sys.executable, "-S", "-c", _SERVER]
    with session() as running:
        folder, env = str(running.project), {**os.environ, **running.environ}
        wrap = [sys.executable, "-m", "ringwall.cli.main", "mcp", "wrap", "--name", "lab", "--"]
        lines = {BARE: Line(server, env, folder), "tools/call, wrapped": Line([*wrap, *server], env, folder)}
        for line in lines.values():
            line.ask("tools/list")
            line.ask("tools/call", name="echo", arguments={"text": "warm"})
        times: dict[str, list[float]] = {name: [] for name in lines}
        for number in range(rounds):
            for name, line in lines.items():
                times[name].append(line.ask("tools/call", name="echo", arguments={"text": str(number)}))
        for line in lines.values():
            line.close()
    bare = percentile(times[BARE], 0.5)
    return [
        Figure(name, middle := percentile(values, 0.5), "ms", BARE, middle / bare)
        for name, values in times.items()
    ]


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    print(show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 200)))
