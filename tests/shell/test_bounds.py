"""Past a bound there is a doubt; every bound is a count."""

from __future__ import annotations

import pytest

from .world import World, analysed, effects


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("rm " + " ".join(f"src/{n}" for n in range(500)), "too_many"),
        ("rm " + " ".join(f"s{n}*" for n in range(500)), "too_many"),
        ("sudo " * 1900 + "ls", "too_many"),
        ("find . " + "-exec rm {} \\; " * 500, "too_many"),
        ("eval " * 1900 + "ls", "too_long"),
    ],
)
def test_past_a_bound_there_is_a_doubt(text: str, code: str) -> None:
    assert code in {doubt.code for doubt in analysed(text).doubts}


@pytest.mark.parametrize(
    "text",
    [
        "rm -f " + "a " * 4000,
        "ls " + ">a " * 3000,
        "find . " + "-exec rm {} \\; " * 20,
        "make " + "all " * 2000,
        "echo " + "$x " * 3000,
    ],
)
def test_saying_the_same_again_is_no_more_work(text: str) -> None:
    world = World(files={"/home/dev/app/Makefile": "all:\n\trm -f a\n"})
    assert not analysed(text, world).doubts


def test_what_follows_unknown_words_may_be_the_command() -> None:
    assert "git.push" in effects("$a $b $c git push")
    assert "privilege" in effects("$x " * 500 + "sudo id")


def test_a_long_loop_is_walked_once_with_an_unknown_value() -> None:
    body = "echo $i; rm -rf $i; " * 60
    found = effects("for i in " + " ".join(f"~/{n}" for n in range(30)) + f"; do {body}done")
    assert {"delete.outside", "catastrophic"} <= found
