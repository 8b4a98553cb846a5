"""`ringwall check`: the format that other programs rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ringwall.cli import verb_check
from ringwall.cli.main import run
from ringwall.cli.options import PRESETS
from ringwall.judge.check import check
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.policy import presets

from .conftest import Program

ANSWER = {"verdict", "stage", "code", "rule", "effects", "reason"}


def batch(ringwall: Program, *lines: Any, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = ringwall("check", "--batch", "-", *options, stdin=text)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_line_of_answer_for_each_line_in_order(ringwall: Program) -> None:
    rows = batch(ringwall, {"command": "git push", "id": 1}, {"command": "echo hi", "id": 2}, "no", {"id": 4})
    assert [row.get("id") for row in rows] == [1, 2, None, 4]
    assert [row["verdict"] for row in rows] == ["ask", "allow", "deny", "deny"]


def test_an_answer_has_exactly_these_keys_beside_those_of_the_line(ringwall: Program) -> None:
    (row,) = batch(ringwall, {"command": "git push origin main", "family": "git", "expect": None})
    assert row.keys() == ANSWER | {"command", "family", "expect"}
    assert (row["stage"], row["code"]) == ("limits", "limits.git_push")
    assert all(effect.keys() == {"name", "target", "certain"} for effect in row["effects"])
    assert any(effect["name"] == "git.push" and effect["certain"] is True for effect in row["effects"])
    assert isinstance(row["reason"], str) and row["reason"]


def test_the_rule_that_decided_is_named_with_its_place(ringwall: Program) -> None:
    (row,) = batch(ringwall, {"command": "echo hi"})
    assert row["rule"].keys() == {"text", "file", "line", "layer"}


def test_a_line_that_is_no_call_is_denied(ringwall: Program) -> None:
    (row,) = batch(ringwall, '{"command": "ls", "command": "rm -rf /"}')
    assert {name: row[name] for name in ("verdict", "stage", "code", "rule", "effects")} == {
        "verdict": "deny", "stage": "input", "code": "input.unreadable", "rule": None, "effects": [],
    }  # fmt: skip


@pytest.mark.parametrize(("line", "status"), [("no", 1), ('{"command": "git push"}', 0)])
def test_strict_tells_an_unreadable_line_by_the_status(ringwall: Program, line: str, status: int) -> None:
    assert ringwall("check", "--strict", "--batch", "-", stdin=line).returncode == status


def test_other_tools(ringwall: Program) -> None:
    rows = batch(
        ringwall,
        {"tool": "Write", "input": {"file_path": "a.txt", "content": "x"}},
        {"tool": "Write", "input": {"file_path": "CLAUDE.md", "content": "x"}},
        {"tool": "Write", "input": {"content": "x"}},
        {"tool": "PowerShell", "input": {"command": "ls"}},
    )
    assert [row["verdict"] for row in rows] == ["allow", "ask", "ask", "ask"]


def test_a_file_and_its_directory(ringwall: Program, project: Path, tmp_path: Path) -> None:
    (project / "sub").mkdir()
    calls = tmp_path / "calls.jsonl"
    command = "touch ../.git/hooks/pre-commit"
    calls.write_text(
        "\n".join(json.dumps(row) for row in ({"command": command, "cwd": "sub"}, {"command": command}))
    )
    done = ringwall("check", "--batch", str(calls))
    first, second = map(json.loads, done.stdout.splitlines())
    assert "write.hook" in {effect["name"] for effect in first["effects"]}
    assert first["cwd"] == "sub"
    assert all(effect["target"] != str(project / ".git/hooks/pre-commit") for effect in second["effects"])


def test_a_missing_file_is_wrong_use(ringwall: Program) -> None:
    assert ringwall("check", "--batch", "nosuch.jsonl").returncode == 2


def test_a_named_policy_counts_as_trusted(ringwall: Program, tmp_path: Path) -> None:
    rules = tmp_path / "policy"
    rules.mkdir()
    (rules / "permissions.json").write_text('{"permissions": {"deny": ["Bash(echo:*)"]}}')
    (row,) = batch(ringwall, {"command": "echo hi"}, options=("--policy", str(rules)))
    assert (row["verdict"], row["rule"]["text"]) == ("deny", "Bash(echo:*)")


def test_a_rule_on_a_former_name_of_a_tool_holds(ringwall: Program, tmp_path: Path) -> None:
    rules = tmp_path / "policy"
    rules.mkdir()
    (rules / "permissions.json").write_text('{"permissions": {"deny": ["Task"]}}')
    calls = [{"tool": name, "input": {"prompt": "look"}} for name in ("Task", "Agent")]
    rows = batch(ringwall, *calls, options=("--policy", str(rules)))
    assert [row["verdict"] for row in rows] == ["deny", "deny"]


def test_a_broken_policy_is_wrong_use_with_its_place(ringwall: Program, tmp_path: Path) -> None:
    rules = tmp_path / "policy"
    rules.mkdir()
    (rules / "permissions.json").write_text('{"permissions": {"deny": [7]}}')
    done = ringwall("check", "--policy", str(rules), "ls")
    assert done.returncode == 2
    assert "permissions.json:1" in done.stderr


def test_every_preset_can_be_named(ringwall: Program) -> None:
    assert set(PRESETS) == presets.NAMES
    assert ringwall("check", "--preset", "nosuch", "ls").returncode == 2


def test_presets(ringwall: Program) -> None:
    (strict,) = batch(ringwall, {"command": "touch a"}, options=("--preset", "strict"))
    (guarded,) = batch(ringwall, {"command": "touch a"}, options=("--preset", "guarded"))
    assert (strict["verdict"], guarded["verdict"]) == ("ask", "allow")


@pytest.mark.parametrize(("command", "status"), [("echo hi", 0), ("git push", 1), ("rm -rf /", 1)])
def test_one_command_answers_by_its_status_too(ringwall: Program, command: str, status: int) -> None:
    done = ringwall("check", command)
    assert done.returncode == status
    assert done.stdout.split()[0] in ("allow", "ask", "deny")
    one = ringwall("check", "--json", command)
    assert one.returncode == status
    assert json.loads(one.stdout).keys() == ANSWER


def test_nothing_is_written(ringwall: Program, project: Path, tmp_path: Path) -> None:
    batch(ringwall, {"command": "touch a"}, {"command": "echo x > b"})
    assert not (tmp_path / "state").exists()
    assert [entry.name for entry in project.iterdir()] == [".git"]


def test_text_that_no_encoding_holds_comes_back(ringwall: Program) -> None:
    (row,) = batch(ringwall, '{"command": "echo \\ud800", "note": "构建"}')
    assert (row["command"], row["note"]) == ("echo \ud800", "构建")


def test_a_failure_inside_costs_one_line_and_never_allows(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    def broken(call: ToolCall, *_rest: object) -> Decision:
        if call.input["command"] == "fail":
            raise ZeroDivisionError("a fault")
        return check(call, None, None, call.cwd)

    monkeypatch.setattr(verb_check, "check", broken)
    calls = tmp_path / "calls.jsonl"
    calls.write_text('{"command": "echo a"}\n{"command": "fail"}\n{"command": "echo b"}\n')
    assert run(["check", "--batch", str(calls)]) == 3
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [(row["verdict"], row["code"].split(".")[0]) for row in rows] == [
        ("allow", "autonomy"), ("deny", "judge"), ("allow", "autonomy"),
    ]  # fmt: skip


def test_many_lines(ringwall: Program) -> None:
    rows = batch(ringwall, *({"command": f"echo {number}", "id": number} for number in range(3_000)))
    assert [row["id"] for row in rows] == list(range(3_000))


def test_reasons_are_in_the_readers_language_and_codes_are_not(ringwall: Program) -> None:
    done = ringwall("check", "--json", "git push", RINGWALL_LANG="ru")
    row = json.loads(done.stdout)
    assert row["code"] == "limits.git_push"
    assert "решает человек" in row["reason"]
