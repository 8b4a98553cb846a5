"""Calls of the past and benches to judge them on, for tests."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ringwall.judge.bench import Bench, Judged
from ringwall.judge.learn import Lessons
from ringwall.judge.past import Past
from ringwall.judge.standing import Standing
from ringwall.model.action import ToolCall
from ringwall.store.paths import StateDir


def call(command: str, project: Path) -> ToolCall:
    return ToolCall("claude", "Bash", {"command": command}, cwd=str(project))


def tool(name: str, project: Path, **values: Any) -> ToolCall:
    return ToolCall("claude", name, values, cwd=str(project))


def bench(tmp_path: Path, preset: str = "", folder: Path | None = None) -> Bench:
    state = StateDir(str(tmp_path / "state"))
    return Bench(state, Standing(), os.environ, str(folder) if folder else None, preset)


def policy(folder: Path, **lists: list[str]) -> Path:
    folder.mkdir(exist_ok=True)
    text = json.dumps({"permissions": lists}, indent=1)
    (folder / "permissions.json").write_text(text)
    return folder


def learned(judging: Bench, *calls: ToolCall, asked: bool = False) -> Lessons:
    lessons = Lessons()
    for one in calls:
        judged = judging.judge(one)
        shown = str(one.input.get("command", one.tool))
        lessons.add(
            Past(one, "t:1", asked=asked), shown, judged.decision, judged.situation, spares(judging, judged)
        )
    return lessons


def spares(judging: Bench, judged: Judged) -> Any:
    return lambda offer: judging.spares(judged, offer)
