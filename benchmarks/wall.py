"""What the wall stage adds to `decide()`, by what a call is to the plan: `python -m benchmarks.wall`.

Every command is new to the stage, as calls of agents mostly are; the clock runs for the stage alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.table import Figure, percentile, show
from ringwall.gate import wall
from ringwall.gate.aims import aim_of
from ringwall.gate.situation import Situation
from ringwall.judge.places import places_of
from ringwall.judge.surroundings import DiskSurroundings
from ringwall.model.action import Principal, ToolCall
from ringwall.model.analysis import Analysis
from ringwall.plan.model import Base, SealedPlan
from ringwall.plan.parse import parse
from ringwall.plan.pointer import Pointer
from ringwall.plan.safety import caught
from ringwall.plan.seal import seal
from ringwall.plan.view import WallView
from ringwall.policy.load import load
from ringwall.shell.analyse import command_pattern
from ringwall.store.paths import StateDir
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of
from ringwall.tools.rights import rights_of

ROOT = "/srv/app"
TIMES = 2_000
PLAN = """
```steps-json
[{"op": "Bash", "object": "pytest -q src"},
 {"op": "session", "goal": "look", "tools": ["browser_click"], "produces": "report.md"},
 {"op": "Write", "object": "src/a.py"}]
```
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of call: its name, the index of the step under the pointer, and the n-th such call."""

    name: str
    at: int
    call: Callable[[int], tuple[str, dict[str, str]]]


def _bash(command: str) -> tuple[str, dict[str, str]]:
    return "Bash", {"command": command}


def _write(name: str, content: str = "") -> tuple[str, dict[str, str]]:
    return "Write", {"file_path": f"{ROOT}/{name}", "content": content}


CASES = (
    Case("a look", 0, lambda n: ("Read", {"file_path": f"{ROOT}/src/{n}.py"})),
    Case("the command that is the step", 0, lambda n: _bash("pytest -q src")),
    Case("the same in other words", 0, lambda n: _bash(f"cd . && pytest '-q' src # {n}")),
    Case("another command", 0, lambda n: _bash(f"make target{n}")),
    Case("a click of the session", 1, lambda n: ("mcp__playwright__browser_click", {"ref": f"e{n}"})),
    Case("the file that is the step", 2, lambda n: _write("src/a.py", str(n))),
    Case("another file", 2, lambda n: _write(f"src/b{n}.py")),
)


def measure() -> list[Figure]:
    disk = DiskSurroundings(places_of(ROOT, {}, StateDir("/nonexistent")), {})
    plan = _sealed(disk)
    policy = load(places=disk.places, read_command=command_pattern, preset="walled").policy
    figures = []
    for case in CASES:
        view = WallView(plan, Pointer(len(plan.aims), case.at), "call")
        situation = Situation(Principal(), disk.places, policy, wall=view)
        calls = [_analysed(*case.call(n), disk) for n in range(TIMES)]
        times = [_timed(analysis, situation) for analysis in calls]
        middle, late = percentile(times, 0.5) * 1e6, percentile(times, 0.99) * 1e6
        figures.append(Figure(f"wall, {case.name}, median", middle, "µs", aim="≤ 100", reached=middle <= 100))
        figures.append(Figure(f"wall, {case.name}, p99", late, "µs"))
    return figures


def _sealed(disk: DiskSurroundings) -> SealedPlan:
    read = parse(PLAN).plan
    assert read is not None
    plan = caught(read, rights_of)
    return seal(plan, ROOT, Base(), tuple(aim_of(step, disk) for step in plan.steps))


def _analysed(tool: str, values: dict[str, str], disk: DiskSurroundings) -> Analysis:
    return effects_of(to_action(ToolCall("claude", tool, values, cwd=ROOT)), disk)


def _timed(analysis: Analysis, situation: Situation) -> float:
    begun = time.perf_counter()
    wall.opinion(analysis, situation, None)
    return time.perf_counter() - begun


if __name__ == "__main__":
    print(show(measure()))
