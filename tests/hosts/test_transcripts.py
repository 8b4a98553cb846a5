"""Transcripts of hosts: which calls they tell of, and what became of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hosts.attended import attend
from hosts.stage import Stage, bash, call, lane
from ringwall.hosts.transcripts import told as shapes
from ringwall.hosts.transcripts.read import MOST_STRANGE, read
from ringwall.hosts.transcripts.told import End, Told, Unread
from ringwall.model.verdict import Verdict

Json = dict[str, Any]


def events(*lines: Json | bytes | None) -> list[Told | Unread]:
    return list(read(json.dumps(line).encode() + b"\n" if isinstance(line, dict) else line for line in lines))


def calls(*lines: Json | bytes | None) -> list[Told]:
    found = events(*lines)
    assert [one for one in found if isinstance(one, Unread)] == []
    return [one for one in found if isinstance(one, Told)]


# ---- Claude Code


def use(command: str = "make", call_id: str = "t1", **more: Any) -> Json:
    block = {"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": command}}
    return {"type": "assistant", "message": {"content": [block]}, "cwd": "/w", "sessionId": "s", **more}


def result(text: Any = "ok", error: bool = False, call_id: str = "t1", **more: Any) -> Json:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": error}
    return {"type": "user", "message": {"content": [block]}, "sessionId": "s", **more}


def decided(decision: str, source: str) -> Json:
    return {"permissionDecision": {"decision": decision, "source": source}}


def hook(word: str, command: str = "/opt/ringwall-hook claude") -> Json:
    stdout = json.dumps({"hookSpecificOutput": {"permissionDecision": word}})
    told = {"type": "hook_success", "hookEvent": "PreToolUse", "toolUseID": "t1", "command": command}
    return {"type": "attachment", "attachment": {**told, "stdout": stdout}}


def test_a_call_with_its_place_and_mode() -> None:
    prompt = {"type": "user", "message": {"content": "do it"}, "permissionMode": "plan", "sessionId": "s"}
    [told] = calls(prompt, use("git status", agentId="a7"), result())
    assert (told.call.tool, told.call.input) == ("Bash", {"command": "git status"})
    assert (told.call.cwd, told.call.session, told.call.mode) == ("/w", "s", "plan")
    assert (told.call.agent, told.call.depth, told.line) == ("a7", 1, 2)


@pytest.mark.parametrize(
    ("ending", "end", "asked"),
    [
        (result(), End.RAN, False),
        (result("Exit code 1", True), End.FAILED, False),
        (result(**decided("accept", "hook")), End.RAN, False),
        (result(**decided("accept", "user_temporary")), End.RAN, True),
        (result("boom", True, **decided("accept", "user_permanent")), End.FAILED, True),
        (result("not now", True, **decided("reject", "user_reject")), End.REFUSED, True),
        (result("no", True, **decided("reject", "config")), End.DENIED, False),
        (result("The user doesn't want to proceed with this tool use. STOP", True), End.REFUSED, True),
        (result("Claude requested permissions to use Bash, but", True), End.DENIED, True),
        (result("PreToolUse:Bash hook error: no", True), End.DENIED, False),
        (result("no", True, toolDenialKind="permission-rule"), End.DENIED, False),
        (result([{"type": "text", "text": "fine"}]), End.RAN, False),
    ],
)
def test_how_a_call_ended(ending: Json, end: End, asked: bool) -> None:
    [told] = calls(use(), ending)
    assert (told.end, told.asked) == (end, asked)


def test_what_a_tool_prints_is_no_word_of_the_host() -> None:
    [told] = calls(
        use(), result("The user doesn't want to proceed with this tool use", **decided("accept", "hook"))
    )
    assert (told.end, told.asked, told.verdict) == (End.RAN, False, None)
    [told] = calls(use(), result("Ringwall denies this: x", True))
    assert (told.end, told.verdict) == (End.FAILED, None)


def test_ringwalls_own_verdict() -> None:
    [told] = calls(use(), hook("ask"), result(**decided("accept", "user_temporary")))
    assert (told.verdict, told.asked) == (Verdict.ASK, True)
    [told] = calls(use(), hook("allow"), result())
    assert (told.verdict, told.asked) == (Verdict.ALLOW, False)
    denied = result("PreToolUse:Bash hook error: Ringwall denies this: x", True, **decided("reject", "hook"))
    [told] = calls(use(), denied)
    assert (told.verdict, told.end) == (Verdict.DENY, End.DENIED)


def test_another_hooks_ask_is_a_question_but_no_verdict_of_ours() -> None:
    [told] = calls(use(), hook("ask", "/opt/other"), result())
    assert (told.verdict, told.asked) == (None, True)


def test_a_call_without_a_result_is_told_at_the_end() -> None:
    [told] = calls(use())
    assert told.end is End.UNKNOWN


def test_calls_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MOST_OPEN", 2)
    found = calls(*(use(call_id=f"t{number}") for number in range(4)), result(call_id="t3"))
    assert [(told.call.call_id, told.end) for told in found] == [
        ("t0", End.UNKNOWN), ("t1", End.UNKNOWN), ("t3", End.RAN), ("t2", End.UNKNOWN)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        b'{"type": "assistant", "message": {"con\n',
        b"\xff\xfe\n",
        b"[]\n",
        b'{"type": "user", "cwd": 7}\n',
        b'{"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "x", "name": "B"}]}}\n',
        b'{"type": "user", "message": ' + b"[" * 5000 + b"]" * 5000 + b"}\n",
        None,
    ],
    ids=["cut", "bytes", "list", "newer", "no input", "deep", "too long"],
)
def test_a_line_that_cannot_be_read_is_reported_and_the_others_are_read(line: bytes | None) -> None:
    found = events(use("first", "t1"), result(), line, use("second", "t2"), result(call_id="t2"))
    assert [one.line for one in found if isinstance(one, Unread)] == [3]
    assert [one.call.input["command"] for one in found if isinstance(one, Told)] == ["first", "second"]


def test_lines_of_other_kinds_hold_nothing() -> None:
    assert (
        calls({"type": "summary", "summary": "x"}, {"type": "brand-new", "sessionId": "s", "x": 1}, b"\n")
        == []
    )


def test_a_file_that_is_no_transcript_is_left_alone_after_a_while() -> None:
    found = events(*({"a": 1} for _ in range(MOST_STRANGE * 3)))
    assert len(found) == MOST_STRANGE
    assert all(isinstance(one, Unread) for one in found)


# ---- Codex

META: Json = {"type": "session_meta", "payload": {"id": "c1", "cwd": "/w"}}


def function(name: str, values: Json, call_id: str = "k1", **more: Any) -> Json:
    told = {"type": "function_call", "name": name, "arguments": json.dumps(values), "call_id": call_id}
    return {"type": "response_item", "payload": {**told, **more}}


def output(text: Any, call_id: str = "k1") -> Json:
    return {
        "type": "response_item",
        "payload": {"type": "function_call_output", "call_id": call_id, "output": text},
    }


def item(status: str, words: list[str], call_id: str = "k1") -> Json:
    done = {
        "type": "CommandExecution",
        "id": call_id,
        "command": words,
        "cwd": "file:///w/a%20b",
        "status": status,
    }
    return {"type": "event_msg", "payload": {"type": "item_completed", "item": done}}


@pytest.mark.parametrize(
    ("name", "values", "command", "cwd"),
    [
        ("exec_command", {"cmd": "ls -l"}, "ls -l", "/w"),
        ("exec_command", {"cmd": "ls", "workdir": "sub"}, "ls", "/w/sub"),
        ("exec_command", {"cmd": "ls", "workdir": "/x"}, "ls", "/x"),
        ("exec_command", {"cmd": "ls", "shell": "/bin/bash"}, "ls", "/w"),
        ("exec_command", {"cmd": "ls", "shell": "python3"}, "python3 -c ls", "/w"),
        ("shell_command", {"command": "git diff"}, "git diff", "/w"),
        ("shell", {"command": ["bash", "-lc", "a && b"], "workdir": "/x"}, "a && b", "/x"),
        ("shell", {"command": ["rm", "my file"]}, "rm 'my file'", "/w"),
    ],
)
def test_commands_of_codex_are_taken_as_they_run(name: str, values: Json, command: str, cwd: str) -> None:
    [told] = calls(META, function(name, values), output("Process exited with code 0\n"))
    assert (told.call.host, told.call.tool) == ("codex", "Bash")
    assert (told.call.input, told.call.cwd, told.call.session) == ({"command": command}, cwd, "c1")


def test_other_tools_of_codex() -> None:
    patch = {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch", "call_id": "k1"}
    found = calls(
        META,
        {"type": "response_item", "payload": patch},
        output("Exit code: 0\n"),
        function("echo", {"text": "x"}, "k2", namespace="mcp__lab__"),
        function("mcp__lab__echo", {"text": "x"}, "k3"),
    )
    assert [told.call.tool for told in found] == ["apply_patch", "mcp__lab__echo", "mcp__lab__echo"]
    assert found[0].call.input == {"command": "*** Begin Patch"}


@pytest.mark.parametrize(
    ("text", "end", "asked"),
    [
        ("Chunk ID: 1\nProcess exited with code 0\nOutput:\n", End.RAN, False),
        ("Chunk ID: 1\nProcess exited with code 2\nOutput:\n", End.FAILED, False),
        ('{"output":"x","metadata":{"exit_code":1}}', End.FAILED, False),
        ("Command blocked by PreToolUse hook: no. Command: ls", End.DENIED, False),
        ("exec command rejected by user", End.REFUSED, True),
        ("unsupported call: frob", End.FAILED, False),
        ({"content": "fine", "success": True}, End.RAN, False),
    ],
)
def test_how_a_call_of_codex_ended(text: Any, end: End, asked: bool) -> None:
    [told] = calls(META, function("exec_command", {"cmd": "ls"}), output(text))
    assert (told.end, told.asked, told.verdict) == (end, asked, None)


def test_what_codex_did_counts_more_than_what_was_printed() -> None:
    lines = (META, function("exec_command", {"cmd": "ls"}), item("declined", ["bash", "-lc", "ls"]))
    [told] = calls(*lines, output("Process exited with code 0"), item("failed", ["bash", "-lc", "ls"]))
    assert (told.end, told.asked) == (End.REFUSED, True)


def test_a_command_that_code_started_is_a_call_of_its_own() -> None:
    [told] = calls(META, item("completed", ["/bin/bash", "-lc", "echo hi"], "z9"))
    assert (told.call.input, told.call.cwd, told.end) == ({"command": "echo hi"}, "/w/a b", End.RAN)


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "function_call", "name": "exec_command", "arguments": "{", "call_id": "k"},
        {"type": "function_call", "name": "exec_command", "arguments": "[]", "call_id": "k"},
        {"type": "function_call", "arguments": "{}", "call_id": "k"},
        {"type": "custom_tool_call", "name": "exec", "input": 7, "call_id": "k"},
        {"type": "function_call", "name": "f", "arguments": '{"x": "\\ud800"}', "call_id": "k"},
        {"type": "function_call", "name": 3, "call_id": "k"},
    ],
)
def test_a_call_of_codex_that_cannot_be_read_is_reported(payload: Json) -> None:
    found = events(
        META, {"type": "response_item", "payload": payload}, function("exec_command", {"cmd": "ls"})
    )
    assert [type(one) for one in found] == [Unread, Told]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
SOUND = (
    use(),
    result(),
    hook("ask"),
    META,
    function("shell", {"command": ["ls"]}),
    output("x"),
    item("failed", ["a"]),
)


@given(st.lists(st.tuples(st.sampled_from(SOUND), st.integers(0, 9), JSON), max_size=6), st.integers(0, 50))
def test_no_line_whatever_makes_reading_fail(lines: list[tuple[Json, int, Any]], cut: int) -> None:
    changed = [json.dumps(_changed(line, at, value)).encode() for line, at, value in lines]
    cut_off = [line[: len(line) - cut] for line in changed]
    for told in (*read(changed), *read(cut_off)):
        assert isinstance(told, Told | Unread)


def _changed(value: Any, at: int, by: Any) -> Any:
    """The same JSON with one value inside replaced."""
    if at == 0 or not isinstance(value, dict | list) or not value:
        return by
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    chosen = keys[at % len(keys)]
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[chosen] = _changed(copy[chosen], at // 2, by)
    return copy


# ---- a real session


@pytest.mark.xdist_group("real hosts")
def test_the_transcript_of_a_real_session(stage: Stage) -> None:
    script = lane("main", bash("echo hi"), bash("git push origin main"), bash("false"), bash("rm -rf .git"))
    stage.play(script, mode="bypassPermissions")
    [path] = _transcripts(stage)
    with path.open("rb") as lines:
        found = list(read(lines))
    assert [(one.call.input["command"], one.end.value, one.asked, one.verdict) for one in _told(found)] == [
        ("echo hi", "ran", False, Verdict.ALLOW),
        ("git push origin main", "denied", True, Verdict.ASK),
        ("false", "failed", False, Verdict.ALLOW),
        ("rm -rf .git", "denied", False, Verdict.DENY),
    ]
    assert {one.call.cwd for one in _told(found)} == {str(stage.project)}


@pytest.mark.xdist_group("real hosts")
@pytest.mark.parametrize(("answer", "end"), [("allow", End.RAN), ("deny", End.REFUSED)])
def test_a_persons_answer_in_a_real_transcript(bare_stage: Stage, answer: str, end: End) -> None:
    attend(bare_stage, lane("main", call("Bash", command="touch ran", description="x")), answer)
    [path] = _transcripts(bare_stage)
    with path.open("rb") as lines:
        [told] = _told(list(read(lines)))
    assert (told.end, told.asked, told.verdict) == (end, True, None)


def _transcripts(stage: Stage) -> list[Path]:
    return sorted((stage.home / ".claude" / "projects").rglob("*.jsonl"))


def _told(found: list[Told | Unread]) -> list[Told]:
    assert [one for one in found if isinstance(one, Unread)] == []
    return [one for one in found if isinstance(one, Told)]
