"""Installs the browser MCP server that the wall's host tests drive, into `.hosts/` of the checkout, with npm.

It brings no browser of its own: the system's Chromium is used. Run again, it does nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile

from hosts.install import HOSTS

PACKAGE = "@playwright/mcp"
VERSION = "0.0.83"
FOLDER = HOSTS / "playwright-mcp"


def server() -> list[str]:
    """The command that starts the server, empty where it, Node.js or Chromium is not here."""
    package = FOLDER / "node_modules" / PACKAGE
    node, chromium = shutil.which("node"), shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        found = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return []
    if found != VERSION or node is None or chromium is None:
        return []
    options = ["--headless", "--isolated", "--no-sandbox", "--executable-path", chromium]
    return [node, str(package / "cli.js"), *options]


def install() -> str:
    """Install what is missing; what is still missing then, in a sentence, or nothing."""
    if server():
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not here."
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    wanted = f"{PACKAGE}@{VERSION}"
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--no-update-notifier"]
    with tempfile.TemporaryDirectory(prefix="npm-", dir=HOSTS) as cache:
        command = [npm, "install", *options, "--cache", cache, wanted]
        ended = subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if ended.returncode != 0:
        return f"npm could not install {wanted}."
    return "" if server() else "Chromium is not here."


if __name__ == "__main__":
    missing = install()
    if missing:
        print(missing, file=sys.stderr)
        sys.exit(1)
    print(" ".join(server()))
