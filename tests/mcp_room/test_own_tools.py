"""Ringwall's own tools as its gate sees them."""

from __future__ import annotations

import pytest

from ringwall.mcp import looking, proposing
from ringwall.model.action import ToolCall
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of
from shell.world import World

OWN = [tool.name for tool in (*looking.TOOLS, *proposing.TOOLS)]


@pytest.mark.parametrize("name", OWN)
def test_to_look_and_to_ask_a_person_needs_no_person(name: str) -> None:
    call = ToolCall("claude", f"mcp__ringwall__{name}", {"branch": "main"}, cwd="/work/project")
    effects = effects_of(to_action(call), World()).effects
    assert [effect.name for effect in effects] == ["observe"]
