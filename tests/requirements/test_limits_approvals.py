"""L-07 … L-12 and L-18: what a limit leads to, and that no click opens it for good."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ringwall.approvals.grants import Scope
from ringwall.approvals.proposal import State
from ringwall.journal.read import Filter, read
from ringwall.judge import standing
from ringwall.judge.desk import Desk, Yes, refusal
from ringwall.judge.judge import Judge
from ringwall.model.canonical import digest_bytes
from ringwall.model.errors import UsageError
from ringwall.model.verdict import Verdict
from ringwall.policy.pattern_for import Refused, pattern_for
from ringwall.shell.analyse import command_pattern
from ringwall.store.paths import StateDir
from shell.world import World, analysed

from .test_limits import ALLOWED, AUTO, GIT, PRIVILEGED, judged

ANN = "person:ann"


class Workplace:
    """A judge and a desk over one state, in auto mode with everything allowed that rules can allow."""

    def __init__(self, root: Path) -> None:
        self.project = root / "project"
        self.project.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.project)], check=True)
        self.environ = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}
        self.judge = Judge(StateDir(str(root / "state")))
        self.desk = Desk(StateDir(str(root / "state")))

    def ask(self, command: str) -> str:
        payload = {
            "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(self.project),
            "permission_mode": "bypassPermissions", "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": "c1",
        }  # fmt: skip
        reply = self.judge.hook("claude", json.dumps(payload).encode(), self.environ)
        return str(json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecision"])

    def yes(self, number: int, scope: Scope = Scope.ONCE, rule: str = "") -> None:
        self.desk.approve(Yes(number, self.desk.one(number).binding, ANN, scope=scope, rule=rule))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workplace]:
    home = tmp_path / "home"
    config = home / ".config" / "ringwall"
    config.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_ENTRYPOINT", "RINGWALL_HEADLESS"):
        monkeypatch.delenv(name, raising=False)
    (config / "ringwall.toml").write_text('preset = "auto"\n[autonomy]\n"*" = "auto_approve"\n')
    (config / "permissions.json").write_text(
        '{"permissions": {"allow": ["Bash(git push:*)", "Bash(sudo:*)"]}}'
    )
    made = Workplace(tmp_path)
    yield made
    made.judge.close()
    made.desk.close()


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
def test_L_07_the_limit_leads_to_a_pending_proposal_that_the_log_shows(place: Workplace, text: str) -> None:
    assert place.ask(text) == "ask"
    (waiting,) = place.desk.pending()
    assert waiting.content["input"]["command"] == text
    with place.desk.store.reading() as connection:
        (opened,) = read(connection, Filter(type="proposal.opened"))
        (decision,) = read(connection, Filter(type="decision"))
    assert opened.content()["number"] == waiting.number
    assert opened.content()["decision"] == decision.id


@pytest.mark.parametrize("text", ["git push", "sudo true"])
def test_L_08_nothing_runs_before_a_person_has_decided(place: Workplace, text: str) -> None:
    assert [place.ask(text) for _ in range(3)] == ["ask"] * 3
    place.desk.reject(1, place.desk.one(1).binding, ANN, "no")
    assert place.ask(text) == "deny"


@pytest.mark.parametrize("text", GIT + PRIVILEGED + ["npm test && git push", "echo a | sudo tee b"])
def test_L_09_no_allow_pattern_is_recorded(place: Workplace, text: str) -> None:
    assert isinstance(pattern_for(analysed(text), World().places, command_pattern), Refused)
    place.ask(text)
    for rule in (f"Bash({text})", "Bash(git push:*)", "Bash(sudo:*)", "Bash"):
        for scope in (Scope.SESSION, Scope.PROJECT):
            with pytest.raises(UsageError):
                place.yes(1, scope, rule)
    assert place.desk.grants() == ()
    assert place.desk.one(1).state is State.PENDING


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
def test_L_10_the_refusal_says_why(place: Workplace, text: str) -> None:
    place.ask(text)
    refused = place.desk.offer(place.desk.one(1))
    assert isinstance(refused, Refused)
    told = refusal(refused)
    assert "a person decides each time" in str(told.what)
    assert "Approve this one call" in str(told.repair)
    alone = pattern_for(analysed(text), World().places, command_pattern)
    assert isinstance(alone, Refused) and "decided by a person each time" in str(alone.reason)


@pytest.mark.parametrize("text", ["git push", "sudo true"])
def test_L_11_this_instance_can_still_be_approved(place: Workplace, text: str) -> None:
    place.ask(text)
    place.yes(1)
    assert [place.ask(text) for _ in range(2)] == ["allow", "ask"]


@pytest.mark.parametrize("text", GIT + PRIVILEGED)
def test_L_12_the_limit_and_the_refusal_hold_together(place: Workplace, text: str) -> None:
    """Auto mode, matching allow rules and a click on always-allow: alone or together they open nothing."""
    assert judged(text, AUTO).verdict is Verdict.ASK
    assert judged(text, ALLOWED).verdict is Verdict.ASK
    place.ask(text)
    with pytest.raises(UsageError, match=r"approvals\.no_rule"):
        place.yes(1, Scope.PROJECT, f"Bash({text})")
    place.yes(1)
    assert place.ask(text) == "allow"
    assert place.ask(text) == "ask"


def test_L_18_what_turns_a_denial_into_a_question_needs_the_owner(place: Workplace) -> None:
    """A project that loosens (its own allow rules, a laxer preset) waits until a person has seen and trusted
    exactly those bytes."""
    rules = place.project / ".ringwall" / "permissions.json"
    rules.parent.mkdir()
    (place.project / ".ringwall" / "ringwall.toml").write_text('preset = "auto"\n')
    user = Path(os.environ["HOME"]) / ".config" / "ringwall"
    (user / "ringwall.toml").write_text('preset = "guarded"\n')
    (user / "permissions.json").unlink()
    rules.write_text('{"permissions": {"allow": ["Bash(pkill:*)"]}}')
    assert place.ask("pkill -f vite") == "ask"
    with place.judge.journal.writing() as entry:
        for file in rules.parent.iterdir():
            standing.trust(entry, str(file), digest_bytes(file.read_bytes()))
    later = Judge(StateDir(str(place.project.parent / "state")))
    place.judge.close()
    place.judge = later
    assert place.ask("pkill -f vite") == "allow"
    with later.store.reading() as connection:
        assert len(list(read(connection, Filter(type="policy.trusted")))) == 2
