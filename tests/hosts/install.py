"""Installs the agent programs that the host tests drive, into `.hosts/` of the checkout, with npm only.

Their install scripts are not run; the programs are native and lie in the packages. Run again, it does
nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HOSTS = Path(__file__).resolve().parents[2] / ".hosts"
CLAUDE_PACKAGE = "@anthropic-ai/claude-code"
CLAUDE_VERSION = "2.1.332"


def claude() -> Path | None:
    """The installed Claude Code program of the version that the tests speak of, if it is there.

    It lies in the package of this platform, which the main package depends on.
    """
    packages = (HOSTS / "claude" / "node_modules").glob(f"{CLAUDE_PACKAGE}-*")
    programs = [package / "claude" for package in sorted(packages) if _version(package) == CLAUDE_VERSION]
    return next((program for program in programs if program.is_file()), None)


def _version(package: Path) -> str:
    try:
        return str(json.loads((package / "package.json").read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return ""


def install() -> str:
    """Install what is missing; what is still missing then, in a sentence, or nothing."""
    if claude() is not None:
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not here."
    folder = HOSTS / "claude"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    wanted = f"{CLAUDE_PACKAGE}@{CLAUDE_VERSION}"
    print(f"Installing {wanted} into {HOSTS.name} with npm (about 400 MB) ...", file=sys.stderr, flush=True)
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--no-update-notifier"]
    with tempfile.TemporaryDirectory(prefix="npm-", dir=HOSTS) as cache:
        command = [npm, "install", *options, "--cache", cache, wanted]
        ended = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if ended.returncode != 0:
        return f"npm could not install {wanted}."
    return "" if claude() is not None else f"{wanted} has no program for this platform."


if __name__ == "__main__":
    missing = install()
    if missing:
        print(missing, file=sys.stderr)
        sys.exit(1)
    print(claude())
