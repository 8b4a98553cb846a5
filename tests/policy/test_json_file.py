import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.policy.json_file import JsonProblem, Node, read_json
from ringwall.policy.source import PolicyFile


def plain(node: Node) -> object:
    if isinstance(node.value, list):
        return [plain(one) for one in node.value]
    if isinstance(node.value, dict):
        return {key: plain(one) for key, (_, one) in node.value.items()}
    return node.value


def read(text: str) -> Node:
    return read_json(PolicyFile("f.json", text.encode("utf-8", "surrogatepass")), text)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ('{"a": 1, "a": 2}', "json_duplicate_key", "f.json:1:10"),
        ('{"a": 1} x', "json_trailing", "f.json:1:10"),
        ('{"a": 1}\n{}', "json_trailing", "f.json:2:1"),
        ("", "json_syntax", "f.json:1:1"),
        ("{", "json_syntax", "f.json:1:2"),
        ('{"a": [1,]}', "json_syntax", "f.json:1:10"),
        ('{"a": 1,}', "json_syntax", "f.json:1:9"),
        ('{"a" 1}', "json_syntax", "f.json:1:6"),
        ('{"a": "x\ny"}', "json_syntax", "f.json:1:7"),
        ("NaN", "json_syntax", "f.json:1:1"),
        ("01", "json_syntax", "f.json:1:1"),
        ("// note\n{}", "json_syntax", "f.json:1:1"),
        ("[" * 100, "too_deep", "f.json:1:17"),
        ("[" * 100_000, "too_deep", "f.json:1:17"),
        ("1" * 5000, "json_syntax", "f.json:1:1"),
    ],
)
def test_faults_have_a_place(text: str, code: str, where: str) -> None:
    with pytest.raises(JsonProblem) as caught:
        read(text)
    assert (caught.value.code, caught.value.where) == (code, where)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(VALUES, st.sampled_from([None, 1]))
def test_reads_what_json_writes(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    if len(text) - len(text.lstrip("[{ \n")) < 12:
        assert plain(read(text)) == value


@given(st.text('{}[]:,"\\ \n0-9truefalsn.eE-', max_size=30))
def test_agrees_with_the_standard_library(text: str) -> None:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError("twice")
        return dict(pairs)

    try:
        expected = json.loads(text, object_pairs_hook=once, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        with pytest.raises(JsonProblem):
            read(text)
        return
    assert plain(read(text)) == expected
