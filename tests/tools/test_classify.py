"""Tool calls become actions, whatever their input."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.action import Kind, ToolCall
from ringwall.tools.classify import to_action


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_task_is_the_agent_tool() -> None:
    action = to_action(ToolCall("claude", "Task", {"prompt": "x"}))
    assert (action.tool, action.kind) == ("Agent", Kind.AGENT)
    assert action.digest == to_action(ToolCall("claude", "Agent", {"prompt": "x"})).digest


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("Bash", Kind.SHELL),
        ("Monitor", Kind.SHELL),
        ("Edit", Kind.FILE),
        ("WebFetch", Kind.WEB),
        ("TodoWrite", Kind.HOST),
        ("mcp__playwright__browser_click", Kind.BROWSER),
        ("mcp__lab__echo", Kind.MCP),
        ("bash", Kind.SHELL),
        ("BASH", Kind.UNKNOWN),
        ("", Kind.UNKNOWN),
        ("mcp__", Kind.UNKNOWN),
    ],
)
def test_kinds(tool: str, kind: Kind) -> None:
    assert to_action(ToolCall("claude", tool, {})).kind is kind


def test_a_server_that_the_host_names_apart_joins_the_tool() -> None:
    assert to_action(ToolCall("x", "echo", {}, server="lab")).tool == "mcp__lab__echo"
    assert to_action(ToolCall("x", "mcp__lab__echo", {}, server="lab")).tool == "mcp__lab__echo"
    given = ToolCall("x", "mcp__claude_ai_Lab_beta__echo", {}, server="claude.ai Lab (beta)")
    assert to_action(given).tool == given.tool


def test_a_server_does_not_name_its_tool_after_another_server() -> None:
    poser = ToolCall("gemini", "mcp__playwright__browser_snapshot", {}, server="evil")
    assert to_action(poser).tool == "mcp__evil__mcp__playwright__browser_snapshot"


ODD = [
    {"n": 2**80},
    {"n": float("nan")},
    {"s": "\ud800"},
    {"\ud800": 1},
    {"deep": _nested(5_000)},
]


@pytest.mark.parametrize("value", ODD, ids=["huge", "nan", "surrogate", "surrogate key", "deep"])
def test_json_that_has_no_canonical_form_still_gets_a_digest(value: dict[str, Any]) -> None:
    action = to_action(ToolCall("claude", "Write", value))
    assert action.digest.startswith("sha256:")
    assert action.digest == to_action(ToolCall("claude", "Write", value)).digest


def test_odd_inputs_do_not_share_a_digest() -> None:
    odd = [
        *ODD,
        {"n": 2**80 + 1},
        {"n": [2**80]},
        {"n": str(2**80)},
        {"deep": _nested(5_001)},
        {"n": {"": 2**80}},
    ]
    digests = {to_action(ToolCall("claude", "Write", value)).digest for value in odd}
    assert len(digests) == len(odd)


@given(st.one_of(st.none(), st.integers(), st.text(), st.lists(st.none())))
def test_an_input_that_is_no_object_is_an_empty_one(value: Any) -> None:
    assert to_action(ToolCall("claude", "Bash", value)).input == {}
