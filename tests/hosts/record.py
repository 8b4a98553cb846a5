"""Records what each real host tells its hooks, into `tests/hosts/recorded/`: `python tests/hosts/record.py`.

A session of each installed host is played, with a client that keeps each payload before it hands it on. What
differs from run to run (ids, times, folders) is replaced, so that a new recording shows what a new version of
a host does differently.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hosts.drivers import DRIVERS, Driver, write
from hosts.install import program
from hosts.stage import Json, Stage, call
from hosts.test_real_hosts import play
from ringwall.setup import registering
from ringwall.setup.hook_client import hook_client

RECORDED = Path(__file__).parent / "recorded"
_NUMBER = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:ses|msg|toolu|call|prt)_(?=\w*\d)\w{6,}"
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T-]\d\d[:-]\d\d(?:[:-]\d\d(?:\.\d+)?Z?)?")
_LONG = 600


def turns(driver: Driver) -> list[Json]:
    """Calls of every kind that the host has without more ado."""
    new = "new.txt"
    calls = {
        "codex": [
            call("view_image", path="shop.png"),
            call("spawn_agent", message="HELPER look", agent_type="default"),
        ],
        "gemini": [
            call("write_file", file_path=new, content="x\n"), call("read_file", file_path=new),
            call("replace", file_path=new, instruction="i", old_string="x", new_string="y"),
            call("list_directory", dir_path="."), call("glob", pattern="*.txt"),
            call("write_todos", todos=[]),
        ],
        "opencode": [
            call("write", filePath=new, content="x\n"), call("read", filePath=new),
            call("glob", pattern="*.txt"),
            call("task", description="d", prompt="HELPER look", subagent_type="general"),
        ],
        "copilot": [
            call("create", path="/PROJECT/new.txt", file_text="x"), call("view", path="/PROJECT/new.txt"),
            call("task", agent_type="general-purpose", name="t", description="d", prompt="HELPER look",
                 mode="sync"),
            call("nosuch", a=1),
        ],
        "pi": [call("write", path=new, content="x\n"), call("read", path=new)],
        "dsh": [
            call("write", file_path="/PROJECT/new.txt", content="x\n"), call("glob", pattern="*.txt"),
            call("subagent", description="d", prompt="HELPER look"),
        ],
    }[driver.host]  # fmt: skip
    return [driver.shell("echo hello from the shop"), *calls, driver.shell("false")]


def record(driver: Driver, folder: Path) -> list[Json]:
    """The payloads of one session, in order."""
    stage = Stage(folder, {"DSH_HOME": str(folder / "home" / "dsh")})
    stage.build()
    write(stage.home / ".config" / "ringwall" / "ringwall.toml", "[approvals]\nwait = 0\n")
    kept, client = folder / "kept.jsonl", folder / "bin" / "ringwall-hook"
    real = " ".join(f"'{word}'" for word in hook_client())
    write(
        client,
        f"#!/bin/sh\npayload=$(cat)\nprintf '%s\\n' \"$payload\" >> '{kept}'\n"
        f'printf %s "$payload" | {real} "$@"\n',
    )
    client.chmod(0o755)
    registering.hook_client = lambda: (str(client),)  # type: ignore[assignment]
    script = json.loads(json.dumps(turns(driver)).replace("/PROJECT", str(stage.project)))
    played = play(driver, stage, script)
    if not kept.exists():
        raise SystemExit(f"{driver.host} called no hook: {played}")
    return [plain(json.loads(line), folder) for line in kept.read_text("utf-8").splitlines()]


def plain(payload: Json, folder: Path) -> Json:
    """A payload without what differs from run to run."""
    text = (
        json.dumps(payload)
        .replace(str(folder / "project"), "/work/shop")
        .replace(str(folder / "home"), "/home/u")
    )
    text = text.replace(str(folder), "/tmp/stage")
    numbers: dict[str, str] = {}
    text = _NUMBER.sub(lambda found: numbers.setdefault(found.group(), f"id{len(numbers) + 1}"), text)
    text = _TIME.sub("2026-01-01T00:00:00Z", text)
    short: Json = json.loads(text)
    return {key: value for key, value in short.items() if not _is_long(value)}


def _is_long(value: Any) -> bool:
    return isinstance(value, dict | list) and len(json.dumps(value)) > _LONG


def main() -> None:
    RECORDED.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or [driver.host for driver in DRIVERS]
    for driver in DRIVERS:
        if driver.host not in wanted:
            continue
        if program(driver.host) is None:
            print(f"{driver.host} is not installed.", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            payloads = record(driver, Path(folder))
        lines = "".join(json.dumps(each) + "\n" for each in payloads)
        (RECORDED / f"{driver.host}.jsonl").write_text(lines, encoding="utf-8")
        print(f"{driver.host}: {len(payloads)} payloads")


if __name__ == "__main__":
    main()
