"""Hooks go in beside what is there, and come out without a trace."""

from __future__ import annotations

import json
import os
import shlex
import stat
from pathlib import Path
from typing import Any

import pytest

from ringwall.hosts.claude import registrations
from ringwall.hosts.installation import is_ours
from ringwall.model.errors import PolicyError, StateError, UsageError
from ringwall.setup import registering
from ringwall.setup.change import Change
from ringwall.setup.init import Scope, plan_init, plan_remove
from setup.conftest import Ground

THEIRS = """{
    "model": "opus",
    "permissions": { "allow": ["Bash(npm test)"] },
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo theirs"}]}
        ],
        "Notification": []
    },
    "last": null
}
"""

FILES = [
    b"{}",
    b"{ }\n",
    b"{\n}\n",
    b"",
    b"\n",
    b'{"model":"opus"}',
    b'{"hooks":{}}',
    b'{"hooks": {"PreToolUse": []}}\n',
    THEIRS.encode(),
    THEIRS.replace("\n", "\r\n").encode(),
    b"\xef\xbb\xbf" + THEIRS.encode(),
    THEIRS.rstrip().replace("    ", "\t").encode(),
]


@pytest.fixture(autouse=True)
def native(monkeypatch: pytest.MonkeyPatch) -> str:
    """A client whose path needs quoting."""
    monkeypatch.setattr(registering, "hook_client", lambda: ("/opt/ring wall/bin/ringwall-hook",))
    return "/opt/ring wall/bin/ringwall-hook"


def hooks(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_bytes().decode("utf-8-sig"))["hooks"]
    assert isinstance(found, dict)
    return found


def put_in(ground: Ground, scope: Scope = Scope.PROJECT) -> Path:
    change = putting_in(ground, scope)
    change.apply()
    return Path(change.path)


def putting_in(ground: Ground, scope: Scope = Scope.PROJECT) -> Change:
    """Claude Code has one file."""
    [change] = plan_init("claude", scope, str(ground.project), ground.env)
    return change


def taking_out(ground: Ground, scope: Scope = Scope.PROJECT) -> Change:
    [change] = plan_remove("claude", scope, str(ground.project), ground.env)
    return change


def take_out(ground: Ground, scope: Scope = Scope.PROJECT) -> None:
    taking_out(ground, scope).apply()


def test_every_event_is_registered_and_those_that_decide_block(ground: Ground, native: str) -> None:
    found = hooks(put_in(ground))
    assert set(found) == {row.event for row in registrations}
    for row in registrations:
        [group] = found[row.event]
        [handler] = group["hooks"]
        assert group["matcher"] == "*"
        words = shlex.split(handler["command"])
        assert (words[0], words[-1]) == (native, "claude")
        assert ("--notify" in words) == (not row.decides)
        assert handler.get("onFailure") == ("block" if row.decides else None)
        assert handler["timeout"] > 0


@pytest.mark.parametrize("content", FILES)
def test_removing_restores_byte_for_byte(ground: Ground, content: bytes) -> None:
    path = ground.settings(content)
    put_in(ground)
    assert path.read_bytes() != content
    take_out(ground)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", FILES)
def test_doing_it_twice_changes_nothing_more(ground: Ground, content: bytes) -> None:
    path = ground.settings(content)
    put_in(ground)
    once = path.read_bytes()
    again = putting_in(ground, Scope.PROJECT)
    assert not again.needed
    assert again.diff == ""
    again.apply()
    assert path.read_bytes() == once
    take_out(ground)
    assert path.read_bytes() == content


def test_a_project_without_settings_has_none_afterwards(ground: Ground) -> None:
    put_in(ground)
    assert (ground.project / ".claude").is_dir()
    take_out(ground)
    assert list(ground.project.iterdir()) == []


def test_a_folder_that_was_there_stays(ground: Ground) -> None:
    (ground.project / ".claude").mkdir()
    put_in(ground)
    take_out(ground)
    assert list((ground.project / ".claude").iterdir()) == []


def test_what_was_there_is_kept(ground: Ground) -> None:
    path = ground.settings(THEIRS)
    put_in(ground)
    assert path.read_text().startswith(THEIRS[: THEIRS.index("Notification")].rpartition("}")[0])
    theirs = hooks(path)["PreToolUse"][0]
    assert theirs == {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo theirs"}]}
    assert json.loads(path.read_text())["last"] is None


def test_removing_after_the_person_edited_takes_exactly_our_entries(ground: Ground) -> None:
    path = ground.settings(THEIRS)
    put_in(ground)
    path.write_text(path.read_text().replace('"opus"', '"haiku"').replace("echo theirs", "echo changed"))
    take_out(ground)
    assert path.read_text() == THEIRS.replace('"opus"', '"haiku"').replace("echo theirs", "echo changed")


def test_removing_where_no_receipt_is_known(ground: Ground) -> None:
    path = ground.settings(THEIRS)
    put_in(ground)
    elsewhere = {**ground.env, "RINGWALL_HOME": str(ground.home / "other-state")}
    [change] = plan_remove("claude", Scope.PROJECT, str(ground.project), elsewhere)
    change.apply()
    assert path.read_text() == THEIRS


def test_a_handler_of_ours_in_a_group_of_theirs_goes_alone(ground: Ground) -> None:
    theirs = {"type": "command", "command": "true"}
    ours = {"type": "command", "command": "/old/ringwall-hook claude"}
    path = ground.settings(json.dumps({"hooks": {"Stop": [{"hooks": [theirs, ours]}]}}))
    take_out(ground)
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


def test_an_older_registration_is_brought_up_to_date(ground: Ground, native: str) -> None:
    old = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/old/ringwall-hook claude"}]}
    path = ground.settings(json.dumps({"hooks": {"PreToolUse": [old, old]}}, indent=2))
    put_in(ground)
    [group] = hooks(path)["PreToolUse"]
    assert shlex.split(group["hooks"][0]["command"])[0] == native


def test_the_removal_of_what_is_not_there_changes_nothing(ground: Ground) -> None:
    path = ground.settings(THEIRS)
    change = taking_out(ground, Scope.PROJECT)
    assert not change.needed
    change.apply()
    assert path.read_text() == THEIRS


def test_each_scope_has_its_own_file(ground: Ground) -> None:
    assert put_in(ground, Scope.LOCAL) == ground.project / ".claude" / "settings.local.json"
    assert put_in(ground, Scope.USER) == ground.home / ".claude" / "settings.json"
    ground.env["CLAUDE_CONFIG_DIR"] = str(ground.home / "config")
    assert put_in(ground, Scope.USER) == ground.home / "config" / "settings.json"


def test_user_settings_need_a_home(ground: Ground) -> None:
    del ground.env["HOME"]
    with pytest.raises(UsageError):
        putting_in(ground, Scope.USER)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{\n  "model": "opus",\n}\n', ":2:18"),
        (b'{\n  // mine\n  "a": 1\n}', ":2:3"),
        (b'{"hooks": []}', ":1:11"),
        (b'{"hooks": {"PreToolUse": {}}}', ":1:26"),
        (b'{"hooks": {"PreToolUse": [\n7]}}', ":2:1"),
        (b'{"hooks": {"PreToolUse": [{"hooks": [\n "x"]}]}}', ":2:2"),
        (b"[]", ":1:1"),
        (b'{\n"a": "\xff"}', ":2:7"),
    ],
)
def test_broken_settings_are_refused_and_left_alone(ground: Ground, content: bytes, place: str) -> None:
    path = ground.settings(content)
    with pytest.raises(PolicyError) as caught:
        putting_in(ground, Scope.PROJECT)
    assert caught.value.where == f"{path}{place}"
    assert str(caught.value.repair)
    assert path.read_bytes() == content


def test_the_diff_is_shown_before_anything_is_written(ground: Ground) -> None:
    path = ground.settings(THEIRS.rstrip())
    change = putting_in(ground, Scope.PROJECT)
    assert f"--- {path}" in change.diff
    assert '+                        "onFailure": "block"' in change.diff
    assert "\\ No newline at end of file" in change.diff
    assert path.read_text() == THEIRS.rstrip()


def test_a_file_that_changed_meanwhile_is_not_overwritten(ground: Ground) -> None:
    path = ground.settings(THEIRS)
    change = putting_in(ground, Scope.PROJECT)
    path.write_text('{"mine": 1}')
    with pytest.raises(StateError) as caught:
        change.apply()
    assert caught.value.code == "setup.changed_meanwhile"
    assert path.read_text() == '{"mine": 1}'


def test_mode_and_link_are_kept(ground: Ground) -> None:
    real = ground.home / "dotfiles.json"
    real.write_text(THEIRS)
    real.chmod(0o640)
    (ground.project / ".claude").mkdir()
    link = ground.project / ".claude" / "settings.json"
    link.symlink_to(real)
    put_in(ground)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert "ringwall-hook" in real.read_text()
    assert os.listdir(ground.home) == ["dotfiles.json"]


def test_nothing_is_written_where_the_receipt_cannot_be(ground: Ground) -> None:
    path = ground.settings(THEIRS)
    blocker = ground.home / "file"
    blocker.write_text("")
    ground.env["RINGWALL_HOME"] = str(blocker / "state")
    with pytest.raises(StateError):
        putting_in(ground, Scope.PROJECT).apply()
    assert path.read_text() == THEIRS


def test_what_works_against_it_is_told(ground: Ground) -> None:
    ground.settings(THEIRS)
    local = ground.settings('{\n  "disableAllHooks": true\n}', "settings.local.json")
    put_in(ground, Scope.USER)
    told = [str(text) for text in putting_in(ground, Scope.PROJECT).notices]
    assert any(f"{local}:2:22: disableAllHooks" in line for line in told)
    assert any("another PreToolUse hook" in line for line in told)
    assert any("judged twice" in line for line in told)


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("'/opt/ring wall/ringwall-hook' claude", True),
        ("/usr/bin/python3 -I -S /x/ringwall/daemon/client.py claude", True),
        ("ringwall-hook-not claude", False),
        ("echo 'about ringwall-hook'", False),
        ("it's broken", False),
        ("", False),
    ],
)
def test_whose_a_command_is(command: str, ours: bool) -> None:
    assert is_ours(command) is ours


def test_settings_that_go_into_a_repository_are_pointed_out(ground: Ground) -> None:
    def told(scope: Scope) -> list[str]:
        return [str(text) for text in putting_in(ground, scope).notices]

    assert told(Scope.PROJECT) == []
    (ground.project / ".git").mkdir()
    assert any("--scope local" in line for line in told(Scope.PROJECT))
    assert told(Scope.LOCAL) == []
