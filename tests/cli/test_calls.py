"""Lines of JSON become calls, or a reason why not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.cli.calls import rows
from ringwall.model.errors import PayloadError


def one(line: bytes) -> Any:
    (row,) = rows([line], "/work")
    return row


def test_a_bare_command_is_a_bash_call() -> None:
    row = one(b'{"command": "ls", "id": 7}')
    assert (row.call.tool, row.call.input, row.call.cwd) == ("Bash", {"command": "ls"}, "/work")
    assert row.values["id"] == 7


def test_a_tool_call() -> None:
    row = one(b'{"tool": "Read", "input": {"file_path": "a"}, "cwd": "/x"}')
    assert (row.call.tool, row.call.input, row.call.cwd) == ("Read", {"file_path": "a"}, "/x")


def test_a_relative_directory_is_below_ours() -> None:
    assert one(b'{"command": "ls", "cwd": "sub"}').call.cwd == "/work/sub"


def test_a_decisive_field_of_the_wrong_type_is_still_a_call_to_be_judged() -> None:
    assert one(b'{"command": ["ls"]}').call.input == {"command": ["ls"]}


@pytest.mark.parametrize(
    "line",
    [
        b"not json", b"[]", b"7", b"{}", b'{"tool": 7}', b'{"tool": "Bash", "input": []}',
        b'{"command": "a", "cwd": 7}', b'{"command": "ls", "command": "rm -rf /"}', b'{"command": NaN}',
        b'{"command": "\xff"}', b"[" * 200_000,
        b'{"tool": "Bash", "input": {"command": "ls", "command": "rm"}}', b'{"tool": null, "command": "ls"}',
    ],
)  # fmt: skip
def test_anything_else_is_unreadable(line: bytes) -> None:
    row = one(line)
    assert row.call is None
    assert isinstance(row.error, PayloadError) and row.error.code == "input.unreadable"


def test_blank_lines_and_a_mark_of_byte_order_are_passed_over() -> None:
    lines = [b'\xef\xbb\xbf{"command": "a"}\r\n', b"\n", b"  \n", b'{"command": "b"}']
    assert [row.call.input["command"] for row in rows(lines, "/") if row.call] == ["a", "b"]


@given(st.binary())
def test_any_bytes_are_a_call_or_a_reason(line: bytes) -> None:
    for row in rows([line], "/"):
        assert (row.call is None) != (row.error is None)


@given(st.dictionaries(st.text(), st.integers()))
def test_the_keys_of_a_line_are_kept(extra: dict[str, int]) -> None:
    line = {**extra, "command": "ls"}
    if "tool" not in extra and "cwd" not in extra and "input" not in extra:
        assert one(json.dumps(line).encode()).values == line
