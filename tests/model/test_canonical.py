"""Both encoders of `canonical` write the same bytes."""

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from ringwall.model.canonical import canonical

TEXT = st.text(st.characters(exclude_categories=("Cs",)))
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=20)


@given(VALUES)
def test_canonical_is_rfc_8785(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [2**53, "\ud800", {"a": float("nan")}])
def test_what_json_cannot_hold_is_an_error(value: object) -> None:
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical(value)
