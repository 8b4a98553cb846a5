"""What is shown hides nothing and is measured in cells."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.cli.visible import cells, visible, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u202eb", "a\\u202eb"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("no\u00a0break", "no\\xa0break"),
        ("\U000e0041", "\\U000e0041"),
        ("rm\u3164x", "rm\\u3164x"),
        ("\u115f\uffa0\u2800", "\\u115f\\uffa0\\u2800"),
        ("a\ufe00\U000e0100", "a\\ufe00\\U000e0100"),
        ("a\u034f\u180b", "a\\u034f\\u180b"),
        ("\ud800", "\\ud800"),
        ("构建", "构建"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_hidden_characters_stand_as_escapes(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_nothing_hidden_is_left(text: str) -> None:
    shown = visible(text)
    assert not {unicodedata.category(each) for each in shown.replace("\n", "")} & {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    }
    shown.encode()


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("构建", 4), ("e\u0301", 1), ("ｆ", 2)])
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


@given(st.text(alphabet="ab 构建，\n"), st.integers(8, 40))
def test_wrapped_rows_fit_and_lose_nothing(text: str, width: int) -> None:
    rows = wrap(text, width)
    assert all(cells(row) <= width + 1 for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())


def test_words_are_kept_whole() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
