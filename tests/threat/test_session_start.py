"""What an agent is told when its session begins."""

import json

from .conftest import Ground
from .test_selfguard import _switch_off


def told(ground: Ground) -> str:
    reply = ground.hook("SessionStart", source="startup")
    text: str = json.loads(reply.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "\n" not in text
    return text


def test_it_is_told_that_ringwall_is_on_and_by_which_preset(ground: Ground) -> None:
    assert told(ground) == "Ringwall is on: it judges each tool call by the preset guarded."
    ground.write("~/.config/ringwall/ringwall.toml", 'preset = "strict"\n')
    assert "by the preset strict" in told(ground)


def test_it_is_told_that_the_project_is_not_trusted(ground: Ground) -> None:
    ground.write(".ringwall/permissions.json", {"permissions": {"deny": ["Bash(npm publish:*)"]}})
    assert told(ground).endswith("the project's policy files are not trusted, so they only tighten.")
    ground.write(".ringwall/permissions.json", {"permissions": {"allow": ["Bash(npm publish:*)"]}})
    assert "(lines: 1)" in told(ground) and "`ringwall trust`" in told(ground)


def test_it_is_told_that_a_file_is_not_valid(ground: Ground) -> None:
    ground.write(".ringwall/permissions.json", "{")
    assert "is not valid" in told(ground)


def test_it_is_told_that_ringwall_is_off(ground: Ground) -> None:
    _switch_off(ground)
    assert told(ground).startswith("Ringwall is switched off until ")
