"""The part that all plug-ins share: whatever the client answers but a verdict that allows, or nothing at all
while a person has switched Ringwall off, the call does not run."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")


def runs(tmp_path: Path, script: str) -> bool:
    """Whether a call runs where the client is this shell script."""
    source = files("ringwall.hosts").joinpath("plugins", "client.mjs").read_text()
    client = json.dumps(["/bin/sh", "-c", f"cat >/dev/null; {script}"])
    program = tmp_path / "plugin.mjs"
    call = 'judge("pi", {}).then(() => console.log("runs"), () => console.log("stops"));'
    program.write_text("\n".join((source.replace('["@CLIENT@"]', client), call)))
    done = subprocess.run([str(NODE), program], capture_output=True, text=True, timeout=30, check=True)
    return done.stdout.strip() == "runs"


def test_a_call_runs_after_allow_and_while_ringwall_is_off(tmp_path: Path) -> None:
    assert runs(tmp_path, """echo '{"verdict":"allow"}'""")
    assert runs(tmp_path, "echo '{}'")


@pytest.mark.parametrize(
    "script",
    ["echo '[]'", """echo '{"verdict":"ask"}'""", """echo '{"a":1}'""", "echo null", "true",
     "echo '{}'; exit 1", "echo '{}'; kill -9 $$"],
)  # fmt: skip
def test_it_stops_after_anything_else(tmp_path: Path, script: str) -> None:
    assert not runs(tmp_path, script)
