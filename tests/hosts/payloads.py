"""Hook payloads in the shape that Claude Code 2.1.332 sends them."""

from __future__ import annotations

import json
from typing import Any

SESSION = "7b417cb3-0791-4b60-94d7-17db89348816"


def fields(event: str = "PreToolUse", cwd: str = "/work/shop", **more: Any) -> dict[str, Any]:
    """What every payload has, and `more`."""
    return {
        "session_id": SESSION,
        "transcript_path": f"/home/u/.claude/projects/-work-shop/{SESSION}.jsonl",
        "cwd": cwd,
        "prompt_id": "51cc2805-0497-4ec6-991e-5e9a78a08f28",
        "permission_mode": "default",
        "effort": {"level": "medium"},
        "hook_event_name": event,
        **more,
    }


def call(tool: str = "Bash", event: str = "PreToolUse", /, **more: Any) -> dict[str, Any]:
    """A payload about a tool call; `echo hi` unless `tool_input` says otherwise."""
    given = {"tool_input": {"command": "echo hi", "description": "say hi"}, "tool_use_id": "toolu_01", **more}
    return fields(event, tool_name=tool, **given)


def encoded(payload: dict[str, Any]) -> bytes:
    return json.dumps(payload).encode("utf-8")
