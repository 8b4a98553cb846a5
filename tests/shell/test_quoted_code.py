"""Code that quotes keep from a reader, and that bash runs all the same."""

from __future__ import annotations

import pytest

from ringwall.shell.read import read


def doubts(text: str) -> list[str]:
    return [doubt.code for doubt in read(text, lambda _: None).doubts]


@pytest.mark.parametrize(
    "text",
    [
        "[[ -v 'a[$(touch f)]' ]]",
        "test -v 'a[$(touch f)]'",
        "[ 'a[$(touch f)]' -eq 1 ]",
        "printf -v 'a[`touch f`]' x",
        "read 'a[$(touch f)]' < README.md",
        "unset 'a[$(touch f)]'",
        "let 'a[$(touch f)]=1'",
        "x='a[$(touch f)]'; echo $((x))",
        "echo ${y:'a[$(touch f)]'}",
        'test -v "a[\\$(touch f)]"',
        "x='$(touch f)'; echo ${x@P}",
    ],
)
def test_a_subscript_that_bash_evaluates_is_a_doubt(text: str) -> None:
    assert "evaluated" in doubts(text)


@pytest.mark.parametrize(
    "text",
    [
        "echo ${a[0]} ${a[$i]}",
        "grep -n 'a[$(]' src",
        "git commit -m 'Use `a[i]`'",
        "[[ $x == 'a[0]' ]]",
        "x='run `make`'",
        r"rg 'foo\[\$\(' src",
        "awk '{a[$1]++}' f",
        "for i in 1 2; do x=$(ls); done",
    ],
)
def test_other_brackets_are_none(text: str) -> None:
    assert "evaluated" not in doubts(text)
