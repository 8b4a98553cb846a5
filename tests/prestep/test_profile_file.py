"""Profiles as files: the shipped ones are whole, a faulty one is an error with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prestep.world import ROOT, shop
from ringwall.model.errors import PolicyError
from ringwall.model.step import PROFILES, USER, Message, Step
from ringwall.prestep.injections import Switches, injections
from ringwall.prestep.markers import body_of
from ringwall.prestep.profile import Keyword
from ringwall.prestep.profile_file import MOST_BYTES, read_profile, shipped

OURS = """\
signs = ["[shop]"]

[harness]
text = "[shop] {root} lacks {missing}."
separator = ", "

[[harness.signals]]
directory = "docs/decisions"
missing = "decisions"

[[harness.signals]]
file = "AGENTS.md"
heading = "# Ways"
missing = "our ways"

[role]
hint = "[shop] Act as {role}."
question = "[shop] As whom?"

[[role.roles]]
name = "baker"
keywords = ["Bread", { word = "bun" }]
"""


@pytest.mark.parametrize("name", PROFILES)
def test_a_shipped_profile_is_whole_and_takes_no_role_from_its_own_words(name: str) -> None:
    profile = shipped(name)
    told = list(injections(Step(messages=(Message(USER, "?"),)), ROOT, profile, Switches(), shop()))
    assert len(told) == 2
    own = Step(messages=tuple(Message(USER, text) for text in told))
    assert list(injections(own, "/", profile, Switches(), shop())) == []
    assert [role.name for role in profile.role.roles] == ["admin", "qa", "analyst", "dev"]
    assert [signal.path for signal in profile.harness.signals] == ["openspec", ".codegraph", "CLAUDE.md"]


@pytest.mark.parametrize(
    ("name", "text", "role"),
    [
        ("en", "Write a test for the basket", "dev"),
        ("en", "Open a PR.", "dev"),
        ("en", "Show me the latest preview", None),
        ("en", "What is the greatest inspection?", None),
        ("en", "Plan the sprint in Jira and test it", "admin"),
        ("zh", "提交PR", "dev"),
        ("zh", "给购物车写测试", "dev"),
        ("zh", "在 Jira 里安排冲刺", "admin"),
        ("zh", "打开preview", None),
    ],
)
def test_roles_of_the_other_languages(name: str, text: str, role: str | None) -> None:
    profile = shipped(name)
    [told] = injections(Step(messages=(Message(USER, text),)), "/", profile, Switches(), shop())
    assert told == (profile.role.question if role is None else profile.role.hint.replace("{role}", role))


def test_a_project_writes_its_own() -> None:
    profile = read_profile("prestep.toml", OURS.encode())
    step = Step(messages=(Message(USER, "Bake a bun"),))
    assert list(injections(step, ROOT, profile, Switches(), shop())) == [
        f"[shop] {ROOT} lacks decisions, our ways.",
        "[shop] Act as baker.",
    ]
    assert profile.role.roles[0].keywords == (Keyword("bread"), Keyword("bun", alone=True))


def test_what_is_not_written_comes_from_the_profile_that_it_extends() -> None:
    role = OURS[OURS.index("[role]") :]
    profile = read_profile("prestep.toml", f'extends = "ru"\n{role}'.encode())
    assert profile.harness == shipped("ru").harness
    assert profile.signs == shipped("ru").signs
    assert [role.name for role in profile.role.roles] == ["baker"]


@pytest.mark.parametrize(
    ("before", "after", "code", "line"),
    [
        ("[role]", "[role", "toml_syntax", 16),
        ('separator = ", "', 'separater = ", "', "wrong_shape", 3),
        ('name = "baker"', "name = 3", "wrong_shape", 21),
        ('keywords = ["Bread"', 'keywords = [""', "wrong_shape", 22),
        ("{root} lacks {missing}", "{root} lacks {mising}", "placeholder", 4),
        ("Act as {role}", "Act", "placeholder", 17),
        ("As whom?", "As {role}?", "placeholder", 18),
        ('directory = "docs/decisions"', 'directory = "../elsewhere"', "signal", 7),
        ('directory = "docs/decisions"', 'directory = "/etc"', "signal", 7),
        ('heading = "# Ways"\n', "", "signal", 11),
        ('heading = "# Ways"', 'heading = "Ways"', "signal", 11),
        ('signs = ["[shop]"]', 'extends = "fr"', "unknown_profile", 1),
        (OURS[OURS.index("[role]") :], "", "incomplete", 0),
        (OURS, OURS + '[[role.roles]]\nname = "baker"\nkeywords = ["roll"]\n', "role", 23),
        (OURS, OURS + "#" * MOST_BYTES, "too_long", 0),
    ],
)
def test_a_fault_is_told_with_its_place(before: str, after: str, code: str, line: int) -> None:
    assert before in OURS
    with pytest.raises(PolicyError) as raised:
        read_profile(".ringwall/prestep.toml", OURS.replace(before, after, 1).encode())
    assert raised.value.code == f"prestep.{code}"
    where = f".ringwall/prestep.toml:{line}" if line else ".ringwall/prestep.toml"
    assert raised.value.where == where or raised.value.where.startswith(f"{where}:")


def test_what_is_not_utf8_is_no_profile() -> None:
    with pytest.raises(PolicyError, match=r"prestep\.not_utf8"):
        read_profile("prestep.toml", b'signs = ["\xff"]')


DOCS = (Path(__file__).parents[2] / "docs" / "prestep.md").read_text(encoding="utf-8")


def test_the_profile_in_the_documentation_is_one() -> None:
    [own] = [block for block in re.findall(r"```toml\n(.*?)```", DOCS, re.DOTALL) if "extends" in block]
    profile = read_profile("prestep.toml", own.encode())
    assert [role.name for role in profile.role.roles] == ["baker", "seller"]
    assert len(profile.harness.signals) == 2


def test_the_hint_in_the_documentation_stands_under_its_marker() -> None:
    assert body_of(shipped("en").role.hint.replace("{role}", "dev")) in DOCS
