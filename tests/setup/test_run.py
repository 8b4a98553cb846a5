"""A session of its own: hooks and identity for the host, nothing for the project."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ringwall.model.errors import StateError, UsageError
from ringwall.setup.init import plan_init
from ringwall.setup.run import run
from setup.conftest import Ground

HOST = """#!{python}
import json, os, signal, sys, time
path = sys.argv[sys.argv.index("--settings") + 1]
with open(path) as file:
    settings = json.load(file)
with open({report!r}, "w") as file:
    json.dump({{"argv": sys.argv[1:], "settings": settings, "path": path, "cwd": os.getcwd(),
               "mode": os.stat(path).st_mode & 0o777, "session": os.environ.get("RINGWALL_SESSION")}}, file)
if "wait" in sys.argv:
    time.sleep(60)
if "die" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
sys.exit(7 if "fail" in sys.argv else 0)
"""


@pytest.fixture
def report(ground: Ground) -> Path:
    """What the stand-in for the host saw."""
    path = ground.home / "report.json"
    program = ground.home / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(HOST.format(python=sys.executable, report=str(path)))
    program.chmod(0o755)
    ground.env["PATH"] = f"{program.parent}:{ground.env['PATH']}"
    return path


def test_the_host_gets_hooks_identity_and_its_arguments(ground: Ground, report: Path) -> None:
    assert run("claude", ["-p", "do it", "--model", "x"], str(ground.project), ground.env) == 0
    seen = json.loads(report.read_text())
    assert seen["argv"][2:] == ["-p", "do it", "--model", "x"]
    assert seen["cwd"] == os.path.realpath(ground.project)
    assert seen["settings"]["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"] == "block"
    assert seen["settings"]["disableAllHooks"] is False
    assert seen["mode"] == 0o600
    assert seen["session"]


def test_each_session_has_its_own_identity(ground: Ground, report: Path) -> None:
    run("claude", [], str(ground.project), ground.env)
    first = json.loads(report.read_text())["session"]
    run("claude", [], str(ground.project), ground.env)
    assert json.loads(report.read_text())["session"] != first


def test_nothing_is_left_behind(ground: Ground, report: Path) -> None:
    run("claude", [], str(ground.project), ground.env)
    assert list(ground.project.iterdir()) == []
    assert not os.path.exists(os.path.dirname(json.loads(report.read_text())["path"]))


@pytest.mark.parametrize(("word", "status"), [("fail", 7), ("die", 128 + signal.SIGKILL)])
def test_the_exit_status_is_passed_on(ground: Ground, report: Path, word: str, status: int) -> None:
    assert run("claude", [word], str(ground.project), ground.env) == status


def test_a_signal_reaches_the_host_and_the_file_still_goes(ground: Ground, report: Path) -> None:
    code = (
        "import os, sys; from ringwall.setup.run import run;"
        "sys.exit(run('claude', ['wait'], sys.argv[1], os.environ))"
    )
    runner = subprocess.Popen([sys.executable, "-c", code, str(ground.project)], env=ground.env)
    while not report.exists() or not report.read_text().endswith("}"):
        assert runner.poll() is None
        time.sleep(0.05)
    runner.send_signal(signal.SIGTERM)
    assert runner.wait(timeout=60) == 128 + signal.SIGTERM
    assert not os.path.exists(json.loads(report.read_text())["path"])


@pytest.mark.parametrize("arguments", [["--settings", "x"], ["--settings=x"], ["-p", "hi", "--bare"]])
def test_what_would_unhook_the_session_is_refused(ground: Ground, report: Path, arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        run("claude", arguments, str(ground.project), ground.env)
    assert not report.exists()


def test_a_missing_program_is_named(ground: Ground) -> None:
    ground.env["PATH"] = str(ground.home)
    with pytest.raises(UsageError) as caught:
        run("claude", [], str(ground.project), ground.env)
    assert "claude" in str(caught.value.what)


def test_no_session_starts_where_its_settings_cannot_be_kept(ground: Ground, report: Path) -> None:
    (ground.home / "file").write_text("")
    ground.env["RINGWALL_HOME"] = str(ground.home / "file" / "state")
    with pytest.raises(StateError):
        run("claude", [], str(ground.project), ground.env)
    assert not report.exists()


# ---- other hosts

TELLING = """#!/bin/sh
printf '%s\\n' "$@" > {report}
for word in "$@"; do [ -f "$word" ] && cat "$word" > {report}.file; done
exit 0
"""


@pytest.fixture
def other(ground: Ground) -> Path:
    """A stand-in for every other host, which tells what it was given."""
    path = ground.home / "told"
    for name in ("pi", "dsh", "codex", "gemini", "opencode"):
        program = ground.home / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(TELLING.format(report=path))
        program.chmod(0o755)
    ground.env["PATH"] = f"{ground.home / 'bin'}:{ground.env['PATH']}"
    return path


@pytest.mark.parametrize(
    ("host", "option", "inside"), [("pi", "-e", "tool_call"), ("dsh", "--patch", "ringwallGate")]
)
def test_a_host_that_takes_a_file_gets_one_for_the_session(
    ground: Ground, other: Path, host: str, option: str, inside: str
) -> None:
    assert run(host, ["do it"], str(ground.project), ground.env) == 0
    first, file, rest = other.read_text().splitlines()
    assert (first, rest) == (option, "do it")
    assert inside in Path(f"{other}.file").read_text()
    assert not os.path.exists(os.path.dirname(file))


def test_a_host_that_takes_none_must_be_registered(ground: Ground, other: Path) -> None:
    with pytest.raises(UsageError) as caught:
        run("codex", ["exec"], str(ground.project), ground.env)
    assert caught.value.code == "run.not_registered"
    for change in plan_init("codex", None, str(ground.project), ground.env):
        change.apply()
    assert run("codex", ["exec"], str(ground.project), ground.env) == 0
    assert other.read_text() == "exec\n"


@pytest.mark.parametrize(
    ("host", "argument"), [("gemini", "--skip-trust"), ("opencode", "--pure"), ("pi", "-ne")]
)
def test_what_would_unhook_another_host_is_refused(
    ground: Ground, other: Path, host: str, argument: str
) -> None:
    with pytest.raises(UsageError) as caught:
        run(host, [argument], str(ground.project), ground.env)
    assert caught.value.code == "run.no_hooks"
    assert not other.exists()
