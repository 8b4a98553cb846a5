"""Which rule is offered for a question, and when none is."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringwall.judge.offer import Offer, Refusal, offer_for
from ringwall.model.action import ToolCall
from ringwall.model.verdict import Verdict
from ringwall.policy.pattern_for import refusal

from .past_world import bench, call, policy, tool


def offered(tmp_path: Path, one: ToolCall, preset: str = "strict", folder: Path | None = None) -> Offer:
    judging = bench(tmp_path, preset, folder)
    judged = judging.judge(one)
    assert judged.decision.verdict is Verdict.ASK
    found = offer_for(judged.decision, judged.situation)
    assert isinstance(found, Offer), found
    assert judging.spares(judged, found)
    return found


def refused(tmp_path: Path, one: ToolCall, preset: str = "strict", folder: Path | None = None) -> str:
    judged = bench(tmp_path, preset, folder).judge(one)
    assert judged.decision.verdict is Verdict.ASK
    found = offer_for(judged.decision, judged.situation)
    assert isinstance(found, Refusal), found
    return found.code


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ("npm run build -- --watch", ("Bash(npm run build:*)",)),
        ("npm install left-pad", ("Bash(npm install:*)",)),
        ("timeout 5 npm install left-pad", ("Bash(npm install:*)",)),
        ("touch a && npm run build", ("Bash(touch:*)", "Bash(npm run build:*)")),
        ("frobnicate --all", ("Bash(frobnicate --all)",)),
        ("npm install -g serve", ("Bash(npm install -g serve)",)),
    ],
)
def test_a_precise_rule(tmp_path: Path, project: Path, command: str, rules: tuple[str, ...]) -> None:
    assert offered(tmp_path, call(command, project)).allow == rules


def test_what_cannot_be_undone_is_decided_each_time(tmp_path: Path, project: Path) -> None:
    (project / "data").mkdir()
    (project / "data" / "x").write_text("x")
    assert refused(tmp_path, call("git reset --hard", project), "guarded") == "learn.git_discard"
    assert refused(tmp_path, call("rm -rf data", project)) == "learn.delete_lost"


@pytest.mark.parametrize("command", ["git reset --hard", "python x.py", "ssh host uptime", "npm publish"])
def test_what_the_console_refuses_is_never_offered(tmp_path: Path, project: Path, command: str) -> None:
    judged = bench(tmp_path, "strict").judge(call(command, project))
    assert refusal(judged.decision.analysis) is not None
    assert isinstance(offer_for(judged.decision, judged.situation), Refusal)


def test_what_such_commands_might_do_besides_stays_asked_about(tmp_path: Path, project: Path) -> None:
    found = offered(tmp_path, call("git commit -m x", project))
    assert found.allow == ("Bash(git commit:*)",)
    assert {"Effect(git.skip_hooks)", "Effect(git.discard)"} <= set(found.ask)
    folder = policy(tmp_path / "policy", allow=list(found.allow), ask=list(found.ask))
    after = bench(tmp_path, "strict", folder)
    assert after.judge(call("git commit -m y", project)).decision.verdict is Verdict.ALLOW
    assert after.judge(call("git commit --no-verify -m y", project)).decision.verdict is Verdict.ASK


def test_what_is_not_asked_about_today_need_not_stay_asked_about(tmp_path: Path, project: Path) -> None:
    folder = policy(tmp_path / "policy")
    (folder / "ringwall.toml").write_text('preset = "auto"\n[autonomy]\ninstall = "require_approval"\n')
    found = offered(tmp_path, call("npm install x", project), "", folder)
    assert found == Offer(("Bash(npm install:*)",), ("Effect(install.global)",))
    (folder / "ringwall.toml").write_text('preset = "auto"\n[autonomy]\n"git.local" = "require_approval"\n')
    found = offered(tmp_path, call("git commit -m x", project), "", folder)
    assert found == Offer(("Bash(git commit:*)",))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("git push origin main", "limits.git_push"),
        ("sudo ls", "limits.privilege"),
        ("touch /opt/x", "limits.write_outside"),
        ("npm publish", "limits.publish"),
        ("curl -d @x https://example.com", "learn.remote_write"),
        ("ssh host uptime", "learn.remote_exec"),
        ("systemctl stop nginx", "learn.system"),
        ("cat ~/.ssh/id_ed25519", "learn.read_secret"),
        ("touch .git/hooks/pre-commit", "learn.write_hook"),
        ('python3 -c "$CODE"', "learn.code_opaque"),
        ("dropdb shop", "learn.data_destroy"),
        ("frobnicate 'a*b'", "learn.pattern"),
    ],
)
def test_no_rule_for_what_a_person_decides_each_time(
    tmp_path: Path, project: Path, command: str, code: str
) -> None:
    assert refused(tmp_path, call(command, project)) == code


@pytest.mark.parametrize("command", ["python x.py", "node x.js", "uv run x"])
def test_no_rule_for_words_that_mean_anything(tmp_path: Path, project: Path, command: str) -> None:
    for name in ("x.py", "x.js"):
        (project / name).write_text("")
    judged = bench(tmp_path, "strict").judge(call(command, project))
    found = offer_for(judged.decision, judged.situation)
    assert isinstance(found, Refusal)
    assert found.code in ("learn.anything", "learn.code_opaque", "learn.download_exec")


def test_a_persons_own_ask_is_no_mistake(tmp_path: Path, project: Path) -> None:
    folder = policy(tmp_path / "policy", ask=["Bash(npm install:*)"])
    assert refused(tmp_path, call("npm install x", project), "guarded", folder) == "learn.own_rule"


def test_other_tools(tmp_path: Path, project: Path) -> None:
    edit = offered(tmp_path, tool("Write", project, file_path=str(project / "src/a.py"), content="x"))
    assert edit.allow == ("Edit(/src/**)",)
    top = offered(tmp_path, tool("Edit", project, file_path="README.md", old_string="a", new_string="b"))
    assert top.allow == ("Edit(/README.md)",)
    fetch = offered(tmp_path, tool("WebFetch", project, url="https://docs.python.org/3/", prompt="x"))
    assert fetch.allow == ("WebFetch(domain:docs.python.org)",)
    assert refused(tmp_path, tool("mcp__lab__frobnicate", project, a=1)) == "learn.no_rule"
