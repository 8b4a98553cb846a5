"""Edits of JSON text touch nothing but the entry."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.json_tree import Array, Node, Object, read
from ringwall.setup.json_edit import add_item, add_member, remove_child

TEXTS = [
    '{"a": 1}',
    '{"a":1,"b":[1,2]}\n',
    '{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}',
    '{\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}\r\n',
    '\ufeff{\n  "a": "ü \\u00fc"\n}\n\n',
    '{ "a" : 1 ,\n "b": 2 }',
]


def root(text: str) -> Object:
    node = read(text, "f")
    assert isinstance(node, Object)
    return node


@pytest.mark.parametrize("text", TEXTS)
def test_a_member_added_and_removed_leaves_no_trace(text: str) -> None:
    longer = add_member(text, root(text), "z", {"k": [True, {"deep": None}]})
    assert json.loads(longer.removeprefix("\ufeff"))["z"] == {"k": [True, {"deep": None}]}
    assert remove_child(longer, root(longer), len(root(longer).members) - 1) == text


@pytest.mark.parametrize("text", ["[1]", "[\n  1,\n  2\n]\n", "[]", '[\n\t{"a": 1}\n]'])
def test_an_item_added_and_removed_leaves_no_trace(text: str) -> None:
    node = read(text, "f")
    assert isinstance(node, Array)
    longer = add_item(text, node, {"x": 1})
    grown = read(longer, "f")
    assert isinstance(grown, Array)
    assert json.loads(longer)[-1] == {"x": 1}
    assert remove_child(longer, grown, len(grown.items) - 1) == text


@pytest.mark.parametrize("index", [0, 1, 2])
def test_any_entry_can_go(index: int) -> None:
    text = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n'
    left = {key: value for key, value in json.loads(text).items() if key != "abc"[index]}
    assert json.loads(remove_child(text, root(text), index)) == left


def test_the_indentation_of_the_file_is_kept() -> None:
    text = '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'
    inner = root(text).get("a")
    assert isinstance(inner, Object)
    expected = '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": [\n\t\t\t2\n\t\t]\n\t}\n}\n'
    assert add_member(text, inner, "c", [2]) == expected


def test_the_line_ends_of_the_file_are_kept() -> None:
    text = '{\r\n  "a": 1\r\n}\r\n'
    longer = add_member(text, root(text), "b", {"c": 1})
    assert "\n" not in longer.replace("\r\n", "")


@given(
    st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.integers()), min_size=1),
    st.sampled_from([None, 2, 4, "\t"]),
    st.data(),
)
def test_removing_keeps_all_the_rest(
    value: dict[str, object], indent: int | None, data: st.DataObject
) -> None:
    text = json.dumps(value, indent=indent)
    index = data.draw(st.integers(0, len(value) - 1))
    gone = list(value)[index]
    left = {key: kept for key, kept in value.items() if key != gone}
    assert json.loads(remove_child(text, root(text), index)) == left


def test_an_entry_is_one_node_of_the_tree() -> None:
    node: Node = root('{"a": [1, {"b": 2}]}')
    assert isinstance(node, Object)
    assert (node.start, node.end) == (0, 20)
