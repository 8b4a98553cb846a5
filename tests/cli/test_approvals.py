"""`pending`, `approve`, `reject`, `watch` and `grants`, as a person meets them and as an agent does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ringwall.console.pairing import Pairing
from ringwall.judge.check import check
from ringwall.model.action import ToolCall
from ringwall.model.verdict import Verdict
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

from .conftest import Program
from .test_terminal import COLOUR, at_terminal


def ask(project: Path, tmp_path: Path, command: str, **fields: Any) -> str:
    """One tool call of an agent; the verdict that its host gets."""
    sent = {
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(project), "tool_name": "Bash",
        "permission_mode": "default", "tool_input": {"command": command}, "tool_use_id": "c1", **fields,
    }  # fmt: skip
    code = (
        "import sys\nfrom ringwall.judge.judge import open_judge\n"
        "reply = open_judge().hook('claude', sys.stdin.buffer.read())\n"
        "sys.stdout.buffer.write(reply.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(sent).encode(), capture_output=True, check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"),
             "RINGWALL_HOME": str(tmp_path / "state")},
    )  # fmt: skip
    return str(json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"])


@pytest.fixture
def waiting(project: Path, tmp_path: Path, ringwall: Program) -> Path:
    """A push that waits as proposal 1."""
    assert ask(project, tmp_path, "git push") == "ask"
    return project


def states(ringwall: Program) -> list[str]:
    return [row["state"] for row in json.loads(ringwall("pending", "--last", "99", "--json").stdout)]


def test_nothing_waits_and_nothing_is_made(ringwall: Program, tmp_path: Path) -> None:
    assert ringwall("pending").stdout == "Nothing waits for you.\n"
    assert json.loads(ringwall("grants", "list", "--json").stdout) == []
    assert ringwall("pending", "7").returncode == 2
    assert not (tmp_path / "state").exists()


def test_status_says_how_many_wait(waiting: Path, ringwall: Program) -> None:
    assert json.loads(ringwall("status", "--json").stdout)["pending"] == 1
    assert "decision: 1." in ringwall("status").stdout


def test_a_question_is_shown_in_full_and_undisguised(
    project: Path, tmp_path: Path, ringwall: Program
) -> None:
    long = "x" * 9000
    command = f"git push origin a\u202eb\u200bc\x1b[2K && echo {long}"
    assert ask(project, tmp_path, command) == "ask"
    shown = ringwall("pending").stdout
    assert "".join(shown.split()).count("x") >= 9000
    assert "\\u202e" in shown and "\\u200b" in shown and "\\x1b[2K" in shown
    assert "\u202e" not in shown and "\x1b" not in shown
    assert "git.push" in shown and "asked by agent:claude" in shown


def test_a_yes_lets_it_happen_once(waiting: Path, tmp_path: Path, ringwall: Program) -> None:
    status, shown = at_terminal(waiting, tmp_path, "approve", "1", typed="y\n")
    assert status == 0, shown
    assert "git push" in COLOUR.sub("", shown)
    assert states(ringwall) == ["approved"]
    assert ask(waiting, tmp_path, "git push") == "allow"
    assert states(ringwall) == ["consumed"]
    assert "proposal 1: the act, once" in ringwall("log", "show").stdout
    assert ringwall("log", "verify").returncode == 0


@pytest.mark.parametrize("typed", ["\n", "n\n", "\n\n"])
def test_a_bare_enter_decides_nothing(waiting: Path, tmp_path: Path, ringwall: Program, typed: str) -> None:
    status, shown = at_terminal(waiting, tmp_path, "approve", "1", typed=typed)
    assert status == 1
    assert "Nothing was decided." in shown
    assert states(ringwall) == ["pending"]


def test_without_a_terminal_nobody_decides(waiting: Path, ringwall: Program) -> None:
    for words in (("approve", "1"), ("reject", "1", "--because", "x"), ("watch",)):
        done = ringwall(*words, stdin="y\n")
        assert done.returncode == 2 and "setup.no_terminal" in done.stderr
    assert states(ringwall) == ["pending"]


def test_a_terminal_that_is_not_paired_decides_nothing(
    waiting: Path, tmp_path: Path, ringwall: Program
) -> None:
    for words in (("approve", "1"), ("reject", "1", "--because", "x"), ("watch",)):
        status, shown = at_terminal(waiting, tmp_path, *words, typed="y\n", paired=False)
        assert status == 2 and "console.unpaired" in shown
    assert states(ringwall) == ["pending"]


def test_a_code_of_the_console_pairs_it(waiting: Path, tmp_path: Path, ringwall: Program) -> None:
    store = Store(StateDir(str(tmp_path / "state")))
    code = Pairing(store).code()
    status, shown = at_terminal(waiting, tmp_path, "approve", "1", typed="XXXX-XXXX\n", paired=False)
    assert status == 2 and "console.code" in shown
    status, shown = at_terminal(waiting, tmp_path, "approve", "1", typed=f"{code.lower()}\ny\n", paired=False)
    assert status == 0, shown
    assert states(ringwall) == ["approved"]
    assert [place.kind for place in Pairing(store).places()] == ["terminal"]
    status, shown = at_terminal(
        waiting, tmp_path, "reject", "1", "--because", "x", typed=f"{code}\n", paired=False
    )
    assert status == 2 and "console.code" in shown, "a code pairs one place"
    store.close()


@pytest.mark.parametrize("variable", ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "RINGWALL_SESSION"])
def test_in_an_agents_session_nobody_decides(
    waiting: Path, tmp_path: Path, ringwall: Program, variable: str
) -> None:
    for words in (("approve", "1"), ("reject", "1", "--because", "x"), ("watch",), ("grants", "revoke", "1")):
        status, shown = at_terminal(waiting, tmp_path, *words, typed="y\n", **{variable: "1"})
        assert status == 2 and "setup.in_a_session" in shown
    assert states(ringwall) == ["pending"]


@pytest.mark.parametrize(
    "command",
    [
        "ringwall approve 1",
        "yes | ringwall approve 1",
        "script -qc 'ringwall approve 1' /dev/null",
        "env -u CLAUDECODE ringwall approve 1",
        "ringwall reject 1 --because x",
        "ringwall watch",
        "ringwall grants revoke 1",
        "python3 -m ringwall approve 1",
        "python3 -c \"import pty; pty.spawn(['ringwall', 'approve', '1'])\"",
        "python3 -c 'from ringwall.judge.desk import Desk; Desk(1)'",
    ],
)
def test_an_agents_shell_is_refused(command: str, project: Path) -> None:
    decision = check(
        ToolCall("claude", "Bash", {"command": command}, cwd=str(project)), None, None, str(project)
    )
    assert (decision.verdict, decision.deciding.stage) == (Verdict.DENY, "selfguard")


def test_a_no_needs_words_and_they_are_kept(waiting: Path, tmp_path: Path, ringwall: Program) -> None:
    assert ringwall("reject", "1").returncode == 2
    status, shown = at_terminal(waiting, tmp_path, "reject", "1", "--because", "not today")
    assert status == 0, shown
    assert states(ringwall) == ["rejected"]
    assert "not today" in ringwall("pending", "1").stdout
    assert ask(waiting, tmp_path, "git push") == "deny"


def test_what_is_decided_stays_decided(waiting: Path, tmp_path: Path, ringwall: Program) -> None:
    at_terminal(waiting, tmp_path, "approve", "1", typed="y\n")
    status, shown = at_terminal(waiting, tmp_path, "approve", "1", typed="y\n")
    assert status == 2 and "approvals.settled" in shown
    at_terminal(waiting, tmp_path, "reject", "1", "--because", "changed my mind")
    assert states(ringwall) == ["invalidated"]


def test_a_rule_is_shown_with_what_else_it_covers(project: Path, tmp_path: Path, ringwall: Program) -> None:
    ask(project, tmp_path, "pkill -f vite")
    status, shown = at_terminal(project, tmp_path, "approve", "1", "--scope", "project", typed="y\n")
    plain = COLOUR.sub("", shown)
    assert status == 0, shown
    assert "Bash(pkill -f vite)" in plain and plain.count("pkill -f vite") >= 5
    assert ask(project, tmp_path, "pkill -f vite") == "allow"
    assert "Bash(pkill -f vite)" in ringwall("grants", "list").stdout
    assert ringwall("grants", "revoke", "1").returncode == 0
    assert ringwall("grants", "list").stdout == "Nothing is granted.\n"
    assert ask(project, tmp_path, "pkill -f vite") == "ask"


def test_a_push_becomes_no_rule(waiting: Path, tmp_path: Path, ringwall: Program) -> None:
    status, shown = at_terminal(waiting, tmp_path, "approve", "1", "--scope", "project", typed="y\n")
    assert status == 2 and "approvals.no_rule" in shown
    assert states(ringwall) == ["pending"]


def test_watch_shows_and_decides(waiting: Path, tmp_path: Path, ringwall: Program) -> None:
    ask(waiting, tmp_path, "git push --tags")
    typed = "\n1\na 9\na 1\nr 2 no tags today\nq\n"
    status, shown = at_terminal(waiting, tmp_path, "watch", typed=typed)
    assert status == 0, shown
    assert "Proposal 9 was not shown here." in COLOUR.sub("", shown)
    assert states(ringwall) == ["approved", "rejected"]
