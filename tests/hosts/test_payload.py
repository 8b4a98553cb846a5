"""Strict payloads: what a host could have meant in two ways is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringwall.hosts.payload import MAX_BYTES, MAX_DEPTH, read_object
from ringwall.model.canonical import digest
from ringwall.model.errors import PayloadError


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"", "payload.not_json"),
        (b"{", "payload.not_json"),
        (b'{"a":1} {"a":2}', "payload.not_json"),
        (b'{"a":1,}', "payload.not_json"),
        (b"[]", "payload.not_an_object"),
        (b'"text"', "payload.not_an_object"),
        (b'{"a":1,"a":2}', "payload.duplicate_key"),
        (b'{"a":{"b":1,"\\u0062":2}}', "payload.duplicate_key"),
        (b'{"a":"\xff"}', "payload.not_utf8"),
        (b'{"a":"\xed\xa0\x80"}', "payload.not_utf8"),
        (b'{"a":"\\ud800"}', "payload.lone_surrogate"),
        (b'{"\\udfff":1}', "payload.lone_surrogate"),
        (b'{"a":NaN}', "payload.not_a_number"),
        (b'{"a":-Infinity}', "payload.not_a_number"),
        (b'{"a":1e999}', "payload.not_a_number"),
        (b'{"a":' + b"9" * 5000 + b"}", "payload.not_a_number"),
        (b'{"a":' + b"[" * 200 + b"]" * 200 + b"}", "payload.too_deep"),
        (b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "payload.too_deep"),
        (b'{"a":' * 200_000, "payload.too_deep"),
        (b" " * (MAX_BYTES + 1), "payload.too_long"),
        (b"\xef\xbb\xbf{}", "payload.not_json"),
    ],
)
def test_refused(payload: bytes, code: str) -> None:
    with pytest.raises(PayloadError) as caught:
        read_object(payload)
    assert caught.value.code == code


def test_surrogate_pairs_are_text() -> None:
    assert read_object(b'{"a":"\\ud83d\\ude00"}') == {"a": "\U0001f600"}


def test_the_bound_on_nesting_is_the_last_that_passes() -> None:
    depth = MAX_DEPTH - 1
    assert digest(read_object(b'{"a":' + b"[" * depth + b"]" * depth + b"}"))


@pytest.mark.parametrize("number", ["9007199254740993", "-1152921504606847000", "1" + "0" * 300])
def test_integers_beyond_the_safe_range_can_be_digested(number: str) -> None:
    value = read_object(f'{{"a":{number}}}'.encode())
    assert value == {"a": float(number)}
    assert digest(value)


@given(st.binary(max_size=200))
def test_any_bytes_give_an_object_or_the_one_error(payload: bytes) -> None:
    try:
        assert isinstance(read_object(payload), dict)
    except PayloadError as error:
        assert error.code.startswith("payload.")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), json_values))
def test_what_json_can_hold_is_read_and_digested(value: dict[str, object]) -> None:
    digest(read_object(json.dumps(value).encode("utf-8")))
