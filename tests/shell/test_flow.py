"""What holds after commands that may not be reached, and after those that leave early."""

from __future__ import annotations

import pytest

from .world import effects

LOSS = {"delete.outside", "catastrophic"}


@pytest.mark.parametrize(
    "text",
    [
        "X=build; for d in ~ build; do X=$d; break; done; rm -rf $X",
        "X=build; for d in a b; do if test -e $d; then X=~; break; fi; done; rm -rf $X",
        "X=build; while read l; do case $l in a) X=~; continue;; esac; done; rm -rf $X",
        "f() { if a; then X=~; return; fi; X=build; }; f; rm -rf $X",
        "X=~; test -e a && X=build; rm -rf $X",
        "X=build; true && X=~ && false && X=build; rm -rf $X",
        "X=~; test -e a && export X=build; rm -rf $X",
    ],
)
def test_either_outcome_is_judged(text: str) -> None:
    assert LOSS & effects(text)


@pytest.mark.parametrize(
    "text",
    [
        "X=build && rm -rf $X",
        "mkdir -p build && X=build && rm -rf $X; rm -rf $X",
        "test -e a && X=build && rm -rf $X",
        "X=~; for d in a; do X=build; done; rm -rf $X",
        "test -d a || exit 1; X=build; rm -rf $X",
        "f() { local X=build; rm -rf $X; return; }; f",
        "for d in build dist; do test -d $d || continue; rm -rf $d; done",
    ],
)
def test_what_is_certain_stays_certain(text: str) -> None:
    assert not LOSS & effects(text)
