"""`ringwall acp wrap` between lines of a client and an agent that asks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import RINGWALL, Lab
from .raw import ANSWER, DRIVER, exchange

PROMPT = {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"sessionId": "s"}}
OPTIONS = [
    {"optionId": "always", "kind": "allow_always", "name": "Always"},
    {"optionId": "once", "kind": "allow_once", "name": "Once"},
    {"optionId": "no", "kind": "reject_once", "name": "No"},
]
ASKS = """echo '{"verdict":"ask","reason":"a person decides [limits.git_push]"}'"""


def permission(number: Any = 7, command: str = "git push", **call: Any) -> dict[str, Any]:
    given = {"kind": "execute", "title": command, "rawInput": {"command": command}, **call}
    params = {"sessionId": "s", "toolCall": {"toolCallId": "t", **given}, "options": OPTIONS}
    return {"jsonrpc": "2.0", "id": number, "method": "session/request_permission", "params": params}


def request(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 8, "method": method, "params": {"sessionId": "s", **params}}


def chose(number: Any, option: str) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": number,
        "result": {"outcome": {"outcome": "selected", "optionId": option}},
    }


def said(out: list[Any]) -> list[str]:
    return [one["method"] for one in out if "method" in one]


def outcome(arrived: list[Any]) -> Any:
    """What the agent was answered last."""
    return arrived[-1]["result"]["outcome"]


def run(root: Path, asks: dict[str, Any], verdict: str, *then: Any) -> Any:
    """What comes of an agent that asks something when it is prompted, and notes each answer."""
    script = {"session/prompt": [asks], "answer": [{"jsonrpc": "2.0", "method": "noted"}]}
    return exchange(root, [PROMPT, *then], script, verdict, kind="acp", waits=1)


def test_a_yes_is_for_once(tmp_path: Path) -> None:
    allowed = run(tmp_path, permission(), """echo '{"verdict":"allow","reason":""}'""")
    assert said(allowed.out) == ["noted"]
    assert outcome(allowed.arrived) == {"outcome": "selected", "optionId": "once"}


def test_a_no_is_told_to_the_person(tmp_path: Path) -> None:
    denied = run(tmp_path, permission(), "echo 'not this' >&2; exit 2", ANSWER)
    assert said(denied.out) == ["session/update", "noted"]
    assert "not this" in denied.out[0]["params"]["update"]["content"]["text"]
    assert outcome(denied.arrived) == {"outcome": "selected", "optionId": "no"}


def test_what_is_only_a_title_is_left_to_the_client(tmp_path: Path) -> None:
    vague = permission(rawInput=None)
    asked = run(tmp_path, vague, """echo '{"verdict":"allow","reason":""}'""", ANSWER, chose(7, "once"))
    assert said(asked.out) == ["session/request_permission", "noted"]


def test_a_question_reaches_the_person_with_the_reason_and_without_always(tmp_path: Path) -> None:
    asked = run(tmp_path, permission(), ASKS, ANSWER, chose(7, "once"))
    (shown,) = [one for one in asked.out if one.get("method") == "session/request_permission"]
    assert [one["kind"] for one in shown["params"]["options"]] == ["allow_once", "reject_once"]
    assert "limits.git_push" in shown["params"]["toolCall"]["content"][0]["content"]["text"]
    assert outcome(asked.arrived) == {"outcome": "selected", "optionId": "once"}
    (tmp_path / "x").mkdir()
    forged = run(tmp_path / "x", permission(), ASKS, ANSWER, chose(7, "always"))
    assert outcome(forged.arrived) == {"outcome": "cancelled"}


@pytest.mark.parametrize(("option", "arrives"), [("ringwall-yes", True), ("ringwall-no", False)])
def test_for_a_file_or_a_terminal_the_gateway_asks_itself(tmp_path: Path, option: str, arrives: bool) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(
        "import json, sys\n"
        f"print(json.dumps({request('terminal/create', command='git', args=['push'])!r}), flush=True)\n"
        "for line in sys.stdin:\n    open('agent.log', 'a').write(line)\n"
    )
    (tmp_path / "client").write_text(f"#!/bin/sh\ncat > asked.$$\n{ASKS}\n")
    (tmp_path / "client").chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER, "acp", "-", str(tmp_path / "client"), sys.executable, str(agent)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    question = json.loads(process.stdout.readline())
    assert question["method"] == "session/request_permission"
    assert question["params"]["toolCall"]["rawInput"] == {"command": "git push"}
    process.stdin.write(json.dumps(chose(question["id"], option)).encode() + b"\n")
    process.stdin.flush()
    if arrives:
        assert json.loads(process.stdout.readline())["method"] == "terminal/create"
    out, _ = process.communicate(timeout=30)
    assert out == b""
    if not arrives:
        (refused,) = map(json.loads, (tmp_path / "agent.log").read_text().splitlines())
        assert "did not allow it" in refused["error"]["message"]
    reported = [json.loads(path.read_text())["event"] for path in tmp_path.glob("asked.*")]
    assert sorted(reported) == (["after_call", "before_call"] if arrives else ["before_call"])


def test_by_the_real_judge(lab: Lab) -> None:
    """An agent asks to look, to push, and to undo Ringwall; nobody sits at the editor."""
    asks = [permission(1, "ls"), permission(2, "git push"), permission(3, "ringwall off --for 1h")]
    agent = lab.root / "agent.py"
    agent.write_text(
        "import json, sys\n"
        "opened = json.loads(sys.stdin.readline())\n"
        "answer = {'jsonrpc': '2.0', 'id': opened['id'], 'result': {'sessionId': 's'}}\n"
        "print(json.dumps(answer), flush=True)\n"
        f"for ask in {asks!r}:\n"
        "    print(json.dumps(ask), flush=True)\n"
        "    line = sys.stdin.readline()\n"
        "    noted = {'jsonrpc': '2.0', 'method': 'answered', 'params': json.loads(line)}\n"
        "    print(json.dumps(noted), flush=True)\n"
    )
    opening = {"jsonrpc": "2.0", "id": 0, "method": "session/new", "params": {"cwd": str(lab.project)}}
    process = subprocess.Popen(
        [*RINGWALL, "acp", "wrap", "--headless", "--", sys.executable, str(agent)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=lab.project, env=lab.environ,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(opening).encode() + b"\n")
    process.stdin.flush()
    out = [json.loads(process.stdout.readline()) for _ in range(6)]
    process.communicate(timeout=30)
    answers = [
        one["params"]["result"]["outcome"]["optionId"] for one in out if one.get("method") == "answered"
    ]
    assert answers == ["once", "no", "no"]
    told = " ".join(json.dumps(one) for one in out if one.get("method") == "session/update")
    assert "proposal 1" in told and "selfguard" in told
    decisions = [record.content() for record in lab.journalled("decision")]
    assert [(one["host"], one["cwd"], one["verdict"]) for one in decisions] == [
        ("acp", str(lab.project), verdict) for verdict in ("allow", "ask", "deny")
    ]
