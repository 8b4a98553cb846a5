"""Skills: put where each host looks for them, never over what somebody wrote, and taken away again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ringwall.cli.group import VERBS
from ringwall.gate.selfguard import FREE_VERBS
from ringwall.hosts.registry import HOSTS
from ringwall.model.errors import UsageError
from ringwall.plan.parse import parse
from ringwall.setup import install
from ringwall.setup.skill_files import PLACES, SKILLS, folder, plan_skills, plan_skills_removal, text
from setup.conftest import Ground

RINGWALL = os.path.join(os.path.dirname(sys.executable), "ringwall")
MINE = b"---\nname: role\ndescription: mine\n---\nMine.\n"


def put(ground: Ground, *hosts: str, replace: bool = False) -> list[str]:
    """Install; the notices."""
    changes = plan_skills(hosts or ("claude",), ground.env, replace=replace)
    for change in changes:
        change.apply()
    return [str(notice) for change in changes for notice in change.notices]


def take(ground: Ground, *hosts: str, replace: bool = False) -> list[str]:
    changes = plan_skills_removal(hosts or ("claude",), ground.env, replace=replace)
    for change in changes:
        change.apply()
    return [str(notice) for change in changes for notice in change.notices]


def role(ground: Ground) -> Path:
    return ground.home / ".claude" / "skills" / "role" / "SKILL.md"


def test_every_host_of_the_registry_has_a_place_for_skills() -> None:
    assert set(PLACES) == set(HOSTS)


def test_skills_are_installed_where_each_host_looks(ground: Ground) -> None:
    hosts = ("claude", "opencode", "pi")
    put(ground, *hosts)
    for host in hosts:
        for skill in SKILLS:
            assert Path(folder(host, ground.env), skill, "SKILL.md").read_bytes() == text(skill)
    put(ground, *hosts)
    take(ground, *hosts)
    assert [path for path in ground.home.rglob("*") if path.is_file()] == []


def test_a_host_may_have_its_folder_elsewhere(ground: Ground, tmp_path: Path) -> None:
    env = {**ground.env, "CODEX_HOME": str(tmp_path / "codex"), "DSH_HOME": str(tmp_path / "dsh")}
    assert folder("codex", env) == str(tmp_path / "codex" / "skills")
    assert folder("dsh", env) == str(tmp_path / "dsh" / "skills")
    with pytest.raises(UsageError):
        folder("claude", {})


def test_a_persons_own_skill_of_that_name_stays(ground: Ground) -> None:
    role(ground).parent.mkdir(parents=True)
    role(ground).write_bytes(MINE)
    [notice] = put(ground)
    assert "stays" in notice
    assert role(ground).read_bytes() == MINE
    put(ground, replace=True)
    assert role(ground).read_bytes() == text("role")
    take(ground)
    assert role(ground).read_bytes() == MINE


def test_what_a_person_changed_stays(ground: Ground) -> None:
    put(ground)
    role(ground).write_bytes(text("role") + b"And more.\n")
    assert len(put(ground)) == len(take(ground)) == 1
    assert role(ground).read_bytes().endswith(b"And more.\n")
    assert not (ground.home / ".claude" / "skills" / "sdd").exists()
    take(ground, replace=True)
    assert not role(ground).exists()


def test_an_older_version_of_ours_is_brought_up_to_date(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ringwall.setup.skill_files.text", lambda skill: b"older " + skill.encode())
    put(ground)
    monkeypatch.undo()
    assert put(ground) == []
    assert role(ground).read_bytes() == text("role")
    take(ground)
    assert not role(ground).exists()


def test_other_files_beside_a_skill_stay(ground: Ground) -> None:
    put(ground)
    beside = role(ground).parent / "notes.md"
    beside.write_text("mine")
    take(ground)
    assert beside.read_text() == "mine" and not role(ground).exists()


@pytest.mark.parametrize("skill", SKILLS)
def test_a_skill_begins_with_its_name_and_when_to_use_it(skill: str) -> None:
    said = text(skill).decode("utf-8")
    assert re.match(rf"---\nname: {skill}\ndescription: [^\n]{{40,1000}}\n---\n\n# ", said)


def test_the_skill_ringwall_shows_a_plan_that_parses_and_names_verbs_that_are() -> None:
    said = text("ringwall").decode("utf-8")
    [plan] = re.findall(r"````markdown\n(.*?)````", said, re.DOTALL)
    parsed = parse(plan)
    assert parsed.plan is not None and parsed.problems == ()
    assert len(parsed.plan.steps) == 5
    verbs = set(re.findall(r"ringwall ([a-z]+)", said)) - {"judges"}
    assert verbs <= set(VERBS)
    for verb in ("status", "why", "check", "explain", "propose"):
        assert verb in FREE_VERBS and f"ringwall {verb}" in said


def run(ground: Ground, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RINGWALL, *words], env={**ground.env, **env}, cwd=ground.project, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


def test_the_verb_shows_the_difference_and_changes_nothing_without_a_yes(ground: Ground) -> None:
    done = run(ground, "install", "--skills", "--host", "claude")
    assert done.returncode == 2 and "+name: role" in done.stdout and not role(ground).exists()
    done = run(ground, "install", "--skills", "--host", "claude", "--dry-run")
    assert done.returncode == 0 and not role(ground).exists()
    done = run(ground, "install", "--skills", "--host", "claude", "--yes", "--json")
    rows = json.loads(done.stdout)["changes"]
    assert [row["applied"] for row in rows] == [True] * len(SKILLS)


def test_global_puts_in_hooks_and_skills_and_takes_both_away(ground: Ground) -> None:
    assert run(ground, "install", "--global", "--host", "claude", "--yes").returncode == 0
    settings = ground.home / ".claude" / "settings.json"
    assert "ringwall-hook" in settings.read_text() and role(ground).exists()
    assert run(ground, "install", "--global", "--host", "claude", "--remove", "--yes").returncode == 0
    assert not settings.exists() and not role(ground).exists()


@pytest.mark.parametrize("words", [[], ["--check", "--skills"], ["--skills"]])
def test_it_wants_to_be_told_what_and_for_whom(ground: Ground, words: list[str]) -> None:
    done = run(ground, "install", *words)
    assert done.returncode == 2 and not (ground.home / ".claude").exists()


def test_an_agent_installs_nothing(ground: Ground) -> None:
    done = run(ground, "install", "--skills", "--host", "claude", "--yes", CLAUDECODE="1")
    assert done.returncode == 2 and not role(ground).exists()


def test_check_tells_of_skills_that_are_not_as_they_come(ground: Ground) -> None:
    checks = {check.name: check for check in install.examine(["claude"], ground.env).checks}
    assert "role, sdd, ringwall" in str(checks["skills.claude"].what)
    put(ground)
    checks = {check.name: check for check in install.examine(["claude"], ground.env).checks}
    assert checks["skills.claude"].status.value == "ok"
