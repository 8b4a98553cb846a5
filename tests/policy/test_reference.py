"""docs/policy.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policy.world import PLACES, loaded, read_command
from ringwall.gate.limits import LIMITS
from ringwall.model.effects import EFFECTS
from ringwall.policy import presets
from ringwall.policy.load import LayerFiles
from ringwall.policy.rule_text import read_rule
from ringwall.policy.source import PolicyFile
from ringwall.policy.toml_file import KEYS

TEXT = (Path(__file__).parents[2] / "docs" / "policy.md").read_text(encoding="utf-8")


def block(language: str) -> bytes:
    found = re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert found
    return found[1].encode()


def section(title: str) -> str:
    return TEXT.partition(f"\n{title}\n")[2].partition("\n## ")[0]


def test_the_examples_load() -> None:
    files = LayerFiles(
        PolicyFile("ringwall.toml", block("toml")), PolicyFile("permissions.json", block("json"))
    )
    assert not loaded(user=files).problems


def test_every_form_of_a_rule_is_one() -> None:
    forms = section("### Forms of a rule").partition("\n### ")[0]
    rules = [
        rule for row in re.findall(r"^\| (`.*?) \|", forms, re.M) for rule in re.findall(r"`([^`]+)`", row)
    ]
    assert len(rules) > 20
    for rule in rules:
        read_rule(rule.replace("…", "x"), PLACES, read_command, allowing=False)


@pytest.mark.parametrize("name", sorted(EFFECTS))
def test_every_effect_is_listed_with_an_example(name: str) -> None:
    row = re.search(rf"^\| `{re.escape(name)}` \| (.+) \| `(.+)` \|$", section("## Effects"), re.M)
    assert row
    assert row[1] == str(EFFECTS[name].meaning)
    assert row[2].replace("\\|", "|") == EFFECTS[name].example


def test_every_key_preset_limit_and_ask_is_listed() -> None:
    for key in KEYS:
        assert f"`{key}`" in TEXT or f"[{key}]" in TEXT, key
    for name in presets.NAMES:
        assert f"| `{name}`" in section("## Presets"), name
    for name in LIMITS:
        assert f"| `{name}` | `limits.{name.replace('.', '_')}`" in section("## Limits"), name
    for rule in presets.preset_layer("guarded").rules:
        assert f"`{rule.ref.text[7:-1]}`" in section("## Presets"), rule.ref.text


def test_every_code_of_a_problem_is_listed() -> None:
    source = Path(presets.__file__).parent
    codes = set()
    for file in source.glob("*.py"):
        codes |= set(
            re.findall(r'(?:problems\.add|self\.problem|RuleFault|JsonProblem)\(\s*"(\w+)"', file.read_text())
        )
    assert len(codes) > 12
    for code in codes:
        assert f"`policy.{code}`" in TEXT, code
