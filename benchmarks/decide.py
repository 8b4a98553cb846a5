"""`decide()` in process: a call to its decision, over a corpus of commands.

`python -m benchmarks.decide [FILE]`: JSON Lines with a `command` each; without a file the tests' own.
Each command is judged once, new to the process, after the tables are loaded; the plain ones also again, as
in a session that runs its tests many times.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.table import Figure, percentile, show
from ringwall.daemon.collecting import settle
from ringwall.judge.check import check
from ringwall.model.action import ToolCall

SHARED = Path(__file__).parents[2] / "shared" / "corpus" / "commands-dev.jsonl"
OWN = Path(__file__).parents[1] / "tests" / "corpus"
PLAIN = (
    "ls -la", "git status", "git diff --stat", "npm test", "cat README.md", "python3 -m pytest -q",
    "make build", "git log --oneline -5", "grep -rn main src", "cargo check", "go vet ./...", "echo done",
    "mkdir -p build", "git add -A && git commit -m 'say why'", "sed -n 1,40p setup.cfg",
    "find . -name '*.py'", "wc -l src/app.py",
)  # fmt: skip


def measure(corpus: str | None = None) -> list[Figure]:
    plain = [*_times(_fresh(PLAIN, 60))]
    again = [*_times([*PLAIN] * 61)][len(PLAIN) :]
    every = [*_times(commands(corpus))]
    middle, worst = percentile(plain, 0.5) * 1e6, percentile(every, 0.99) * 1e3
    return [
        Figure("decide, plain commands, median", middle, "µs", aim="≤ 150", reached=middle <= 150),
        Figure("decide, plain commands again, median", percentile(again, 0.5) * 1e6, "µs"),
        Figure("decide, corpus, median", percentile(every, 0.5) * 1e6, "µs"),
        Figure("decide, corpus, p99", worst, "ms", aim="≤ 4", reached=worst <= 4),
        Figure("decide, corpus, slowest", max(every) * 1e3, "ms"),
    ]


def commands(corpus: str | None) -> list[str]:
    """The commands of the corpus, each once."""
    paths = [Path(corpus)] if corpus else [SHARED] if SHARED.exists() else sorted(OWN.glob("**/*.jsonl"))
    lines = (line for path in paths for line in path.read_text().splitlines() if line.strip())
    found = (json.loads(line).get("command") for line in lines)
    return list(dict.fromkeys(command for command in found if isinstance(command, str))) or list(PLAIN)


def _fresh(texts: tuple[str, ...], times: int) -> list[str]:
    """The same commands with another word at the end, so that none was judged before."""
    return [f"{text} x{n}" for n in range(times) for text in texts]


def _times(texts: list[str]) -> Iterator[float]:
    with tempfile.TemporaryDirectory() as project:
        for text in ("true", "git status"):
            check(ToolCall("claude", "Bash", {"command": text}, cwd=project), None, None, project)
        settle()
        for text in texts:
            call = ToolCall("claude", "Bash", {"command": text}, cwd=project)
            begin = time.perf_counter()
            check(call, None, None, project)
            yield time.perf_counter() - begin


if __name__ == "__main__":
    print(show(measure(*sys.argv[1:2])))
