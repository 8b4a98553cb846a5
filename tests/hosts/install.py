"""Installs the agent programs that the host tests drive, into `.hosts/` of the checkout, with npm and pip.

Their install scripts are not run; the programs are native, or run by node. Run again, it does nothing. What
cannot be had is named, and its tests skip.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HOSTS = Path(__file__).resolve().parents[2] / ".hosts"
CLAUDE_PACKAGE = "@anthropic-ai/claude-code"
CLAUDE_VERSION = "2.1.332"

_SYSTEM = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system(), "unknown")
_MACHINE = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(
    platform.machine().lower(), "unknown"
)
PLATFORM = f"{_SYSTEM}-{_MACHINE}"
NODE_VERSION = (22, 19)


@dataclass(frozen=True)
class Package:
    """A program of one host: `wanted` is what npm or pip is asked for, `program` a path below its folder,
    which `checked` (a package.json) dates to `version`; `node` says that node runs it."""

    wanted: tuple[str, ...]
    version: str
    program: str
    checked: str
    megabytes: int
    node: bool = False
    pip: bool = False


PACKAGES = {
    "codex": Package(
        ("@openai/codex@0.171.0",), "0.171.0", f"node_modules/@openai/codex-{PLATFORM}/vendor/*/bin/codex",
        "node_modules/@openai/codex/package.json", 420,
    ),
    "gemini": Package(
        ("@google/gemini-cli@0.61.0",), "0.61.0", "node_modules/@google/gemini-cli/bundle/gemini.js",
        "node_modules/@google/gemini-cli/package.json", 100, node=True,
    ),
    "opencode": Package(
        (f"opencode-{PLATFORM}@1.18.33",), "1.18.33", f"node_modules/opencode-{PLATFORM}/bin/opencode",
        f"node_modules/opencode-{PLATFORM}/package.json", 180,
    ),
    "copilot": Package(
        (f"@github/copilot-{PLATFORM}@1.0.102",), "1.0.102",
        f"node_modules/@github/copilot-{PLATFORM}/copilot",
        f"node_modules/@github/copilot-{PLATFORM}/package.json", 160,
    ),
    "pi": Package(
        ("@earendil-works/pi-coding-agent@1.6.0",), "1.6.0",
        "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js",
        "node_modules/@earendil-works/pi-coding-agent/package.json", 170, node=True,
    ),
    "dsh": Package(
        ("deepseek-harness-sdk==0.2.1rc2", "deepseek-harness-runtime-bin==0.2.1rc2"), "0.2.1rc2", "bin/dsh",
        "", 340, pip=True,
    ),
}  # fmt: skip
"""The hosts beside Claude Code, in the versions that the tests speak of."""


def claude() -> Path | None:
    """The installed Claude Code program of the version that the tests speak of, if it is there.

    It lies in the package of this platform, which the main package depends on.
    """
    packages = (HOSTS / "claude" / "node_modules").glob(f"{CLAUDE_PACKAGE}-*")
    programs = [package / "claude" for package in sorted(packages) if _version(package) == CLAUDE_VERSION]
    return next((program for program in programs if program.is_file()), None)


def program(host: str) -> list[str] | None:
    """The argv that starts an installed host, if it is there in the version that the tests speak of."""
    package = PACKAGES[host]
    folder = HOSTS / host
    found = next(iter(sorted(folder.glob(package.program))), None)
    if found is None or (package.checked and not _dated(folder / package.checked, package.version)):
        return None
    if not package.node:
        return [str(found)]
    node = node_program()
    return [node, str(found)] if node else None


def node_program() -> str | None:
    """A node that is new enough: the system's, else the one that was installed here."""
    own = HOSTS / "node" / "node_modules" / f"node-{PLATFORM}" / "bin" / "node"
    for candidate in (shutil.which("node"), str(own)):
        if candidate and os.access(candidate, os.X_OK):
            told = subprocess.run(
                [candidate, "--version"], capture_output=True, text=True, check=False
            ).stdout
            numbers = tuple(
                int(part) for part in told.strip().removeprefix("v").split(".")[:2] if part.isdigit()
            )
            if numbers >= NODE_VERSION:
                return candidate
    return None


def _dated(path: Path, version: str) -> bool:
    try:
        return bool(json.loads(path.read_text(encoding="utf-8"))["version"].startswith(version))
    except (OSError, ValueError, KeyError):
        return False


def _version(package: Path) -> str:
    try:
        return str(json.loads((package / "package.json").read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return ""


def install() -> list[str]:
    """Install what is missing; what is still missing then, in a sentence each."""
    missing: list[str] = []
    if claude() is None:
        wanted = f"{CLAUDE_PACKAGE}@{CLAUDE_VERSION}"
        if _npm("claude", (wanted,), 400) is False or claude() is None:
            missing.append(f"{wanted} could not be installed with npm, or has no program for this platform.")
    if any(package.node for package in PACKAGES.values()) and node_program() is None:
        _npm("node", (f"node-{PLATFORM}@22",), 190)
    for host, package in PACKAGES.items():
        if program(host) is not None:
            continue
        bring = _pip if package.pip else _npm
        if not bring(host, package.wanted, package.megabytes) or program(host) is None:
            missing.append(f"{' '.join(package.wanted)} could not be installed.")
    return missing


def _npm(name: str, wanted: tuple[str, ...], megabytes: int) -> bool:
    npm = shutil.which("npm")
    if npm is None:
        return False
    folder = HOSTS / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _tell(wanted, "npm", megabytes)
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--no-update-notifier"]
    with tempfile.TemporaryDirectory(prefix="npm-", dir=HOSTS) as cache:
        command = [npm, "install", *options, "--cache", cache, *wanted]
        ended = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    return ended.returncode == 0


def _pip(name: str, wanted: tuple[str, ...], megabytes: int) -> bool:
    folder = HOSTS / name
    _tell(wanted, "pip", megabytes)
    made = subprocess.run([sys.executable, "-m", "venv", folder], stdout=sys.stderr, check=False)
    if made.returncode != 0:
        return False
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-cache-dir", "--pre"]
    return subprocess.run([*pip, *wanted], stdout=sys.stderr, check=False).returncode == 0


def _tell(wanted: tuple[str, ...], by: str, megabytes: int) -> None:
    said = f"Installing {' '.join(wanted)} into {HOSTS.name} with {by} (about {megabytes} MB) ..."
    print(said, file=sys.stderr, flush=True)


if __name__ == "__main__":
    lacking = install()
    for sentence in lacking:
        print(sentence, file=sys.stderr)
    if claude() is not None:
        print(claude())
    sys.exit(1 if lacking else 0)
