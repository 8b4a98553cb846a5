"""`ringwall escape`: at a person's terminal only, for a call that the floor refused, shown before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ringwall.gate.floor import SHOWN_DIGITS

from .conftest import Program
from .test_terminal import at_terminal

WHY = ("--because", "the history moves elsewhere")


@pytest.fixture
def hook(ringwall: Program, project: Path):
    def run(command: str = "rm -rf .git") -> dict[str, str]:
        payload = {
            "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(project), "tool_name": "Bash",
            "permission_mode": "bypassPermissions", "tool_input": {"command": command}, "tool_use_id": "c1",
        }  # fmt: skip
        done = ringwall("hook", "claude", stdin=json.dumps(payload), RINGWALL_HEADLESS="0")
        answer: dict[str, str] = json.loads(done.stdout)["hookSpecificOutput"]
        return answer

    return run


def digits(told: dict[str, str]) -> str:
    words = told["permissionDecisionReason"].split()
    return words[words.index("escape") + 1]


def test_the_digits_of_the_denial_lift_the_floor_for_the_next_try(
    hook, ringwall: Program, project: Path, tmp_path: Path
) -> None:
    denied = hook()
    assert denied["permissionDecision"] == "deny"
    shown = digits(denied)
    assert len(shown) == SHOWN_DIGITS
    status, seen = at_terminal(project, tmp_path, "escape", shown, *WHY, typed="n\n")
    assert status == 1 and "rm -rf .git" in seen and "catastrophic" in seen
    assert json.loads(ringwall("escape", "--json").stdout) == []
    status, seen = at_terminal(project, tmp_path, "escape", shown, *WHY, typed="y\n")
    assert status == 0 and "Escape 1 holds until" in seen
    (held,) = json.loads(ringwall("escape", "--json").stdout)
    assert held["because"] == WHY[1]
    again = hook()
    assert again["permissionDecision"] != "deny" or "floor." not in again["permissionDecisionReason"]
    assert json.loads(ringwall("escape", "--json").stdout) == []


def test_what_is_lifted_cannot_write_a_part_of_the_question(hook, project: Path, tmp_path: Path) -> None:
    command = "rm -rf .git\n# x\nin /tmp/harmless\n- fs.read /tmp/harmless"
    status, seen = at_terminal(project, tmp_path, "escape", digits(hook(command)), *WHY, typed="n\n")
    assert status == 1
    rows = [row for row in seen.splitlines() if "harmless" in row]
    assert [row for row in rows if row.startswith("    in /tmp/harmless")]
    assert not [row for row in rows if row.startswith(("  in /tmp/harmless", "  - fs.read /tmp"))]


def test_it_can_be_taken_back(hook, ringwall: Program, project: Path, tmp_path: Path) -> None:
    shown = digits(hook())
    at_terminal(project, tmp_path, "escape", shown, *WHY, typed="y\n")
    assert at_terminal(project, tmp_path, "escape", "--revoke", "1")[0] == 0
    assert hook()["permissionDecision"] == "deny"
    assert at_terminal(project, tmp_path, "escape", "--revoke", "1")[0] == 2


def test_who_may_not(hook, ringwall: Program, project: Path, tmp_path: Path) -> None:
    shown = digits(hook())
    done = ringwall("escape", shown, *WHY)
    assert done.returncode == 2 and "setup.no_terminal" in done.stderr
    status, seen = at_terminal(project, tmp_path, "escape", shown, *WHY, typed="y\n", CLAUDECODE="1")
    assert status == 2 and "setup.in_a_session" in seen
    status, seen = at_terminal(project, tmp_path, "escape", shown, typed="y\n")
    assert status == 2 and "escape.no_reason" in seen
    assert hook(f"ringwall escape {shown} --because x")["permissionDecision"] == "deny"
    assert json.loads(ringwall("escape", "--json").stdout) == []


def test_only_what_the_floor_refused(hook, project: Path, tmp_path: Path) -> None:
    hook("sudo ls")
    for wrong in ("0123456789abcdef", "%%%%%%%%"):
        status, seen = at_terminal(project, tmp_path, "escape", wrong, *WHY, typed="y\n")
        assert status == 2 and "escape.no_such_call" in seen
