"""How far commands that begin alike may go."""

from __future__ import annotations

import pytest

from ringwall.shell.reach import reach


def words(command: str) -> tuple[str, ...]:
    return tuple(command.split())


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("npm run build -- --watch", "npm run build"),
        ("npm install left-pad", "npm install"),
        ("git commit -m x", "git commit"),
        ("git -C sub status", "git status"),
        ("make test", "make test"),
        ("mkdir -p a", "mkdir"),
    ],
)
def test_the_words_that_name_what_runs(command: str, named: str) -> None:
    found = reach(words(command))
    assert (found.words, found.anything, found.bounded) == (words(named), False, True)


@pytest.mark.parametrize(
    "command",
    ["git", "python x.py", "bash -c x", "env A=1 ls", "sudo ls", "npx x", "node a.js", "uv run x", "xargs rm",
     "docker run x"],
)  # fmt: skip
def test_words_that_may_run_anything(command: str) -> None:
    assert reach(words(command)).anything


@pytest.mark.parametrize("command", ["frobnicate --all", "make", "make \x00"])
def test_what_no_row_bounds(command: str) -> None:
    assert not reach(tuple(command.split(" "))).bounded


def test_effects_of_all_options_are_there() -> None:
    assert "git.skip_hooks" in reach(words("git commit -m x")).effects
    assert "install.global" in reach(words("npm install x")).effects
    assert {"write.hook", "delete.lost", "read.secret"} <= reach(words("cp a b")).effects
    assert "read.secret" not in reach(words("mkdir a")).effects
