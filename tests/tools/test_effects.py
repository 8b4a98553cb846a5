"""Every tool call has an analysis, and what decides and cannot be read is a doubt."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringwall.model.action import ToolCall
from ringwall.model.analysis import Analysis
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of
from ringwall.tools.table import builtin_rows

from .conftest import ROOT, PaperMachine


def analysed(tool: str, values: Any, machine: PaperMachine | None = None, cwd: str = ROOT) -> Analysis:
    return effects_of(to_action(ToolCall("claude", tool, values, cwd=cwd)), machine or PaperMachine())


def names(analysis: Analysis) -> set[str]:
    return {effect.name for effect in analysis.effects}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
TOOLS = [*builtin_rows(), "mcp__filesystem__write_file", "mcp__db__query", "mcp__x__run_command", "Nonesuch"]
FIELDS = [
    "command",
    "file_path",
    "path",
    "pattern",
    "url",
    "prompt",
    "script",
    "paths",
    "sql",
    "notebook_path",
]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(TOOLS),
    st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=6), json_values, max_size=4),
)
def test_any_input_gets_an_analysis(tool: str, values: dict[str, Any]) -> None:
    analysis = analysed(tool, values)
    assert analysis.effects or analysis.doubts or tool in ("Bash", "Monitor")


@pytest.mark.parametrize("value", [None, 7, ["git", "push"], {"a": 1}], ids=str)
@pytest.mark.parametrize(
    ("tool", "field"),
    [
        ("Bash", "command"),
        ("Monitor", "command"),
        ("Read", "file_path"),
        ("Write", "file_path"),
        ("WebFetch", "url"),
    ],
)
def test_a_decisive_field_of_the_wrong_type_is_a_doubt(tool: str, field: str, value: Any) -> None:
    assert "unreadable" in {doubt.code for doubt in analysed(tool, {field: value}).doubts}
    assert "unreadable" in {doubt.code for doubt in analysed(tool, {}).doubts}


def test_a_list_without_a_path_is_a_doubt() -> None:
    assert [doubt.code for doubt in analysed("Grep", {"path": []}).doubts] == ["unreadable"]


def test_powershell_is_never_read_as_bash() -> None:
    analysis = analysed("PowerShell", {"command": "echo hi"})
    assert [doubt.code for doubt in analysis.doubts] == ["not_bash"]
    assert "observe" not in names(analysis)


def test_a_relative_path_without_a_known_directory_may_be_anywhere() -> None:
    (effect,) = analysed("Write", {"file_path": "a.txt"}, cwd="").effects
    assert (effect.name, effect.certain) == ("write.outside", False)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:7357/approve", "http://localhost:7357/", "http://[::1]:7357/", "http://2130706433:7357/",
        "http://0.0.0.0:7357/", "http://x.localhost:7357/", "HTTP://LOCALHOST:7357/", "http://user@127.0.0.1:7357/",
    ],
)  # fmt: skip
def test_ringwalls_own_server_is_ringwall(url: str) -> None:
    assert "write.governor" in names(analysed("WebFetch", {"url": url, "prompt": "x"}))


def test_another_port_is_not_ringwall() -> None:
    assert names(analysed("WebFetch", {"url": "http://127.0.0.1:8000/", "prompt": "x"})) == {"network.read"}


def test_a_file_address_is_a_file() -> None:
    assert "read.outside" in names(analysed("WebFetch", {"url": "file:///etc/hosts", "prompt": "x"}))


def test_brackets_in_a_file_name_are_no_glob() -> None:
    (effect,) = analysed("Write", {"file_path": "pages/[id].tsx"}).effects
    assert (effect.name, effect.target) == ("write", f"{ROOT}/pages/[id].tsx")


def test_a_link_is_what_it_is_called_and_what_it_leads_to() -> None:
    class Linked(PaperMachine):
        def resolve(self, path: str) -> str | None:
            return path.replace(f"{ROOT}/here", "/home/dev/there")

    found = analysed("Write", {"file_path": "here/a.txt"}, Linked()).effects
    assert {effect.target for effect in found} == {f"{ROOT}/here/a.txt", "/home/dev/there/a.txt"}
    assert "write.outside" in {effect.name for effect in found}


def test_the_span_of_a_field_covers_its_text() -> None:
    (effect,) = analysed("Write", {"file_path": "src/a.py"}).effects
    assert (effect.field, effect.span) == ("file_path", (0, 8))


def test_a_command_in_an_mcp_argument_is_read_as_one() -> None:
    analysis = analysed("mcp__terminal__exec", {"command": "cd src && git push"})
    assert {"git.push", "tool.unknown"} <= names(analysis)
    assert any(command.argv[:2] == ("git", "push") for command in analysis.commands)
    assert {effect.field for effect in analysis.effects if effect.name == "git.push"} == {"command"}


def test_too_many_arguments_are_a_doubt() -> None:
    analysis = analysed("mcp__x__get_all", {"ids": ["a"] * 5_000})
    assert [doubt.code for doubt in analysis.doubts] == ["too_many"]


@pytest.mark.parametrize(
    ("tool", "effect"),
    [
        ("mcp__slack__slack_post_message", "remote.write"),
        ("mcp__jira__issue_delete", "data.destroy"),
        ("mcp__x__fetch_and_delete", "data.destroy"),
        ("mcp__x__get_or_create", "remote.write"),
        ("mcp__x__listCommitsOfRelease", "observe"),
        ("mcp__x__deleteHTTPRoute", "data.destroy"),
        ("mcp__x__zzz", "tool.unknown"),
        ("mcp__x__", "tool.unknown"),
    ],
)
def test_verbs(tool: str, effect: str) -> None:
    assert effect in names(analysed(tool, {}))


@pytest.mark.parametrize(
    ("sql", "effect"),
    [
        ("SELECT * FROM a -- drop table a", "observe"),
        ("select 'drop table a'", "observe"),
        ("WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone", "data.destroy"),
        ("select 1; DROP TABLE a", "data.destroy"),
        ("SELECT * INTO b FROM a", "remote.write"),
    ],
)
def test_sql_is_judged_by_its_strictest_word(sql: str, effect: str) -> None:
    assert effect in names(analysed("mcp__db__query", {"sql": sql}))


@pytest.mark.parametrize(
    ("script", "effect", "certain"),
    [
        ("await agent('x')", "agent.spawn", True),
        ("const a = agent; await a('x')", "agent.spawn", True),
        ("for (const f of files) agent(f)", "agents.parallelize", False),
        ("await Promise.all([agent('a'), agent('b')])", "agents.parallelize", True),
        ("return `${parallel([])}`", "agents.parallelize", True),
        ("return \\u0061gent('x')", "code.opaque", True),
        ("eval('x')", "code.opaque", True),
        ("return 'never closed", "code.opaque", True),
    ],
)
def test_what_a_workflow_starts(script: str, effect: str, certain: bool) -> None:
    found = {(effect.name, effect.certain) for effect in analysed("Workflow", {"script": script}).effects}
    assert (effect, certain) in found


@pytest.mark.parametrize(
    "script", ["return 'parallel agent'", "/* agent */ return `parallel ${1} agent`", "return 1"]
)
def test_text_in_a_workflow_is_data(script: str) -> None:
    assert names(analysed("Workflow", {"script": script})) == {"code.run"}


def test_a_workflow_file_is_read() -> None:
    machine = PaperMachine({"/home/dev/shop/w.js": "await parallel([() => agent('a')])"})
    analysis = analysed("Workflow", {"scriptPath": "/home/dev/shop/w.js"}, machine)
    assert "agents.parallelize" in names(analysis)
