"""Doctor tries what it says, and tells what would go wrong."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from ringwall.setup import check_claude, claude_settings, registering
from ringwall.setup.check import Check, Status
from ringwall.setup.doctor import examine
from ringwall.setup.init import Scope, plan_init
from setup.conftest import Ground

ALLOW = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'
DENY = ALLOW.replace("allow", "deny")
RIGHT = f"""case "$payload" in
*'rm -rf'*) echo '{DENY}' ;;
*'"}}') echo '{ALLOW}' ;;
*) echo broken >&2; exit 2 ;;
esac"""


def found(ground: Ground, name: str) -> list[Check]:
    checks = examine("claude", str(ground.project), ground.env).checks
    return [check for check in checks if check.name == name]


def one(ground: Ground, name: str) -> Check:
    [check] = found(ground, name)
    assert (check.repair is None) == (check.status is Status.OK)
    return check


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No administrator's settings; and no daemon to wait for, as the stand-ins below start none."""
    monkeypatch.setattr(claude_settings, "MANAGED", ())
    monkeypatch.setattr("ringwall.setup.doctor.DAEMON_SECONDS", 0)


@pytest.fixture
def client(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the hook client that answers as it should, registered."""
    path = ground.home / "ringwall-hook"
    behave(path, RIGHT)
    for module in (registering, check_claude):
        monkeypatch.setattr(module, "hook_client", lambda: (str(path),))
    for change in plan_init("claude", Scope.PROJECT, str(ground.project), ground.env):
        change.apply()
    return path


def behave(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\npayload=$(cat)\n{script}\n")
    path.chmod(0o755)


def claude(ground: Ground, version: str) -> None:
    program = ground.home / "claude"
    program.write_text(f"#!/bin/sh\necho {shlex.quote(version)}\n")
    program.chmod(0o755)
    ground.env["PATH"] = f"{ground.home}:{ground.env['PATH']}"


def test_all_is_well(ground: Ground, client: Path) -> None:
    claude(ground, "2.1.332 (Claude Code)")
    for name in ("host.program", "host.hooks", "state", "policy", "switch", "journal", "python", "package"):
        assert one(ground, name).status is Status.OK
    for name in ("probe.harmless", "probe.forbidden", "probe.crash"):
        assert one(ground, name).status is Status.OK


@pytest.mark.parametrize(
    ("script", "harmless", "forbidden", "crash"),
    [
        (f"echo '{ALLOW}'", Status.OK, Status.FAIL, Status.FAIL),
        (f"echo '{DENY}'", Status.WARN, Status.OK, Status.FAIL),
        (f"echo hello; echo '{DENY}'", Status.FAIL, Status.FAIL, Status.FAIL),
        ("exit 1", Status.FAIL, Status.FAIL, Status.FAIL),
        ("exit 2", Status.FAIL, Status.OK, Status.OK),
        ("echo '{}'", Status.FAIL, Status.FAIL, Status.FAIL),
        ("kill -9 $$", Status.FAIL, Status.FAIL, Status.FAIL),
    ],
)
def test_the_probes_tell_what_the_hook_really_does(
    ground: Ground, client: Path, script: str, harmless: Status, forbidden: Status, crash: Status
) -> None:
    behave(client, script)
    assert one(ground, "probe.harmless").status is harmless
    assert one(ground, "probe.forbidden").status is forbidden
    assert one(ground, "probe.crash").status is crash
    assert not examine("claude", str(ground.project), ground.env).ok


def test_the_probe_is_what_stands_in_the_settings(ground: Ground, client: Path) -> None:
    path = ground.project / ".claude" / "settings.json"
    path.write_text(path.read_text().replace(str(client), str(ground.home / "gone" / "ringwall-hook")))
    assert one(ground, "probe.harmless").status is Status.FAIL
    assert all(check.status is Status.FAIL for check in found(ground, "host.hooks"))


def test_hooks_that_are_not_there(ground: Ground) -> None:
    check = one(ground, "host.hooks")
    assert check.status is Status.FAIL
    assert "ringwall init" in str(check.repair)
    assert found(ground, "probe.harmless") == []


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('"onFailure": "block"', '"onFailure": "allow"', "let the call run"),
        ('"matcher": "*"', '"matcher": "Bash"', "covers only Bash"),
        ('"PermissionRequest"', '"Notification"', "PermissionRequest is missing"),
    ],
)
def test_hooks_that_were_changed(ground: Ground, client: Path, before: str, after: str, words: str) -> None:
    path = ground.project / ".claude" / "settings.json"
    path.write_text(path.read_text().replace(before, after))
    told = found(ground, "host.hooks")
    assert all(check.status is Status.FAIL for check in told)
    assert any(words in str(check.what) for check in told)


def test_hooks_that_are_switched_off(ground: Ground, client: Path) -> None:
    ground.settings('{"disableAllHooks": true}', "settings.local.json")
    assert one(ground, "host.disabled").status is Status.FAIL


def test_hooks_that_an_administrator_does_not_let_run(
    ground: Ground, client: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managed = ground.home / "managed-settings.json"
    monkeypatch.setattr(claude_settings, "MANAGED", (str(managed),))
    managed.write_text('{"allowManagedHooksOnly": true}')
    assert one(ground, "host.managed_only").status is Status.FAIL
    managed.write_text((ground.project / ".claude" / "settings.json").read_text())
    assert found(ground, "host.managed_only") == []


def test_settings_that_are_not_json(ground: Ground, client: Path) -> None:
    path = ground.settings('{"a": 1,}', "settings.local.json")
    check = one(ground, "host.settings")
    assert check.status is Status.FAIL
    assert f"{path}:1:8" in str(check.what)


@pytest.mark.parametrize(
    ("version", "status"),
    [("2.1.295 (Claude Code)", Status.OK), ("2.1.294 (Claude Code)", Status.FAIL), ("what?", Status.FAIL)],
)
def test_the_version_of_the_host(ground: Ground, version: str, status: Status) -> None:
    claude(ground, version)
    assert one(ground, "host.program").status is status


def test_a_host_that_is_not_on_path_is_a_warning(ground: Ground) -> None:
    ground.env["PATH"] = str(ground.home)
    assert one(ground, "host.program").status is Status.WARN


def test_a_state_directory_that_cannot_be_used(ground: Ground, client: Path) -> None:
    (ground.home / "file").write_text("")
    ground.env["RINGWALL_HOME"] = str(ground.home / "file" / "state")
    assert one(ground, "state").status is Status.FAIL
    ground.env["RINGWALL_HOME"] = "relative"
    assert one(ground, "state").status is Status.FAIL


def test_a_policy_that_is_not_valid_or_not_trusted(ground: Ground) -> None:
    folder = ground.project / ".ringwall"
    folder.mkdir()
    (folder / "permissions.json").write_text('{"permissions": {"allow": ["Bash(make deploy)"]}}')
    assert one(ground, "policy.trust").status is Status.WARN
    (folder / "permissions.json").write_text(json.dumps({"permissions": {"allow": ["NoSuchTool"]}}))
    assert one(ground, "policy").status is Status.FAIL
