"""The program at a terminal: colours, its width, and questions that a bare Enter does not answer."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from ringwall.cli.visible import cells

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")
fcntl = pytest.importorskip("fcntl")

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


DECIDING = ("approve", "escape", "reject", "watch", "plan")
PAIR = """
import os, sys
from ringwall.console.pairing import Pairing
from ringwall.console.terminal import terminal
from ringwall.store.engine import Store
from ringwall.store.paths import locate
store = Store(locate(os.environ))
Pairing(store).starter(terminal())
store.close()
os.execv(sys.executable, [sys.executable, "-m", "ringwall.cli.main", *sys.argv[1:]])
"""
"""Pairs the terminal that it runs at, as `ringwall open` does, and becomes `ringwall`."""


def _take_control() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def at_terminal(
    project: Path, tmp_path: Path, *arguments: str, typed: str = "", columns: int = 80, paired: bool = True,
    **variables: str,
) -> tuple[int, str]:  # fmt: skip
    """Status and output of `ringwall` whose three streams are one terminal, paired with the console."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "RINGWALL_HOME": str(tmp_path / "state"),
        "LC_ALL": "C", "TERM": "xterm-256color", **variables,
    }  # fmt: skip
    first = ["-c", PAIR] if paired and arguments[0] in DECIDING else ["-m", "ringwall.cli.main"]
    program = subprocess.Popen(
        [sys.executable, *first, *arguments], start_new_session=True, preexec_fn=_take_control,
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=project, env=environment, close_fds=True,
    )  # fmt: skip
    os.close(theirs)
    if typed:
        os.write(ours, typed.encode())
    shown = b""
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return program.wait(timeout=60), shown.decode().replace("\r\n", "\n")


def test_colours_say_the_same_words(project: Path, tmp_path: Path) -> None:
    status, shown = at_terminal(project, tmp_path, "check", "git push")
    assert status == 1
    assert COLOUR.search(shown)
    assert COLOUR.sub("", shown).startswith("ask    limits.git_push\n")


def test_no_color(project: Path, tmp_path: Path) -> None:
    _status, shown = at_terminal(project, tmp_path, "check", "git push", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", shown)


@pytest.mark.parametrize("columns", [50, 100])
def test_lines_are_as_wide_as_the_terminal(project: Path, tmp_path: Path, columns: int) -> None:
    long = "echo 构建 && " * 15 + "git push --force origin a-long-name-of-a-branch"
    _status, shown = at_terminal(project, tmp_path, "explain", long, columns=columns)
    rows = COLOUR.sub("", shown).splitlines()
    assert max(map(cells, rows)) <= columns
    assert any("git.push.force" in row for row in rows)


@pytest.mark.parametrize(("typed", "written"), [("\n", False), ("n\n", False), ("y\n", True)])
def test_a_bare_enter_is_a_no(project: Path, tmp_path: Path, typed: str, written: bool) -> None:
    status, shown = at_terminal(project, tmp_path, "init", typed=typed)
    assert "[y/N]" in shown
    assert (project / ".claude" / "settings.json").exists() is written
    assert status == (0 if written else 1)


def test_a_person_switches_off_and_on(project: Path, tmp_path: Path) -> None:
    status, shown = at_terminal(project, tmp_path, "off", "--for", "2m", "--reason", "a demo")
    assert status == 0 and "let through until" in shown
    assert "let through until" in at_terminal(project, tmp_path, "status")[1]
    assert at_terminal(project, tmp_path, "off", "--on") == (0, "Calls are judged.\n")
    assert "a demo" in at_terminal(project, tmp_path, "log", "show", NO_COLOR="1")[1]


def test_an_agent_at_a_terminal_does_not(project: Path, tmp_path: Path) -> None:
    assert at_terminal(project, tmp_path, "off", "--for", "2m", CLAUDECODE="1")[0] == 2
