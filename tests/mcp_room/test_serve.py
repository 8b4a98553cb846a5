"""`ringwall mcp serve`, as a process, asked by the SDK's client."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ringwall.mcp.tools import tools
from ringwall.store.paths import StateDir

from .conftest import RINGWALL, talk

SERVE = [*RINGWALL, "mcp", "serve"]


def test_it_lists_its_tools_and_answers(project: Path, environ: dict[str, str], tmp_path: Path) -> None:
    async def dialogue(client: Any) -> Any:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        status = await client.call_tool("status", {})
        push = await client.call_tool("check", {"command": "git push"})
        looked = await client.call_tool("check", {"tool": "Read", "input": {"file_path": "a.txt"}})
        explained = await client.call_tool("explain", {"command": "git push --force"})
        why = await client.call_tool("why", {})
        both = await client.call_tool("check", {"command": "ls", "tool": "Read"})
        unknown = await client.call_tool("check", {"comand": "ls"})
        return listed, status, push, looked, explained, why, both, unknown

    listed, status, push, looked, explained, why, both, unknown = talk(SERVE, project, environ, dialogue)
    assert set(listed) == set(tools())
    assert listed["check"].annotations.read_only_hint and listed["check"].input_schema["type"] == "object"
    assert status.structured_content["project"] == str(project)
    assert status.structured_content["preset"] == "guarded"
    assert (push.structured_content["verdict"], push.structured_content["code"]) == ("ask", "limits.git_push")
    assert push.content[0].text.startswith("ask [limits.git_push]") and not push.is_error
    assert looked.structured_content["verdict"] == "allow"
    assert "effect git.push.force" in explained.content[0].text
    assert why.is_error and "holds no such decision" in why.content[0].text
    assert both.is_error and "mcp.no_call" in both.content[0].text
    assert unknown.is_error and "comand" in unknown.content[0].text
    assert not (tmp_path / "state").exists()


def test_without_the_library_it_says_how_to_get_it(project: Path, environ: dict[str, str]) -> None:
    blocked = (
        "import sys; sys.modules['mcp'] = None; sys.modules['mcp_types'] = None\n"
        "from ringwall.cli.main import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked, "mcp", "serve"],
        cwd=project, env=environ, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 2 and not done.stdout
    assert "pip install 'ringwall[mcp]'" in done.stderr


@pytest.mark.parametrize("name", sorted(tools()))
def test_each_tool_says_what_it_takes(name: str) -> None:
    tool = tools()[name]
    assert tool.description.endswith(".")
    assert tool.schema["type"] == "object" and tool.schema["additionalProperties"] is False
    assert all("description" in field for field in tool.schema["properties"].values())


def test_a_state_that_cannot_be_read_is_a_failed_answer(
    project: Path, environ: dict[str, str], state: StateDir
) -> None:
    Path(state.database).write_bytes(b"no database at all" * 100)

    async def dialogue(client: Any) -> Any:
        return await client.call_tool("status", {}), await client.call_tool("check", {"command": "ls"})

    status, check = talk(SERVE, project, environ, dialogue)
    assert status.is_error and check.is_error
