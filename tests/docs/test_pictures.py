"""The pictures of the documentation show what the program prints today."""

from __future__ import annotations

import html
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 25


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ringwall_pictures", ROOT / "scripts" / "pictures.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def words(svg: str) -> str:
    """What stands in a picture; how it is drawn is the drawing library's."""
    found = re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)
    return "".join(html.unescape("".join(found)).split())


@pytest.mark.parametrize("form", ["light", "dark"])
def test_a_picture_is_up_to_date(pictures: ModuleType, form: str) -> None:
    for name in pictures.PICTURES:
        kept = (ROOT / "docs" / "images" / f"{name}-{form}.svg").read_text(encoding="utf-8")
        drawn = pictures.picture(name, pictures.THEMES[form])
        assert words(kept) == words(drawn), "out of date: run `make docs`"
        assert "gitpush" in words(kept)


def test_a_picture_is_short(pictures: ModuleType) -> None:
    for name in pictures.PICTURES:
        kept = (ROOT / "docs" / "images" / f"{name}-light.svg").read_text(encoding="utf-8")
        assert len(re.findall(r"<clipPath id=\"[^\"]*line-\d+\"", kept)) <= LONGEST
