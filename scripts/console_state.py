"""Plans, agents, a harvest and readings for the pictures of the console, beside what the browser tests have.

Invariant: everything is made by the same calls that make it in use; no row is written by hand.
"""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from console.world import World
from harvest.world import Scripted
from ringwall.agents.model import Act
from ringwall.agents.registry import Registry
from ringwall.harvest import canon
from ringwall.harvest.collect import collect
from ringwall.harvest.key import project_key
from ringwall.harvest.model import Key
from ringwall.harvest.propose import propose
from ringwall.judge.plans import Plans
from ringwall.reading.archive import Archive
from ringwall.reading.labels import Label
from ringwall.reading.observation import ROUTE, Observation
from ringwall.reading.scope import Scope

ANN = "person:ann"
MOMENT = 0.8  # seconds: so the marks of a timeline stand apart
TEST = {"op": "Write", "object": "tests/search.test.js", "creates": ["tests/search.test.js"]}
RUN = {"op": "Bash", "object": "npm test"}
CODE = {"op": "Write", "object": "src/search.js", "creates": ["src/search.js"], "note": "whole words only"}
WALK = {
    "op": "session",
    "goal": "Search for a price in the shop",
    "tools": ["browser_click", "browser_type"],
    "produces": "reports/search.md",
}
NOTES = {
    "ada": (
        "Use a uuid for the id of an order, never a number that counts up.",
        "Run the tests before you say that it is done.",
    ),
    "bob": ("Orders need a uuid too, please.", "You did not run the tests again after the last change."),
}
ESSENCES = {"uuid": "Ids are UUIDs.", "tests": "Run the tests before you report."}


def more(world: World) -> dict[str, str]:
    """Add it; the numbers and paths by which its pages are found."""
    return {**_plans(world), "candidate": _harvest(world), "reading": _readings(world)}


def _plans(world: World) -> dict[str, str]:
    """One plan to its end, with a call that was no part of it; another one in the middle."""
    root = world.project.parent / "search"
    (root / "plans").mkdir(parents=True)
    (root / "package.json").write_text('{"name": "search", "scripts": {"test": "node --test"}}\n')
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "Begin")):
        who = {
            f"GIT_{one}_{what}": "dev@example.com"
            for one in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        subprocess.run(["git", *words], cwd=root, check=True, env={**world.env, **who}, capture_output=True)
    plans = Plans(world.state, world.env)
    try:
        first = _sealed(plans, root, "plans/search.md", [TEST, RUN, CODE])
        _write(world, root, "tests/search.test.js", "import './search.js'\n")
        _call(world, root, "Bash", {"command": "touch src/other.js"})
        _call(world, root, "Read", {"file_path": str(root / "package.json")})
        _call(world, root, "Bash", {"command": "npm test"})
        _write(world, root, "src/search.js", "export const search = () => []\n")
        _sealed(plans, root, "plans/words.md", [RUN, CODE, WALK])
        _call(world, root, "Bash", {"command": "npm test"})
    finally:
        plans.close()
    _text(root, "plans/next.md", [RUN, TEST, WALK])
    return {"plan": str(first), "folder": quote(str(root)), "file": quote("plans/next.md")}


def _text(root: Path, name: str, steps: list[dict[str, Any]]) -> None:
    (root / name).write_text(f"# Search\n\n```steps-json\n{json.dumps(steps, indent=1)}\n```\n")


def _sealed(plans: Plans, root: Path, name: str, steps: list[dict[str, Any]]) -> int:
    _text(root, name, steps)
    return plans.seal(plans.review(name, str(root)), ANN).number


def _write(world: World, root: Path, name: str, content: str) -> None:
    path = root / name
    path.parent.mkdir(exist_ok=True)
    _call(world, root, "Write", {"file_path": str(path), "content": content}, path)


def _call(world: World, root: Path, tool: str, values: dict[str, str], written: Path | None = None) -> None:
    """A call of an agent, and what follows where it was let; a moment later than the one before."""
    time.sleep(MOMENT)
    known = {"tool_name": tool, "tool_input": values, "tool_use_id": f"call-{time.monotonic_ns()}"}
    if world.ask(session="9c31d7", cwd=str(root), **known) != "allow":
        return
    if written is not None:
        written.write_text(values["content"])
    after = {"hook_event_name": "PostToolUse", "session_id": "9c31d7", "cwd": str(root), **known}
    after |= {"permission_mode": "default", "tool_response": {}}
    world.judge.hook("claude", json.dumps(after).encode(), world.env)


def _harvest(world: World) -> str:
    """Two agents who were told the same; the path of a candidate made of it."""
    registry = Registry(world.state)
    for name, notes in NOTES.items():
        registry.create(name, "developer", str(world.project))
        for note in notes:
            registry.act(name, Act.REVISE, note, ANN)
    collect(world.state)
    key = Key(project_key(str(world.project)), "developer")
    made = propose(world.state, key, Scripted(ESSENCES), time.time_ns).new
    canon.begin(world.state, str(world.project))
    return f"{key}/{made[0].id}"


def _readings(world: World) -> str:
    """The same route twice, with other rows; the number of the newer one."""
    archive = Archive(world.state)
    try:
        _reading(archive, ("SO-1001", "Lamp", "pending"), ("SO-1002", "Chair", "pending"))
        newer = _reading(
            archive,
            ("SO-1001", "Lamp", "paid"),
            ("SO-1002", "Chair", "pending"),
            ("SO-1003", "Desk", "pending"),
        )
    finally:
        archive.close()
    return str(newer)


def _reading(archive: Archive, *rows: tuple[str, ...]) -> int:
    lines = tuple(Label("row", within=tuple(Label("cell", cell) for cell in row)) for row in rows)
    labels = (Label("heading", "Orders", level=1), Label("table", within=lines))
    return archive.keep(
        Observation(
            at=int(time.time()), kind=ROUTE, contract="orders-v1", digest=f"sha256:{'5e' * 32}",
            route="orders", label="Orders", url="https://example.invalid/erp/orders",
            site_url="https://example.invalid/erp/",
            scope=Scope("fixture", "reader", "demo", "reader"), title="Orders", labels=labels,
            session="6d10", revision=2, isolation="jail",
            sent=({"request": "page", "status": 200, "size": 4196, "milliseconds": 31},),
        )
    ).number  # fmt: skip
