"""Every row of the tool tables keeps what its examples promise."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from ringwall.model.action import ToolCall
from ringwall.policy.rule_text import READERS, TOOLS, WRITERS
from ringwall.tools.classify import to_action
from ringwall.tools.effects import effects_of
from ringwall.tools.table import builtin_rows, mcp_name, mcp_table

from .conftest import ROOT, PaperMachine


def _examples(key: str) -> Iterator[str]:
    for name in ("builtin.toml", "mcp.toml"):
        table = tomllib.loads((files("ringwall.tools") / name).read_text("utf-8"))
        for row in [*table["tool"], table.get("verbs", {})]:
            yield from row.get(key, ())


def _holds(example: str, machine: PaperMachine) -> bool:
    call, _, wanted = example.rpartition(" => ")
    tool, _, values = call.partition(" ")
    name, _, target = wanted.partition(" ")
    action = to_action(ToolCall("claude", tool, json.loads(values), cwd=ROOT))
    return any(
        effect.name == name and target in ("", effect.target, effect.target.removeprefix(f"{ROOT}/"))
        for effect in effects_of(action, machine).effects
    )


@pytest.mark.parametrize("example", list(_examples("match")))
def test_a_row_has_the_effect_of_its_example(example: str, machine: PaperMachine) -> None:
    assert _holds(example, machine)


@pytest.mark.parametrize("example", list(_examples("no_match")))
def test_a_row_does_not_have_the_effect_it_excludes(example: str, machine: PaperMachine) -> None:
    assert not _holds(example, machine)


def test_every_row_has_an_example() -> None:
    for name in ("builtin.toml", "mcp.toml"):
        table = tomllib.loads((files("ringwall.tools") / name).read_text("utf-8"))
        for row in table["tool"]:
            assert row.get("match"), row["names"]


def test_no_name_stands_in_two_rows() -> None:
    table = tomllib.loads((files("ringwall.tools") / "builtin.toml").read_text("utf-8"))
    names = [name for row in table["tool"] for name in row["names"]]
    assert sorted(names) == sorted(builtin_rows())


def test_every_tool_that_a_rule_may_name_has_a_row() -> None:
    assert (READERS | WRITERS | TOOLS) - builtin_rows().keys() == set()


def test_verbs_are_of_one_kind() -> None:
    verbs = mcp_table().verbs
    assert not verbs.read & verbs.write and not verbs.write & verbs.destroy and not verbs.read & verbs.destroy
    assert verbs.leading <= verbs.read | verbs.write | verbs.destroy


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("mcp__github__get_me", ("github", "get_me")),
        ("mcp__a__b__c", ("a", "b__c")),
        ("mcp__github", None),
        ("mcp____x", None),
        ("Bash", None),
    ],
)
def test_the_name_of_an_mcp_tool(name: str, parts: tuple[str, str] | None) -> None:
    assert mcp_name(name) == parts
