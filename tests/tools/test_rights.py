"""What a tool may do, by its name."""

from __future__ import annotations

import pytest

from ringwall.plan.safety import Rights
from ringwall.tools.rights import rights_of
from ringwall.tools.table import builtin_rows


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("Write", "write"), ("write_file", "write"), ("apply_patch", "write"), ("patch", "write"),
        ("Delete", "delete"), ("Bash", "code.opaque"), ("run_shell_command", "code.opaque"),
        ("PowerShell", "code.opaque"), ("Task", "agent.spawn"), ("Read", "observe"),
        ("browser_click", "browse.act"), ("mcp__playwright__browser_click", "browse.act"),
        ("browser_install", "install.global"), ("browser_run_code", "code.opaque"), ("click", "browse.act"),
        ("mcp__filesystem__write_file", "write"), ("mcp__filesystem__delete_file", "delete"),
        ("mcp__github__list_issues", "observe"), ("mcp__github__merge_pull_request", "pr.merge"),
        ("mcp__shell__run_command", "code.opaque"), ("mcp__lab__frobnicate", "tool.unknown"),
        ("mcp__db__drop_table", "data.destroy"), ("mcp__lab__install_package", "install"),
        ("mcp__lab__python", "code.opaque"), ("mcp__lab__eval", "code.opaque"),
        ("mcp__zsh__go", "code.opaque"),
    ],
)  # fmt: skip
def test_the_effects_that_go_with_a_name(name: str, effect: str) -> None:
    rights = rights_of(name)
    assert effect in rights.effects
    assert rights.known and not rights.program


@pytest.mark.parametrize("name", ["ssh", "rm", "npm", "AWS"])
def test_programs_are_programs(name: str) -> None:
    assert rights_of(name).program


def test_what_nobody_knows_is_told_so() -> None:
    assert rights_of("frobnicate") == Rights(known=False)


def test_a_click_gives_no_writing_though_one_of_its_calls_could() -> None:
    assert rights_of("browser_click").effects == {"browse.act"}


@pytest.mark.parametrize("name", sorted(builtin_rows()))
def test_every_tool_of_the_table_has_rights(name: str) -> None:
    assert rights_of(name).effects
