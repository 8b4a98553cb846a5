"""The wall before a real Claude Code with a real browser: looking is free, the plan's next step is the only
change, a session drives a page by live references, and tampering is noticed."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hosts.install import claude
from hosts.install_browser import server
from hosts.shop import Shop, shop
from hosts.stage import Json, Played, Stage, bash, call, lane

pytestmark = pytest.mark.xdist_group("real hosts")

BROWSER = "mcp__playwright__browser_"
SEAL = """
import os, sys
from ringwall.judge.plans import Plans
from ringwall.store.paths import locate
plans = Plans(locate(os.environ), os.environ)
reviewed = plans.review(sys.argv[1], os.getcwd())
assert reviewed.sealed is not None, [str(problem.what) for problem in reviewed.problems]
plans.seal(reviewed, "person:dev")
"""
PLAN = [
    {"op": "Write", "object": "src/a.py"},
    {"op": "session", "goal": "Buy something", "tools": ["browser_click"], "produces": "reports/shop.md"},
    {"op": "Bash", "object": "make all", "creates": ["built.md"]},
]


def walled(stage: Stage) -> None:
    config = stage.home / ".config" / "ringwall"
    config.mkdir(parents=True, exist_ok=True)
    (config / "ringwall.toml").write_text('preset = "walled"\n')


def seal(stage: Stage, steps: list[Json]) -> Path:
    """Write a plan and seal it, as the person does in a terminal of their own."""
    path = stage.project / "plans" / "shop.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# Shop\n\n```steps-json\n{json.dumps(steps)}\n```\n")
    done = subprocess.run(
        [sys.executable, "-c", SEAL, str(path)],
        cwd=stage.project,
        env=stage.env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture
def program(stage: Stage) -> Iterator[list[str]]:
    """The host's program with the browser's MCP server."""
    command = server()
    if not command:
        pytest.skip("no browser MCP server here; python -m hosts.install_browser in tests/ installs it")
    with tempfile.TemporaryDirectory(prefix="rw-") as folder:  # short: the browser makes sockets below it
        started = {
            "command": command[0], "args": [*command[1:], "--output-dir", folder], "env": {"TMPDIR": folder},
        }  # fmt: skip
        config = stage.folder / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"playwright": started}}))
        yield [str(claude()), "--mcp-config", str(config), "--strict-mcp-config"]


def write(stage: Stage, path: str, content: str = "x = 1\n") -> Json:
    return call("Write", file_path=str(stage.project / path), content=content)


def browse(name: str, **given: str) -> Json:
    return call(f"{BROWSER}{name}", **given)


def address(page: Shop) -> str:
    return f"http://127.0.0.1:{page.server_port}/"


def test_a_foreign_page_is_looked_at_without_a_plan(stage: Stage, program: list[str]) -> None:
    walled(stage)
    with shop() as page:
        played = stage.play(
            lane("main", browse("navigate", url=address(page)), browse("snapshot"),
                 browse("click", element="Buy", target="e1"), write(stage, "src/a.py")),
            mode="bypassPermissions", program=program,
        )  # fmt: skip
        assert (page.seen, page.bought) == (1, 0), played
    _, looked, clicked, wrote = played.told()
    assert "Buy" in looked, played
    assert "no plan is sealed" in clicked and "no plan is sealed" in wrote, played
    assert not (stage.project / "src/a.py").exists()


def test_a_sealed_plan_is_followed_step_by_step(stage: Stage, program: list[str]) -> None:
    walled(stage)
    (stage.project / "Makefile").write_text("all:\n\tcp reports/shop.md built.md\n")
    (stage.project / "fix.patch").write_text(
        "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-A shop.\n+Another.\n"
    )
    stage.git("add", "-A")
    stage.git("commit", "-q", "-m", "Build")
    seal(stage, PLAN)
    start = call("Agent", description="help", prompt="HELPER", subagent_type="general-purpose",
                 run_in_background=False)  # fmt: skip
    refused = [
        write(stage, "src/b.py"), bash("echo x > src/a.py"), bash("sed -i s/shop/store/ README.md"),
        bash("""python3 -c "open('src/a.py', 'w').write('x')" """), bash("git apply fix.patch"),
    ]  # fmt: skip
    live = {"element": "Buy", "target": ""}
    with shop() as page:
        turns = [
            *refused, start, write(stage, "src/a.py"),
            browse("navigate", url=address(page)), browse("snapshot"), bash("ls"),
            browse("click", **live), browse("drag", startTarget="e1", endTarget="e1"),
            write(stage, "reports/shop.md", "Bought.\n"), browse("click", **live), bash("make all"),
        ]  # fmt: skip

        def take_reference(exchange: Json) -> None:
            """Put the button's reference of the last snapshot into the clicks that follow."""
            shown = " ".join(result["text"] for result in exchange["results"])
            if found := re.search(r'button "Buy" \[ref=(\w+)\]', shown):
                for turn in turns:
                    if turn["calls"][0]["name"].endswith("browser_click"):
                        turn["calls"][0]["input"] |= {"target": found[1]}

        played = stage.play(
            lane("helper", write(stage, "src/b.py"), match="HELPER"), lane("main", *turns),
            mode="bypassPermissions", program=program, on_answer=take_reference,
        )  # fmt: skip
        assert page.bought == 1, played
    told = played.told()
    assert len(told) == len(turns), played
    for text in [*told[: len(refused)], *played.told("helper")]:
        assert "step 1 of sealed plan" in text and "Write src/a.py" in text, text
    _check_session(told[len(refused) + 1 :], played)
    assert (stage.project / "src/a.py").exists() and not (stage.project / "src/b.py").exists()
    assert (stage.project / "built.md").read_text() == "Bought.\n"
    assert (stage.project / "README.md").read_text() == "A shop.\n"
    _check_report(stage)


def _check_session(told: list[str], played: Played) -> None:
    """What the agent heard from the first step on."""
    _, _, snapshot, _, _, dragged, _, again, _ = told
    assert "Buy" in snapshot, played
    assert "step 2 of sealed plan" in dragged and "session" in dragged, dragged
    assert "step 3 of sealed plan" in again and "make all" in again, again
    heard = json.dumps([exchange["heard"] for exchange in played.exchanges])
    assert "The plan's next is step 1" in heard, "the session was not told where the plan stands"
    assert "Step 1 is done. The plan's next is step 2" in heard


def _check_report(stage: Stage) -> None:
    done = stage.ringwall("plan", "report", "1", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["state"] == "done"
    assert [step["done"] for step in report["steps"]] == [True, True, True]
    session = [one for one in report["calls"] if one["kind"] == "session" and one["outcome"] == "done"]
    assert [one["tool"] for one in session] == [f"{BROWSER}click"]
    assert sum(one["outcome"] == "denied" for one in report["calls"]) == 8


def test_tampering_with_file_sealed_copy_and_pointer_is_noticed(stage: Stage) -> None:
    walled(stage)
    steps = [{"op": "Write", "object": "src/a.py"}, {"op": "Bash", "object": "touch done"}]
    path = seal(stage, steps)
    sealed = path.read_bytes()

    def set_column(statement: str) -> None:
        with sqlite3.connect(stage.state / "ringwall.db") as connection:
            connection.execute(statement)

    def swap(table: str, old: str, new: str) -> Callable[[], None]:
        column = {"plans": "document", "pointers": "content"}[table]
        return lambda: set_column(f"UPDATE {table} SET {column} = replace({column}, '{old}', '{new}')")

    acts: list[list[Callable[[], object]]] = [
        [lambda: path.write_bytes(sealed.replace(b"src/a.py", b"src/b.py"))],
        [lambda: path.write_bytes(sealed), swap("plans", "touch done", "touch gone")],
        [swap("plans", "touch gone", "touch done"), swap("pointers", '"at":0', '"at":1')],
        [swap("pointers", '"at":1', '"at":0')],
    ]

    def meddle(exchange: Json) -> None:
        if exchange["lane"] == "main" and exchange["turn"] < len(acts):
            for act in acts[exchange["turn"]]:
                act()

    turns = (write(stage, "src/a.py"), bash("touch gone"), bash("touch done"), write(stage, "src/a.py"))
    played = stage.play(lane("main", *turns), mode="bypassPermissions", on_answer=meddle)
    file, copy, pointer, _ = played.told()
    assert "was changed after it was sealed" in file and "shop.md" in file, played
    assert "changed after it was sealed" in copy, played
    assert "pointer does not stand where the journal says" in pointer, played
    assert (stage.project / "src/a.py").exists(), played
    assert not (stage.project / "gone").exists() and not (stage.project / "done").exists()
