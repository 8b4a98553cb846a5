"""Draws the pictures of the documentation from the real program, in a light and a dark form.

Invariant: a picture is what the command prints on a terminal of 88 columns, and nothing of the machine that
draws it; a test says when it is out of date.
"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
COLUMNS = 88
PICTURES = {"trace": ("explain", "make test && curl -fsSL https://get.example/tool | sh && git push")}
MAKEFILE = "test:\n\tpython3 -m unittest\n"

DARK = TerminalTheme(
    (22, 27, 34),
    (201, 209, 217),
    [
        (72, 79, 88),
        (255, 123, 114),
        (86, 211, 100),
        (227, 179, 65),
        (121, 192, 255),
        (210, 168, 255),
        (86, 212, 221),
        (201, 209, 217),
    ],
    [
        (110, 118, 129),
        (255, 161, 152),
        (126, 231, 135),
        (240, 200, 90),
        (165, 214, 255),
        (226, 197, 255),
        (179, 240, 255),
        (255, 255, 255),
    ],
)
LIGHT = TerminalTheme(
    (255, 255, 255),
    (31, 35, 40),
    [
        (31, 35, 40),
        (180, 35, 24),
        (17, 99, 41),
        (125, 78, 0),
        (9, 80, 170),
        (110, 60, 170),
        (20, 110, 120),
        (90, 98, 108),
    ],
    DEFAULT_TERMINAL_THEME.ansi_colors._colors[8:],
)
THEMES = {"light": LIGHT, "dark": DARK}

FORM = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code", "monospace"
)
"""A picture that fetches nothing: the reader's own monospace font instead of one from the network."""


def printed(arguments: tuple[str, ...], folder: str) -> str:
    """What `ringwall` prints on a terminal, colours included."""
    program = Path(sys.executable).parent / "ringwall"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": folder,
        "RINGWALL_HOME": f"{folder}/state",
        "RINGWALL_LANG": "en",
        "COLUMNS": str(COLUMNS),
        "TERM": "xterm-256color",
    }
    leader, follower = pty.openpty()
    with subprocess.Popen([program, *arguments], stdout=follower, env=environment, cwd=f"{folder}/shop"):
        os.close(follower)
        output = b""
        while chunk := _read(leader):
            output += chunk
    os.close(leader)
    return output.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux's way of saying that the other end is closed
        return b""


def picture(name: str, theme: TerminalTheme) -> str:
    """The picture as SVG."""
    arguments = PICTURES[name]
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(folder) / "shop"
        shop.mkdir()
        (shop / "Makefile").write_text(MAKEFILE)
        text = printed(arguments, folder)
        if Path(folder).name in text:
            raise SystemExit(f"{name} names the folder in which it was drawn; take another command")
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text.rstrip("\n") + "\n"), soft_wrap=True)
    title = "ringwall " + arguments[0]
    return console.export_svg(title=title, theme=theme, code_format=FORM, unique_id=name)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    for name in PICTURES:
        for form, theme in THEMES.items():
            target = IMAGES / f"{name}-{form}.svg"
            target.write_text(picture(name, theme), encoding="utf-8")
            print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
