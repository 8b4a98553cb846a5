"""Where a shell looks for programs, when the text itself says it."""

from __future__ import annotations

import pytest

from .world import effects


@pytest.mark.parametrize(
    "text",
    [
        "PATH=.:$PATH ls",
        "PATH=/tmp/x ls",
        "PATH=: ls",
        "PATH=src:$PATH; ls",
        "export PATH=$PATH:./bin",
        "env -i PATH=. ls",
        "PATH=$PWD/src ls",
    ],
)
def test_a_program_out_of_reach_of_review_is_not_the_one_of_that_name(text: str) -> None:
    """`ls` is then whatever somebody has put there."""
    assert "code.run" in effects(text)


@pytest.mark.parametrize(
    "text", ["PATH=/usr/bin:/bin ls", "export PATH=$PATH:/usr/local/go/bin", "PATH=$PATH ls", "echo $PATH"]
)
def test_folders_of_the_system_are_nothing_special(text: str) -> None:
    assert "code.run" not in effects(text)
