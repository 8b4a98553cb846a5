"""Rules are taken over as they are, once, and what cannot be is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ringwall.model.errors import PolicyError
from ringwall.setup.import_claude import plan_import
from setup.conftest import Ground


def rules(ground: Ground) -> Path:
    return ground.project / ".ringwall" / "permissions.json"


def take_over(ground: Ground) -> list[str]:
    change = plan_import(str(ground.project), ground.env)
    change.apply()
    return [str(notice) for notice in change.notices]


def test_rules_of_all_scopes_come_over(ground: Ground) -> None:
    ground.settings(
        json.dumps({"permissions": {"allow": ["Bash(npm run test:*)"], "deny": ["Read(./.env)"]}})
    )
    ground.settings(
        json.dumps({"permissions": {"ask": ["WebFetch(domain:example.com)"]}}), "settings.local.json"
    )
    (ground.home / ".claude").mkdir()
    (ground.home / ".claude" / "settings.json").write_text(
        json.dumps({"permissions": {"allow": ["mcp__lab__echo"]}})
    )
    assert take_over(ground) == []
    assert json.loads(rules(ground).read_text()) == {
        "permissions": {
            "allow": ["mcp__lab__echo", "Bash(npm run test:*)"],
            "ask": ["WebFetch(domain:example.com)"],
            "deny": ["Read(./.env)"],
        }
    }


def test_taking_over_twice_changes_nothing(ground: Ground) -> None:
    ground.settings(json.dumps({"permissions": {"allow": ["Bash(ls)", "Bash(ls)"]}}))
    take_over(ground)
    once = rules(ground).read_bytes()
    assert json.loads(once)["permissions"]["allow"] == ["Bash(ls)"]
    assert not plan_import(str(ground.project), ground.env).needed
    take_over(ground)
    assert rules(ground).read_bytes() == once


def test_existing_rules_keep_their_bytes(ground: Ground) -> None:
    ground.settings(json.dumps({"permissions": {"allow": ["Bash(ls)"]}}))
    rules(ground).parent.mkdir()
    rules(ground).write_text('{"permissions": {"deny" : [ "Bash(curl:*)" ],\n  "allow": ["Bash(pwd)"]}}')
    take_over(ground)
    expected = '{"permissions": {"deny" : [ "Bash(curl:*)" ],\n  "allow": ["Bash(pwd)", "Bash(ls)"]}}'
    assert rules(ground).read_text() == expected


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("Bash(a && b)", "more than one"),
        ("NoSuchTool", "no tool"),
        ("Bash(", "not a rule"),
    ],
)
def test_a_rule_that_cannot_be_read_is_named(ground: Ground, rule: str, words: str) -> None:
    path = ground.settings(json.dumps({"permissions": {"allow": [rule, "Bash(ls)"]}}))
    [notice] = take_over(ground)
    assert notice.startswith(f"{path}:1:")
    assert words in notice
    assert json.loads(rules(ground).read_text())["permissions"]["allow"] == ["Bash(ls)"]


def test_a_rule_never_changes_its_list(ground: Ground) -> None:
    ground.settings(json.dumps({"permissions": {"allow": ["Bash(curl:*)"]}}))
    rules(ground).parent.mkdir()
    rules(ground).write_text('{"permissions": {"deny": ["Bash(curl:*)"]}}')
    [notice] = take_over(ground)
    assert "under deny already" in notice
    assert rules(ground).read_text() == '{"permissions": {"deny": ["Bash(curl:*)"]}}'


def test_other_permission_settings_stay_with_the_host(ground: Ground) -> None:
    ground.settings(json.dumps({"permissions": {"defaultMode": "plan"}}))
    [notice] = take_over(ground)
    assert "defaultMode" in notice
    assert not rules(ground).exists()


def test_paths_from_the_folder_of_the_user_settings_are_not_taken_over(ground: Ground) -> None:
    (ground.home / ".claude").mkdir()
    (ground.home / ".claude" / "settings.json").write_text(
        json.dumps({"permissions": {"allow": ["Edit(/notes/**)", "Read(//etc/hosts)"]}})
    )
    [notice] = take_over(ground)
    assert "Edit(/notes/**)" in notice
    assert json.loads(rules(ground).read_text())["permissions"]["allow"] == ["Read(//etc/hosts)"]


@pytest.mark.parametrize(
    "broken", ['{"permissions": []}', '{"permissions": {"allow": "Bash"}}', "{", '["x"]']
)
def test_broken_files_are_refused_with_their_place(ground: Ground, broken: str) -> None:
    path = ground.settings(broken)
    with pytest.raises(PolicyError) as caught:
        plan_import(str(ground.project), ground.env)
    assert caught.value.where.startswith(f"{path}:1:")
    assert not rules(ground).exists()


def test_nothing_to_take_over_makes_no_file(ground: Ground) -> None:
    assert take_over(ground) == []
    assert not rules(ground).exists()
