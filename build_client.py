"""Puts `ringwall-hook` into the wheel: compiled where a C compiler works, else the same client in Python.

Invariant: nothing is written beside the sources, so that a checkout may be read-only; a missing or broken
compiler never fails the build; a program that does not run here, or does not say its version, is not taken.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

NAME = "ringwall-hook"
SECONDS = 120

SCRIPT_HEAD = b"""#!/bin/sh
''':'
for python in "${0%/*}/python3" "${0%/*}/python" python3; do
    if command -v "$python" >/dev/null 2>&1; then exec "$python" -I -S "$0" "$@"; fi
done
echo 'Ringwall has no verdict: there is no python3. Run `ringwall doctor`.' >&2
case " $* " in *" --notify "*) exit 1 ;; esac
exit 2
'''
"""


class ClientBuildHook(BuildHookInterface[Any]):
    """Hatchling's entry: called before a wheel, editable or not, is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="ringwall-client-")
        program = os.path.join(self._folder.name, NAME)
        if self._compiled(program):
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{next(platform_tags())}"
        else:
            self.app.display_warning("no working C compiler: the client will be the one in Python")
            self._in_python(program)
        os.chmod(program, 0o755)  # noqa: S103 - a program for everybody
        build_data["shared_scripts"][program] = NAME

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name == "wheel":
            self._folder.cleanup()

    def _compiled(self, program: str) -> bool:
        if sys.platform not in ("linux", "darwin") or os.environ.get("RINGWALL_NO_COMPILER"):
            return False
        source = os.path.join(self.root, "native", "ringwall_hook.c")
        define = f'-DRINGWALL_VERSION="{self.metadata.version}"'
        for compiler, *flags in _compilers():
            if os.path.lexists(program):
                os.unlink(program)
            made = _run([compiler, "-std=c11", "-O2", *flags, define, "-o", program, source])
            said = _run([program, "--version"]) if made is not None else None
            if said == f"{NAME} {self.metadata.version}\n":
                return True
        return False

    def _in_python(self, program: str) -> None:
        source = os.path.join(self.root, "src", "ringwall", "daemon", "client.py")
        with open(source, "rb") as file:
            text = file.read().split(b"\n", 1)[1]
        if os.path.lexists(program):
            os.unlink(program)
        with open(program, "wb") as file:
            file.write(SCRIPT_HEAD + text)


def _compilers() -> Iterator[tuple[str, ...]]:
    """Compilers to try with their flags, the one whose programs start fastest first."""
    native = [name for name in (os.environ.get("CC", "").strip(), "cc", "gcc", "clang") if name]
    found = [path for name in native if (path := shutil.which(name))]
    if sys.platform == "linux":
        if musl := shutil.which("musl-gcc"):
            yield musl, "-static", "-s"
        for compiler in dict.fromkeys(found):
            yield compiler, "-static", "-s"
    for compiler in dict.fromkeys(found):
        yield (compiler,)


def _run(argv: list[str]) -> str | None:
    """What the program prints, None where it fails."""
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout
