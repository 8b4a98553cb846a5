"""JSON for programs, which people look at as well."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.cli.output import json_text

UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.dictionaries(st.text(), st.text()))
def test_json_says_the_same_and_hides_nothing(value: dict[str, str]) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert not any(unicodedata.category(each) in UNSEEN for each in text)
    text.encode()


@pytest.mark.parametrize("unseen", ["\x9b31m", "\u202e", "\x7f", "\ud800", "\U000e0041"])
def test_what_a_terminal_would_act_on_is_escaped(unseen: str) -> None:
    text = json_text([unseen, "构建 é"])
    assert unseen[0] not in text and "构建 é" in text
