"""Writing a command another way never loosens the verdict; writing it down as data frees it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ringwall.model.verdict import Verdict

from .conftest import Judged
from .mutations import data, same
from .rows import SHARED, Row, own_rows, rows

PROPERTY = settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
DEV = SHARED / "commands-dev.jsonl"
OWN_ROWS = own_rows()
DEV_ROWS = rows(DEV) if DEV.exists() else []
needs_dev = pytest.mark.skipif(
    not DEV_ROWS, reason="the development corpus does not lie beside this checkout"
)


def never_loosens(row: Row, draw: st.DataObject, judged: Judged) -> None:
    texts, decision = list(same(row.command)), judged(row.command)
    if texts and decision.verdict is not Verdict.ALLOW and not decision.analysis.doubts:
        text = draw.draw(st.sampled_from(texts))
        assert judged(text).verdict is not Verdict.ALLOW, text


def is_data(row: Row, draw: st.DataObject, judged: Judged) -> None:
    if all(letter.isprintable() or letter == "\n" for letter in row.command):
        text = draw.draw(st.sampled_from(list(data(row.command))))
        assert judged(text).verdict is Verdict.ALLOW, text


@PROPERTY
@given(st.sampled_from(OWN_ROWS), st.data())
def test_another_way_to_write_it_never_loosens(judged: Judged, row: Row, draw: st.DataObject) -> None:
    never_loosens(row, draw, judged)


@PROPERTY
@given(st.sampled_from(OWN_ROWS), st.data())
def test_what_is_written_down_is_data(judged: Judged, row: Row, draw: st.DataObject) -> None:
    is_data(row, draw, judged)


@needs_dev
@PROPERTY
@given(st.sampled_from(DEV_ROWS or OWN_ROWS), st.data())
def test_another_way_never_loosens_in_the_development_corpus(
    judged: Judged, row: Row, draw: st.DataObject
) -> None:
    never_loosens(row, draw, judged)


@needs_dev
@PROPERTY
@given(st.sampled_from(DEV_ROWS or OWN_ROWS), st.data())
def test_what_is_written_down_is_data_in_the_development_corpus(
    judged: Judged, row: Row, draw: st.DataObject
) -> None:
    is_data(row, draw, judged)
