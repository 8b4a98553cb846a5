"""`init`, `trust`, `import claude`, `off` and `doctor` as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Program


def test_init_needs_a_person_or_a_yes(ringwall: Program, project: Path) -> None:
    done = ringwall("init")
    assert done.returncode == 2 and "cli.no_terminal" in done.stderr
    assert "+++" in done.stdout
    assert not (project / ".claude").exists()


def test_init_is_idempotent_and_can_be_taken_back(ringwall: Program, project: Path) -> None:
    settings = project / ".claude" / "settings.json"
    settings.parent.mkdir()
    before = '{\n    "model": "x",\n  "hooks": {}\n}\n'
    settings.write_text(before)
    assert ringwall("init", "--yes").returncode == 0
    after = settings.read_bytes()
    again = json.loads(ringwall("init", "--yes", "--json").stdout)
    assert (again["needed"], again["applied"], settings.read_bytes()) == (False, False, after)
    assert ringwall("init", "--remove", "--yes").returncode == 0
    assert settings.read_text() == before


def test_init_dry_run_writes_nothing(ringwall: Program, project: Path) -> None:
    done = ringwall("init", "--dry-run", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["applied"] is False
    assert not (project / ".claude").exists()


def test_doctor_without_hooks_is_a_negative_answer(ringwall: Program) -> None:
    done = ringwall("doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1 and report["ok"] is False
    assert all(check.keys() == {"name", "status", "what", "repair", "host"} for check in report["checks"])
    assert "ringwall init" in ringwall("doctor").stdout


def test_trust_shows_and_records_what_a_file_loosens(ringwall: Program, project: Path) -> None:
    rules = project / ".ringwall"
    rules.mkdir()
    (rules / "permissions.json").write_text('{"permissions": {"allow": ["Bash(make:*)"]}}')
    shown = ringwall("trust")
    assert shown.returncode == 2 and "Bash(make:*)" in shown.stdout
    assert ringwall("trust", "--yes").returncode == 0
    (file,) = json.loads(ringwall("trust", "--json").stdout)["files"]
    assert file["trusted"] is True
    assert ringwall("trust", "--remove", "--yes").returncode == 0
    (file,) = json.loads(ringwall("trust", "--json").stdout)["files"]
    assert file["trusted"] is False


def test_an_agent_cannot_trust(ringwall: Program, project: Path) -> None:
    rules = project / ".ringwall"
    rules.mkdir()
    (rules / "permissions.json").write_text('{"permissions": {"allow": ["Bash(make:*)"]}}')
    assert ringwall("trust", "--yes", CLAUDECODE="1").returncode == 2


def test_off_needs_a_terminal(ringwall: Program) -> None:
    assert ringwall("off").stdout == "Calls are judged.\n"
    assert ringwall("off", "--for", "10m").returncode == 2
    assert ringwall("off", "--for", "soon").returncode == 2
    assert json.loads(ringwall("off", "--json").stdout) == {"off": False, "until": None, "reason": ""}


def test_import_claude(ringwall: Program, project: Path) -> None:
    settings = project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"permissions": {"deny": ["Bash(curl:*)"]}}')
    assert ringwall("import", "claude", "--yes").returncode == 0
    taken = json.loads((project / ".ringwall" / "permissions.json").read_text())
    assert taken["permissions"]["deny"] == ["Bash(curl:*)"]


def test_run_without_the_host(ringwall: Program, tmp_path: Path) -> None:
    done = ringwall("run", "claude", "--", "-p", "hi", PATH=str(tmp_path))
    assert done.returncode == 2 and "PATH" in done.stderr


def test_yes_does_not_trust_hooks_on_a_persons_behalf(ringwall: Program, tmp_path: Path) -> None:
    home = tmp_path / "codex home"
    done = ringwall("init", "codex", "--yes", CODEX_HOME=str(home))
    assert done.returncode == 1 and "--trust-hooks" in done.stdout
    assert (home / "hooks.json").exists() and not (home / "config.toml").exists()
    report = json.loads(
        ringwall("init", "--host", "codex", "--yes", "--trust-hooks", "--json", CODEX_HOME=str(home)).stdout
    )
    assert [Path(row["path"]).name for row in report["changes"] if row["applied"]] == ["config.toml"]
    assert "trusted_hash" in (home / "config.toml").read_text()
    assert ringwall("init", "codex", "--remove", "--yes", CODEX_HOME=str(home)).returncode == 0
    assert not home.exists() or list(home.rglob("*")) == []
