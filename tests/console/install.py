"""Installs axe-core, which the browser tests run in each page, into `.hosts/` of the checkout with npm.

Its install scripts are not run; it is one file of JavaScript. Run again, it does nothing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / ".hosts" / "axe"
PACKAGE = "axe-core@4.10.3"


def axe() -> Path | None:
    """The script, if it is there."""
    script = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    return script if script.is_file() else None


def install() -> str:
    """Install it where it is missing; why it is missing still, or nothing."""
    if axe() is not None:
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not here."
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--no-update-notifier"]
    command = [npm, "install", *options, PACKAGE]
    subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    return "" if axe() is not None else f"npm could not install {PACKAGE}."


if __name__ == "__main__":
    sys.exit(install() or None)
