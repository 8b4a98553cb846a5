"""Clients and servers that break the rules: nothing of it opens anything."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ringwall.gateways.relay import Relay
from ringwall.gateways.wrapping import named_by, server_name
from ringwall.model.errors import UsageError

from .raw import ALLOWS, ANSWER, exchange

LIST = {"jsonrpc": "2.0", "id": "list", "method": "tools/list"}
LISTED = {"tools/list": ['{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"echo"}]}}'],
          "tools/call": ['{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}']}  # fmt: skip


def call(number: Any, tool: str = "echo", **arguments: Any) -> dict[str, Any]:
    given = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": given}


def methods(arrived: list[Any]) -> list[str]:
    return [one["method"] for one in arrived]


def test_lines_that_are_no_message_go_nowhere(tmp_path: Path) -> None:
    inner = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo"}}'
    wrong = [
        "no json at all",
        f"[{inner}]",
        '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"echo"}}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"echo"}}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","param\\u017f":{"name":"echo"}}',
        '{"jsonrpc":"1.0","id":1,"method":"tools/call"}',
        '{"jsonrpc":"2.0","id":true,"method":"tools/call"}',
        '{"jsonrpc":"2.0","id":1.0,"method":"tools/call"}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","result":{}}',
        '{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e999}}',
        "[" * 100_000,
        b'{"jsonrpc":"2.0","method":"\xff"}',
    ]
    done = exchange(tmp_path, wrong, {})
    assert done.arrived == []
    assert [one["id"] for one in done.out] == [None] * len(wrong)
    assert done.status == 0


@pytest.mark.parametrize("name", ["Name", "ARGUMENTS", "argument\u017f"])
def test_a_call_that_readers_without_regard_to_case_read_otherwise_goes_nowhere(
    tmp_path: Path, name: str
) -> None:
    two = call(1)
    two["params"][name] = {} if name != "Name" else "other"
    done = exchange(tmp_path, [LIST, ANSWER, two], LISTED, waits=1)
    assert methods(done.arrived) == ["tools/list"]
    assert done.answer(1)["error"]["code"] == -32602


def test_what_is_sent_on_is_one_line_for_every_reader(tmp_path: Path) -> None:
    hidden = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":\r{"x":"\xe2\x80\xa8\xc2\x85"}}'
    done = exchange(tmp_path, [hidden], {})
    assert done.arrived == [{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "\u2028\u0085"}}]
    assert (tmp_path / "arrived").read_bytes().isascii()
    assert b"\r" not in (tmp_path / "arrived").read_bytes()


def test_a_call_that_wants_no_answer_and_an_id_that_is_open_go_nowhere(tmp_path: Path) -> None:
    quiet = {name: value for name, value in call(1).items() if name != "id"}
    twice = {"jsonrpc": "2.0", "id": 5, "method": "resources/list"}
    done = exchange(tmp_path, [quiet, twice, twice], {})
    assert methods(done.arrived) == ["resources/list"]
    assert "wants no answer" in done.told
    assert done.out[0]["error"]["message"] == "Ringwall: this id is still open."


@pytest.mark.parametrize(
    "verdict",
    [f"echo '{ALLOWS}'; exit 2", "echo '{}'", "kill -9 $$",
     'echo \'{"verdict":"ask","reason":"a person decides"}\''],
)  # fmt: skip
def test_nothing_but_allow_lets_a_call_pass(tmp_path: Path, verdict: str) -> None:
    done = exchange(tmp_path, [LIST, ANSWER, call(1)], LISTED, verdict, waits=1)
    assert methods(done.arrived) == ["tools/list"]
    assert done.answer(1)["result"]["isError"] is True


def test_a_server_cannot_answer_what_it_was_not_asked(tmp_path: Path) -> None:
    early = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done without asking"}]}}'
    noise = ["not json", "[]", '{"jsonrpc":"2.0","id":7,"result":{},"result":{"tools":[]}}', early]
    listed = [*noise, *LISTED["tools/list"], *LISTED["tools/list"]]
    refused = "sleep 0.3; exit 2"
    asked = {"tools/list": listed, "ping": [early, *LISTED["tools/list"]]}
    ping = {"jsonrpc": "2.0", "method": "ping"}
    done = exchange(tmp_path, [LIST, ANSWER, call(1), ping], asked, refused, waits=1)
    assert done.answer(1)["result"]["isError"] is True
    assert len(done.out) == 2
    assert done.told.count("to nothing was dropped") == 3
    assert done.told.count("was dropped") == 7


def test_tools_that_share_a_name_or_have_none_are_left_out(tmp_path: Path) -> None:
    listed = [
        '{"name":"echo","description":"a"}', '{"name":"echo","description":"b"}', '{"name":"x\\u202ey"}',
        '{"description":"c"}', "7", '{"name":"half","description":"\\ud800"}',
        '{"name":"big","n":123456789012345678901}',
    ]  # fmt: skip
    tools = '{"jsonrpc":"2.0","id":$ID,"result":{"tools":[' + ",".join(listed) + "]}}"
    done = exchange(tmp_path, [LIST, ANSWER, call(1, "x\u202ey")], {"tools/list": [tools]}, waits=1)
    assert done.answer("list")["result"]["tools"] == [{"name": "echo", "description": "a"}]
    assert "list its tools first" in done.answer(1)["result"]["content"][0]["text"]


def test_a_list_that_never_ends_is_seen_first_only_once(tmp_path: Path) -> None:
    endless = '{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"t$ID"}],"nextCursor":"more"}}'
    first, second = ({"jsonrpc": "2.0", "id": number, "method": "tools/list"} for number in (1, 2))
    done = exchange(tmp_path, [first, ANSWER, second], {"tools/list": [endless]}, waits=1)
    assert done.answer(1)["result"]["tools"] == [{"name": "t1"}]
    assert done.answer(2)["result"]["tools"] == []
    assert "the description of t2 waits for a person (proposal 1)" in done.told


def test_the_death_of_the_server_is_told_to_all_who_wait(tmp_path: Path) -> None:
    script = {**LISTED, "tools/call": ["dies"]}
    waiting = {"jsonrpc": "2.0", "id": 2, "method": "resources/list"}
    done = exchange(tmp_path, [LIST, ANSWER, waiting, call(1)], script, waits=2)
    assert done.status == 4
    for number in (1, 2):
        assert "ended (exit status 4) before it answered" in done.answer(number)["error"]["message"]
    assert "ended (exit status 4) while the session went on" in done.told


def test_a_server_that_only_closes_its_output_is_ended(tmp_path: Path) -> None:
    done = exchange(tmp_path, [LIST, ANSWER, call(1)], {**LISTED, "tools/call": ["goes quiet"]}, waits=1)
    assert "ended (exit status -15)" in done.answer(1)["error"]["message"]
    assert done.status == 1


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    relay = Relay(["/nowhere/server"], {}, str(tmp_path), "lab")
    assert asyncio.run(relay.run(None)) == 127  # type: ignore[arg-type]


def test_the_name_of_a_server_in_rules(tmp_path: Path) -> None:
    assert named_by(["npx", "-y", "@modelcontextprotocol/server-github@1.2"]) == "server-github"
    assert named_by(["/opt/x/my server.py"]) == "my-server"
    assert named_by(["uv", "run", "notes"]) == "notes"
    for wrong in ("a__b", "_a", "a b", "ä"):
        with pytest.raises(UsageError):
            server_name(wrong, [])
