"""Trust is given to bytes, by a person."""

from __future__ import annotations

import os

import pytest

from ringwall.model.errors import UsageError
from ringwall.setup.trust import distrust, review, trust
from setup.conftest import Ground

RULES = '{"permissions": {\n  "allow": ["Bash(make deploy)"],\n  "deny": ["Bash(curl:*)"]}}'


@pytest.fixture
def policy(ground: Ground) -> str:
    folder = ground.project / ".ringwall"
    folder.mkdir()
    (folder / "permissions.json").write_text(RULES)
    return os.path.realpath(folder / "permissions.json")


def test_looking_shows_what_would_count_and_makes_no_state(ground: Ground, policy: str) -> None:
    [file] = review(str(ground.project), ground.env).files
    assert file.path == policy
    assert not file.trusted
    assert [str(text) for text in file.loosens] == ["line 2: Bash(make deploy)"]
    assert not os.path.exists(ground.env["RINGWALL_HOME"])


def test_trust_lasts_until_a_byte_changes(ground: Ground, policy: str) -> None:
    trust(review(str(ground.project), ground.env), ground.env)
    assert review(str(ground.project), ground.env).pending == ()
    with open(policy, "a") as file:
        file.write("\n")
    assert len(review(str(ground.project), ground.env).pending) == 1


def test_what_changed_after_it_was_shown_is_not_trusted(ground: Ground, policy: str) -> None:
    shown = review(str(ground.project), ground.env)
    with open(policy, "w") as file:
        file.write('{"permissions": {"allow": ["Bash"]}}')
    trust(shown, ground.env)
    assert len(review(str(ground.project), ground.env).pending) == 1


def test_trust_can_be_taken_back(ground: Ground, policy: str) -> None:
    trust(review(str(ground.project), ground.env), ground.env)
    distrust(review(str(ground.project), ground.env), ground.env)
    assert len(review(str(ground.project), ground.env).pending) == 1


@pytest.mark.parametrize("name", ["CLAUDECODE", "CODEX_SESSION_ID", "OPENCODE", "RINGWALL_SESSION"])
def test_an_agent_cannot_trust(ground: Ground, policy: str, name: str) -> None:
    inside = {**ground.env, name: "1"}
    with pytest.raises(UsageError):
        trust(review(str(ground.project), inside), inside)
    assert len(review(str(ground.project), ground.env).pending) == 1


def test_faults_are_shown_with_their_place(ground: Ground, policy: str) -> None:
    with open(policy, "w") as file:
        file.write('{"permissions": {"allow": ["NoSuchTool"]}}')
    [file] = review(str(ground.project), ground.env).files
    assert file.problems
    assert f"{policy}:1" in str(file.problems[0])


def test_a_project_without_policy_has_nothing_to_trust(ground: Ground) -> None:
    assert review(str(ground.project), ground.env).files == ()
