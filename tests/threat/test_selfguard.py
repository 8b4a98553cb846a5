"""What an agent does to Ringwall itself, and what it is told then."""

import json

import pytest

from ringwall.judge import standing

from .conftest import Ground

SETTINGS = ".claude/settings.json"


@pytest.mark.parametrize(
    "line",
    [
        "cp settings.json .claude/",
        "mv settings.json .claude",
        "git rm .ringwall/permissions.json",
        "git mv .ringwall x",
        "ln ~/.config/ringwall/permissions.json x",
        "nc -lU ~/.local/state/ringwall/daemon.sock",
        "claude --bare -p hi",
        "claude --settings loose.json -p hi",
    ],
)
def test_it_is_denied(ground: Ground, line: str) -> None:
    ground.write(SETTINGS, {})
    ground.write(".ringwall/permissions.json", {"permissions": {}})
    ground.write("~/.config/ringwall/permissions.json", {"permissions": {}})
    assert ground.verdict(line) == "deny"


@pytest.mark.parametrize(
    "line",
    ["cp -r evil/. .claude", "cp -r evil/.claude .", "unzip x.zip -d .claude", "tar xf x.tar -C .claude"],
)
def test_what_may_be_it_is_asked_about(ground: Ground, line: str) -> None:
    ground.write(SETTINGS, {})
    assert ground.verdict(line) == "ask"


@pytest.mark.parametrize("name", ["~/.claude/settings.json", "~/.config/ringwall/permissions.json"])
def test_a_registration_or_policy_is_guarded_under_its_real_name(ground: Ground, name: str) -> None:
    real = ground.write("dotfiles/real.json", {})
    (ground.home / name[2:]).symlink_to(real)
    assert ground.verdict(f"echo x > {real}") == "deny"
    assert ground.verdict(("Write", {"file_path": str(real), "content": "{}"})) == "deny"


def test_losing_the_home_is_told_before_losing_ringwall(ground: Ground) -> None:
    verdict, reason = ground.answer("rm -rf ~")
    assert verdict == "deny"
    assert "destroys the system, the home or the project" in reason
    assert reason.index("destroys") < reason.index("Ringwall's own files")


def test_losing_ringwall_alone_is_told_as_that(ground: Ground) -> None:
    verdict, reason = ground.answer("rm -rf ~/.config/ringwall")
    assert verdict == "deny" and "belongs to Ringwall itself" in reason


# ---- while a person has switched judging off


def _switch_off(ground: Ground) -> None:
    now = ground.judge.clock() // 10**9
    with ground.judge.journal.writing() as entry:
        standing.pause(entry, now, now + 600, "")
    ground.judge._standing = None


def test_switched_off_lets_everything_through_but_what_would_last(ground: Ground) -> None:
    ground.write(SETTINGS, {})
    _switch_off(ground)
    reply = ground.hook(tool_name="Bash", tool_input={"command": "git push --force"})
    assert json.loads(reply.stdout) == {}
    assert ground.verdict(f"echo {{}} > {SETTINGS}") == "deny"
    assert ground.verdict("ringwall off --for 1d") == "deny"


def test_switched_off_what_cannot_be_judged_is_let_through(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("ringwall.judge.judge.judge", broken)
    _switch_off(ground)
    reply = ground.hook(tool_name="Bash", tool_input={"command": "ls"})
    assert reply.exit == 0 and json.loads(reply.stdout) == {}
