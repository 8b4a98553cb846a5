"""`ringwall learn` and `ringwall replay`, on the journal, on files, and on what a real session leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hosts.conftest import bare_stage, stage  # noqa: F401 - fixtures
from hosts.stage import Stage, bash, lane
from ringwall.cli.main import run
from ringwall.judge.bench import Bench, Judged
from ringwall.judge.judge import Judge
from ringwall.model.action import ToolCall
from ringwall.store.paths import StateDir

from .conftest import Program

COMMANDS = ("npm install a", "npm install b", "git push origin main", "npm test", "git reset --hard")


def transcript(path: Path, project: Path, *commands: str) -> Path:
    lines: list[Any] = []
    for number, command in enumerate(commands):
        use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
        lines.append(
            {"type": "assistant", "sessionId": "s", "cwd": str(project), "message": {"content": [use]}}
        )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def hooked(tmp_path: Path, project: Path) -> Callable[..., None]:
    """Has commands judged and journalled, as a host would."""

    def judge(*commands: str) -> None:
        judging = Judge(StateDir(str(tmp_path / "state")))
        for number, command in enumerate(commands):
            payload = {
                "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(project),
                "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command},
                "tool_use_id": f"c{number}",
            }  # fmt: skip
            environ = {"HOME": str(tmp_path / "home")}
            assert judging.hook("claude", json.dumps(payload).encode(), environ).exit == 0
        judging.close()

    return judge


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    lists = {"allow": ["Bash(git reset:*)"], "deny": ["Bash(npm test:*)"]}
    (folder / "permissions.json").write_text(json.dumps({"permissions": lists}, indent=1))
    return folder


def test_learn_offers_rules_with_their_counts(ringwall: Program, project: Path, tmp_path: Path) -> None:
    file = transcript(tmp_path / "t.jsonl", project, *COMMANDS)
    done = ringwall("learn", str(file), "--preset", "strict")
    assert (done.returncode, done.stderr) == (0, "")
    assert "    2 allow Bash(npm install:*)\n      ask   Effect(install.global)\n" in done.stdout
    assert "    1 limits.git_push\n" in done.stdout


def test_learn_for_programs(ringwall: Program, project: Path, tmp_path: Path, rules: Path) -> None:
    file = transcript(tmp_path / "t.jsonl", project, "git push", "npm run build")
    file.write_text(file.read_text() + "{cut")
    row = json.loads(ringwall("learn", str(file), "--policy", str(rules), "--json").stdout)
    assert (row["calls"], row["asked"], row["asks"], row["offers"]) == (2, 0, 1, [])
    assert [(each["code"], each["count"]) for each in row["refusals"]] == [("limits.git_push", 1)]
    assert [(each["rule"]["text"], each["rule"]["line"], each["shadowed_by"]) for each in row["idle"]] == [
        ("Bash(git reset:*)", 4, None), ("Bash(npm test:*)", 7, None)
    ]  # fmt: skip
    assert (row["fault_count"], row["faults"][0]["where"]) == (1, f"{file}:3")


def test_an_offered_rule_spares_the_questions(ringwall: Program, project: Path, tmp_path: Path) -> None:
    file = transcript(tmp_path / "t.jsonl", project, "npm install a", "frobnicate x", "mkdir -p x")
    before = json.loads(ringwall("learn", str(file), "--preset", "strict", "--json").stdout)
    assert before["asks"] == 3
    lists = {word: [rule for offer in before["offers"] for rule in offer[word]] for word in ("allow", "ask")}
    (tmp_path / "permissions.json").write_text(json.dumps({"permissions": lists}))
    options = ("--policy", str(tmp_path), "--preset", "strict", "--json")
    assert json.loads(ringwall("learn", str(file), *options).stdout)["asks"] == 0


def test_replay_shows_what_would_differ(
    ringwall: Program, project: Path, tmp_path: Path, rules: Path
) -> None:
    file = transcript(tmp_path / "t.jsonl", project, *COMMANDS)
    done = ringwall("replay", str(file), "--policy", str(rules))
    assert done.returncode == 0
    looser, where, stricter, *_ = done.stdout.splitlines()
    assert looser == "ask   → allow  Bash: git reset --hard"
    assert where.strip() == f"rule: {rules}/permissions.json:4: Bash(git reset:*)"
    assert stricter == "allow → deny   Bash: npm test"
    assert "Calls: 5. As before: 3; looser: 1; stricter: 1." in done.stdout


@pytest.mark.parametrize(
    ("lists", "status"), [({"allow": ["Bash(git reset:*)"]}, 1), ({"deny": ["Bash"]}, 0)]
)
def test_replay_as_a_check(
    ringwall: Program, project: Path, tmp_path: Path, lists: dict[str, list[str]], status: int
) -> None:
    file = transcript(tmp_path / "t.jsonl", project, *COMMANDS)
    (tmp_path / "permissions.json").write_text(json.dumps({"permissions": lists}))
    options = ("--policy", str(tmp_path), "--fail-on-looser")
    assert ringwall("replay", str(file), *options).returncode == status


def test_replay_of_the_journal_compares_with_what_was_decided(
    ringwall: Program, hooked: Callable[..., None], rules: Path, tmp_path: Path
) -> None:
    hooked(*COMMANDS)
    exported = ringwall("log", "export").stdout
    row = json.loads(ringwall("replay", "--policy", str(rules), "--json").stdout)
    assert [(each["before"], each["after"], each["call"]) for each in row["changes"]] == [
        ("ask", "allow", "Bash: git reset --hard"), ("allow", "deny", "Bash: npm test")
    ]  # fmt: skip
    assert ringwall("log", "export").stdout == exported
    (tmp_path / "journal.jsonl").write_text(exported)
    again = json.loads(
        ringwall("replay", str(tmp_path / "journal.jsonl"), "--policy", str(rules), "--json").stdout
    )
    assert [each["call"] for each in again["changes"]] == [each["call"] for each in row["changes"]]


def test_what_the_present_policy_decides_so_as_well_is_marked(
    ringwall: Program, hooked: Callable[..., None], project: Path, rules: Path
) -> None:
    (project / "data").mkdir()
    (project / "data" / "dear").write_text("x")
    hooked("rm -rf data")
    git = ["git", "-C", str(project), "-c", "user.name=Dev", "-c", "user.email=dev@example.com"]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Keep it"], check=True)
    done = ringwall("replay", "--policy", str(rules), "--fail-on-looser")
    assert "ask   → allow* Bash: rm -rf data" in done.stdout
    assert done.returncode == 0


def test_nothing_is_changed(ringwall: Program, project: Path, tmp_path: Path, rules: Path) -> None:
    file = transcript(tmp_path / "t.jsonl", project, *COMMANDS)
    ringwall("learn", str(file))
    ringwall("learn")
    ringwall("replay", str(file), "--policy", str(rules))
    assert not (tmp_path / "state").exists()
    assert [path.name for path in project.iterdir()] == [".git"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("replay",), "cli.no_policy"),
        (("replay", "--policy", "faulty"), "policy.never_matches"),
        (("learn", "absent.jsonl"), "usage"),
        (("learn", "faulty"), "learn.nothing_there"),
    ],
)
def test_wrong_use(ringwall: Program, project: Path, options: tuple[str, ...], code: str) -> None:
    (project / "faulty").mkdir()
    (project / "faulty" / "permissions.json").write_text('{"permissions": {"allow": ["Bash(a && b)"]}}')
    done = ringwall(*options)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"[{code}]" in done.stderr


@pytest.mark.xdist_group("real hosts")
def test_a_real_session_from_its_journal_and_from_its_transcript(stage: Stage, rules: Path) -> None:  # noqa: F811
    script = lane("main", bash("git reset --hard"), bash("git push origin main"), bash("npm test"))
    stage.play(script, mode="bypassPermissions")
    sources = ([], [str(stage.home / ".claude" / "projects")])
    for paths in sources:
        row = json.loads(stage.ringwall("replay", *paths, "--policy", str(rules), "--json").stdout)
        assert row["calls"] == 3
        assert [(each["before"], each["after"], each["call"]) for each in row["changes"]] == [
            ("ask", "allow", "Bash: git reset --hard"), ("allow", "deny", "Bash: npm test")
        ]  # fmt: skip
        learned = json.loads(stage.ringwall("learn", *paths, "--json").stdout)
        assert (learned["calls"], learned["asked"], learned["asks"]) == (3, 2, 2)
        assert not learned["offers"]
        codes = {each["code"] for each in learned["refusals"]}
        assert codes == {"learn.git_discard", "limits.git_push"}


@pytest.mark.parametrize("verb", ["learn", "replay"])
def test_a_call_that_makes_ringwall_fail_is_named_and_passed_over(
    verb: str, tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    file = transcript(tmp_path / "t.jsonl", project, "ls", "boom", "pwd")
    sound = Bench.judge

    def failing(bench: Bench, call: ToolCall) -> Judged:
        if call.input["command"] == "boom":
            raise UnicodeError("boom")
        return sound(bench, call)

    monkeypatch.setattr(Bench, "judge", failing)
    monkeypatch.setenv("RINGWALL_HOME", str(tmp_path / "state"))
    assert run([verb, str(file), "--preset", "guarded", "--json"]) == 0
    row = json.loads(capfdbinary.readouterr().out)
    assert (row["calls"], row["fault_count"]) == (2, 1)
    assert row["faults"] == [{"where": f"{file}:2", "why": "Ringwall failed while judging it (UnicodeError)"}]


def test_a_person_sees_how_much_was_read(project: Path, tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    file = transcript(tmp_path / "t.jsonl", project, *("echo hi",) * 500)
    ours, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "xterm", "LC_ALL": "C"}
    words = [sys.executable, "-m", "ringwall.cli.main", "learn", str(file), "--json"]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, cwd=project, env=environment)
    os.close(theirs)
    answer, _ = program.communicate(timeout=60)
    told = os.read(ours, 65_536).decode()
    os.close(ours)
    assert "reading" in told
    assert json.loads(answer)["calls"] == 500
