"""What an ACP agent asks its client for, as a tool call."""

from __future__ import annotations

from typing import Any

import pytest

from ringwall.gateways.acp_calls import PERMISSION, READ, TERMINAL, WRITE, Unclear, Wanted, wanted

HERE = "/p"


def asked(**call: Any) -> Wanted:
    return wanted(PERMISSION, {"toolCall": call}, HERE)


def test_a_command_is_a_command_whatever_the_request_calls_itself() -> None:
    for kind in ("execute", "read", "think", "other"):
        assert asked(kind=kind, rawInput={"command": "git push"}) == Wanted(
            "Bash", {"command": "git push"}, HERE
        )
    both = asked(kind="execute", rawInput={"command": "ls", "commands": ["ls", "rm -rf x"]})
    assert both.input["command"] == "ls\nrm -rf x"
    words = asked(kind="execute", rawInput={"command": ["echo", "a b"], "cwd": "sub"})
    assert (words.input["command"], words.cwd) == ("echo 'a b'", "/p/sub")


def test_a_command_is_judged_with_its_words_and_its_variables() -> None:
    for name in ("args", "arguments", "argv"):
        assert asked(kind="execute", rawInput={"command": "git", name: ["push", "-f"]}).input == {
            "command": "git push -f"
        }
    smuggled = asked(kind="execute", rawInput={"command": "echo", "args": ["hi; git push"]})
    assert smuggled.input["command"].splitlines() == ["echo hi; git push", "echo 'hi; git push'"]
    assert asked(rawInput={"command": "git", "args": "push -f"}).input == {"command": "git push -f"}
    assert asked(rawInput={"command": ["git"], "args": ["push"]}).input == {"command": "git push"}
    set_first = asked(rawInput={"command": "git log", "env": {"GIT_PAGER": "sh x"}})
    assert set_first.input == {"command": "GIT_PAGER='sh x' git log"}


def test_a_command_deep_in_a_request_is_one_also_where_it_calls_itself_a_look() -> None:
    deep = asked(
        kind="read",
        locations=[{"path": "/p/a"}],
        rawInput={"path": "/p/a", "input": [{"command": "git push", "cwd": "sub"}]},
    )
    assert (deep.tool, deep.input, deep.cwd) == ("Bash", {"command": "git push"}, "/p/sub")


def test_a_title_alone_is_judged_but_never_known_to_be_all() -> None:
    only = asked(kind="execute", title="git push")
    assert (only.tool, only.input, only.exact) == ("Bash", {"command": "git push"}, False)
    other = asked(kind="other", title="Make coffee!", rawInput={"cups": 2})
    assert (other.tool, other.input, other.exact) == ("mcp__acp__Make_coffee", {"cups": 2}, False)


def test_files() -> None:
    edit = asked(kind="edit", content=[{"type": "diff", "path": "/p/a", "newText": "x"}])
    assert edit == Wanted("Write", {"file_path": "/p/a", "content": "x"}, HERE)
    assert asked(kind="read", locations=[{"path": "/etc/shadow"}]).input == {"file_path": "/etc/shadow"}
    gone = asked(kind="delete", rawInput={"path": "/p/a"}, locations=[{"path": "/p/b"}])
    assert gone == Wanted("mcp__acp__delete_files", {"paths": ["/p/b", "/p/a"]}, HERE)
    assert asked(kind="edit").exact is False
    written = wanted(WRITE, {"path": "/p/a", "content": ""}, HERE)
    assert written == Wanted("Write", {"file_path": "/p/a", "content": ""}, HERE)
    assert wanted(READ, {"path": "/p/a"}, HERE).tool == "Read"


def test_a_terminal_is_judged_as_a_shell_and_as_a_program_would_read_it() -> None:
    plain = wanted(TERMINAL, {"command": "git", "args": ["status"]}, HERE)
    assert plain.input == {"command": "git status"}
    smuggled = wanted(TERMINAL, {"command": "echo", "args": ["hi; git push"]}, HERE)
    assert smuggled.input["command"].splitlines() == ["echo hi; git push", "echo 'hi; git push'"]
    with_env = wanted(
        TERMINAL, {"command": "ls", "cwd": "/q", "env": [{"name": "LD_PRELOAD", "value": "/x y.so"}]}, HERE
    )
    assert (with_env.input["command"], with_env.cwd) == ("LD_PRELOAD='/x y.so' ls", "/q")


@pytest.mark.parametrize(
    ("method", "given"),
    [
        (PERMISSION, {}),
        (PERMISSION, {"toolCall": {"rawInput": {"command": 7}}}),
        (PERMISSION, {"toolCall": {"rawInput": {"command": ["ls", 7]}}}),
        (PERMISSION, {"toolCall": {"rawInput": {"command": "ls", "args": [7]}}}),
        (PERMISSION, {"toolCall": {"rawInput": {"command": "ls", "args": {"a": "b"}}}}),
        (PERMISSION, {"toolCall": {"rawInput": {"command": "ls", "env": ["A=b"]}}}),
        (WRITE, {"path": "", "content": "x"}),
        (WRITE, {"path": "/p/a", "content": "x", "Path": "/p/b"}),
        (PERMISSION, {"toolCall": {"rawInput": {"command": "ls"}}, "toolcall": {}}),
        (WRITE, {"path": "/p/a", "content": None}),
        (TERMINAL, {"command": "ls", "args": "x"}),
        (TERMINAL, {"command": "ls", "cwd": "sub"}),
        (TERMINAL, {"command": "ls", "env": [{"name": "a b", "value": ""}]}),
        (TERMINAL, {"command": "ls", "env": {"A": "b"}}),
    ],
)
def test_what_cannot_be_read_is_refused(method: str, given: dict[str, Any]) -> None:
    with pytest.raises(Unclear):
        wanted(method, given, HERE)
