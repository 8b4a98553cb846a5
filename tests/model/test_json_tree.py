"""JSON with places: exactly JSON is read, and an error points at the fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.errors import PolicyError
from ringwall.model.json_tree import Array, Node, Object, read


def plain(node: Node) -> Any:
    if isinstance(node, Object):
        return {member.key: plain(member.value) for member in node.members}
    if isinstance(node, Array):
        return [plain(item) for item in node.items]
    return node.value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(json_values, st.sampled_from([None, 1, 3, "\t"]), st.booleans())
def test_reads_what_json_writes(value: object, indent: int | str | None, escaped: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    assert plain(read(text, "f")) == value


@given(st.text(alphabet='{}[]":,\\ \n1-.eu/*truefalsn', max_size=30))
def test_accepts_no_more_than_json_does(text: str) -> None:
    try:
        value = plain(read(text, "f"))
    except PolicyError:
        return
    assert json.loads(text) == value


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "f:1:1", "value is expected"),
        ('{\n  "a": 1\n  "b": 2\n}', "f:3:3", "comma or }"),
        ('{\n  "a": 1,\n}', "f:2:9", "after the last entry"),
        ('{"a": [1, 2,]}', "f:1:12", "after the last entry"),
        ('{\n  // note\n  "a": 1}', "f:2:3", "no comments"),
        ('{"a": 1} /* end */', "f:1:10", "no comments"),
        ("{'a': 1}", "f:1:2", "key in double"),
        ('{"a" 1}', "f:1:6", "colon"),
        ('{"a": 01}', "f:1:8", "comma or }"),
        ('{"a": "x\ny"}', "f:1:7", "value is expected"),
        ('{"a": 1}\n{"b": 2}', "f:2:1", "more text"),
        ('{"a": 1, "a": 2}', "f:1:10", "twice"),
        ('{"hooks": {', "f:1:12", "key in double"),
        ("[" * 1000, "f:1:65", "nested deeper"),
    ],
)
def test_an_error_has_place_and_cause(text: str, place: str, words: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read(text, "f")
    assert caught.value.where == place
    assert words in str(caught.value.what)
    assert str(caught.value.repair)


def test_a_byte_order_mark_is_skipped() -> None:
    assert plain(read('\ufeff{"a": 1}', "f")) == {"a": 1}
