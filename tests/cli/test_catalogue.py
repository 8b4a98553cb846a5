"""Languages: which one, and that each of them says everything."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ringwall.cli.catalogue import language, show, translate
from ringwall.model.text import msg

from .conftest import Program

SCRIPT = Path(__file__).parents[2] / "scripts" / "catalogue.py"


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_Hans"),
        ({"LANG": "zh-Hans"}, "zh_Hans"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "ru_RU", "LC_MESSAGES": "zh_CN"}, "zh_Hans"),
        ({"LANG": "ru_RU", "LC_ALL": "C"}, "en"),
        ({"LC_ALL": "C", "RINGWALL_LANG": "ru"}, "ru"),
        ({"RINGWALL_LANG": "", "LANG": "ru"}, "ru"),
    ],
)
def test_the_language_of_an_environment(environment: dict[str, str], wanted: str) -> None:
    assert language(environment) == wanted


def test_an_unknown_text_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGWALL_LANG", "ru")
    assert translate("never translated") == "never translated"
    assert translate("") == ""
    assert show(msg("a {b} c", b="{x}")) == "a {x} c"


@pytest.fixture(scope="module")
def catalogue() -> ModuleType:
    pytest.importorskip("babel")
    spec = importlib.util.spec_from_file_location("ringwall_catalogue_script", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["ru", "zh_Hans"])
def test_every_text_is_translated_with_the_same_placeholders(catalogue: ModuleType, name: str) -> None:
    assert list(catalogue.faults(name)) == []


def test_the_texts_of_policies_are_collected(catalogue: ModuleType) -> None:
    assert "a secret would be read" in {message.id for message in catalogue.collected()}


def test_help_is_in_the_readers_language(ringwall: Program) -> None:
    russian = ringwall("--help", RINGWALL_LANG="ru").stdout
    chinese = ringwall("init", "--help", RINGWALL_LANG="zh_Hans").stdout
    assert "Usage" not in russian and "Использование" in russian
    assert "Usage" not in chinese and "用法" in chinese


def test_errors_are_in_the_readers_language(ringwall: Program) -> None:
    told = ringwall("nosuch", RINGWALL_LANG="ru").stderr
    assert "nosuch" in told and "No such" not in told
