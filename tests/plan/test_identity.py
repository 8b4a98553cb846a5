"""A tool is a server and a name."""

from __future__ import annotations

import pytest

from ringwall.plan.identity import (
    browser_servers,
    entitles,
    identity,
    op_tools,
    query_only,
    skill_of,
    subagent_tools,
)
from ringwall.plan.model import Op
from ringwall.tools.table import builtin_rows, mcp_name


@pytest.mark.parametrize(
    ("tool", "found"),
    [
        ("Read", ("", "Read")),
        ("mcp__a__b", ("a", "b")),
        ("mcp__a__b__c", ("a", "b__c")),
        ("mcp__a", ("", "mcp__a")),
        ("mcp____b", ("", "mcp____b")),
        ("mcp__a__", ("", "mcp__a__")),
        ("", ("", "")),
    ],
)
def test_identity_is_what_the_tables_of_tools_take_it_for(tool: str, found: tuple[str, str]) -> None:
    assert identity(tool) == found
    assert mcp_name(tool) == (found if found[0] else None)


@pytest.mark.parametrize(
    ("entry", "tool", "given"),
    [
        ("browser_click", "browser_click", True),
        ("browser_click", "mcp__playwright__browser_click", True),
        ("browser_click", "mcp__evil__browser_click", False),
        ("click", "mcp__chrome-devtools__click", True),
        ("mcp__playwright__browser_click", "mcp__playwright__browser_click", True),
        ("mcp__playwright__browser_click", "browser_click", False),
        ("mcp__shop__add", "mcp__shop__add", True),
        ("mcp__shop__add", "mcp__shop__added", False),
        ("add", "mcp__shop__add", False),
        ("playwright", "mcp__playwright__browser_click", False),
    ],
)
def test_a_session_gives_exactly_the_tools_that_it_names(entry: str, tool: str, given: bool) -> None:
    assert entitles(entry, tool) is given


def test_every_known_browser_server_has_its_four_looks() -> None:
    for server in browser_servers():
        names = ("browser_navigate", "browser_snapshot", "browser_wait_for", "browser_take_screenshot")
        devtools = ("navigate_page", "take_snapshot", "wait_for", "take_screenshot")
        assert sum(query_only(f"mcp__{server}__{name}") for name in (*names, *devtools)) == 4


def test_the_names_of_hosts_are_names_that_the_tables_of_tools_know() -> None:
    """A name that a host has no longer, or that was mistyped here, would hold nothing."""
    known = builtin_rows()
    named = {tool for tools in op_tools().values() for tool in tools} | subagent_tools()
    assert named <= known.keys()
    assert set(op_tools()) == {Op.WRITE, Op.EDIT, Op.MULTI_EDIT, Op.NOTEBOOK_EDIT}


def test_a_skill_is_named_by_its_field() -> None:
    assert skill_of("Skill", {"skill": "tdd"}) == "tdd"
    assert skill_of("activate_skill", {"name": "tdd"}) == "tdd"
    assert skill_of("Skill", {}) == ""
    assert skill_of("Bash", {"skill": "tdd"}) is None


def test_a_call_that_names_two_skills_names_none() -> None:
    """A host reads the field that it knows and leaves the other."""
    assert skill_of("activate_skill", {"skill": "tdd", "name": "other"}) == ""
    assert skill_of("skill", {"skill": "tdd", "name": "tdd"}) == "tdd"
