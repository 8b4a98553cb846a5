"""Text for another shell is doubted; what bash runs every day is not."""

from __future__ import annotations

import pytest

from ringwall.shell.read import read

from .second import shfmt

FOREIGN = [
    "make 2>| less",
    "make all 2>| grep error",
    "echo $path[1]",
    "rm -rf $dirs[-1]/x",
    "noglob rm *",
    "=ls -la",
    "alias -g L='| less'; make L",
    "alias -s py=python3",
    "setopt extended_glob",
    "set -gx PATH /x $PATH",
    "Remove-Item -Recurse x",
    "del C:\\x",
]
NATIVE = [
    "make >| log",
    "make 2>log",
    "ls $dir[0-9]* $dir[ab]",
    "echo ${path[1]} \"$path[1]\" '$path[1]'",
    "alias ll='ls -la'; alias -p",
    "test a = b",
    "set -euo pipefail",
    "grep '2>|' notes.txt",
]


def _foreign(text: str) -> bool:
    return any(doubt.code == "not_bash" for doubt in read(text, shfmt).doubts)


@pytest.mark.parametrize("text", FOREIGN)
def test_foreign(text: str) -> None:
    assert _foreign(text)


@pytest.mark.parametrize("text", NATIVE)
def test_native(text: str) -> None:
    assert not read(text, shfmt).doubts
