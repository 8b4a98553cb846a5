"""The other hosts, really run with a scripted model, in their most permissive mode, each in one session.

What is held for each: an allowed call runs; a denied one does not, and the model is told why; a push is not
made unasked, and its proposal's number reaches the model; a call whose hook crashes does not run.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from hosts import dialects
from hosts.drivers import DRIVERS, Driver, write
from hosts.install import program
from hosts.processes import daemon_of
from hosts.stage import Json, Played, Stage, _run, lane
from hosts.test_real_approvals import ANN, person
from ringwall.approvals.proposal import Proposal
from ringwall.judge.desk import Desk, Yes
from ringwall.setup import registering
from ringwall.setup.hook_client import hook_client
from ringwall.setup.init import plan_init, plan_remove

pytestmark = pytest.mark.xdist_group("real hosts")

PUSH = "touch pushing && git push origin main"


def driver_named(name: str) -> Driver:
    return next(driver for driver in DRIVERS if driver.host == name)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    stage = Stage(tmp_path, {"DSH_HOME": str(tmp_path / "home" / "dsh")})
    stage.build()
    write(stage.home / ".config" / "ringwall" / "ringwall.toml", "[approvals]\nwait = 0\n")
    yield stage
    daemon = daemon_of(stage.state)
    if daemon is not None:
        os.kill(daemon, signal.SIGKILL)


@pytest.fixture
def breakable(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client that is registered in place of the installed one, and dies once this file is there."""
    broken, client = stage.folder / "broken", stage.folder / "bin" / "ringwall-hook"
    real = " ".join(f"'{word}'" for word in hook_client())
    write(client, f"#!/bin/sh\n[ -e '{broken}' ] && kill -9 $$\nexec {real} \"$@\"\n")
    client.chmod(0o755)
    monkeypatch.setattr(registering, "hook_client", lambda: (str(client),))
    return broken


def skip_without(host: str) -> None:
    if program(host) is None:
        pytest.skip(f"{host} is not installed; python tests/hosts/install.py does it where npm and pip are")


def put_in(driver: Driver, stage: Stage) -> None:
    for change in plan_init(driver.host, driver.scope, str(stage.project), stage.env):
        change.apply()


def play(
    driver: Driver,
    stage: Stage,
    turns: Sequence[Json],
    on_answer: Callable[[Json], None] | None = None,
    register: bool = True,
    spoil: Callable[[], None] = lambda: None,
) -> Played:
    log = stage.folder / "model.jsonl"
    log.unlink(missing_ok=True)
    server = dialects.serve({"lanes": [lane("main", *turns)]}, log, on_answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        driver.configure(stage, server.server_port)
        if register:
            put_in(driver, stage)
        spoil()
        words = [*driver.program, *driver.words]
        out, err, code = _run(words, stage.project, driver.env(stage, server.server_port))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return Played([json.loads(line) for line in lines], out, err, code)


def told(played: Played, turn: int) -> str:
    """What the model was told of the call that it made at `turn`."""
    answers = [each for each in played.exchanges if each["lane"] == "main" and each["turn"] == turn + 1]
    assert answers, played
    return "\n".join(result["text"] for result in answers[0]["results"])


@pytest.mark.parametrize("host", [driver.host for driver in DRIVERS])
def test_a_host_is_governed(host: str, stage: Stage, breakable: Path) -> None:
    skip_without(host)
    driver = driver_named(host)
    (stage.home / "dear").write_text("mine")

    def break_the_hook(entry: Json) -> None:
        if entry["lane"] == "main" and entry["turn"] == 3:
            breakable.touch()

    lines = ["echo hello from the shop", "rm -rf ~", PUSH, "touch unjudged"]
    played = play(driver, stage, [driver.shell(line) for line in lines], break_the_hook)
    assert "hello from the shop" in told(played, 0), played
    assert "Ringwall denies this" in told(played, 1), played
    assert (stage.home / "dear").exists(), played
    assert "proposal 1" in told(played, 2), played
    assert not stage.pushed and not (stage.project / "pushing").exists(), played
    assert not (stage.project / "unjudged").exists(), played
    breakable.unlink()
    verdicts = [
        row["verdict"] for row in stage.judged() if row["host"] == host and row["moment"] == "before_call"
    ]
    assert verdicts == ["allow", "deny", "ask"], played


@pytest.mark.parametrize("host", ["codex", "pi"])
def test_a_push_waits_for_the_person_and_then_happens(host: str, stage: Stage) -> None:
    """One host with hooks and one with a plug-in; neither can ask by itself."""
    skip_without(host)
    driver = driver_named(host)
    write(stage.home / ".config" / "ringwall" / "ringwall.toml", "[approvals]\nwait = 50\n")

    def yes(desk: Desk, proposal: Proposal) -> None:
        desk.approve(Yes(proposal.number, proposal.binding, ANN))

    with person(stage, yes):
        played = play(driver, stage, [driver.shell("git push origin main")])
    assert "refs/heads/main" in stage.pushed, played


@pytest.mark.parametrize("host", ["opencode", "dsh", "pi"])
def test_a_host_whose_plugin_does_not_load_runs_no_call(host: str, stage: Stage) -> None:
    skip_without(host)
    driver = driver_named(host)
    plugins = [
        stage.state / "plugins" / f"ringwall-{host}.mjs",
        stage.home / ".pi/agent/extensions/ringwall.js",
    ]

    def spoil() -> None:
        [plugin] = [path for path in plugins if path.exists()]
        plugin.write_text("throw new Error('spoiled');\n")

    played = play(driver, stage, [driver.shell("touch unjudged")], spoil=spoil)
    assert not (stage.project / "unjudged").exists(), played
    if host == "opencode":
        assert not any(exchange["tools"] for exchange in played.exchanges), played
    else:
        assert played.exit != 0 and not played.exchanges, played


@pytest.mark.parametrize("host", [driver.host for driver in DRIVERS])
def test_what_was_there_comes_back_byte_for_byte(host: str, stage: Stage) -> None:
    driver = driver_named(host)
    driver.configure(stage, 1)

    def everything() -> dict[str, bytes]:
        found = (path for folder in (stage.home, stage.project) for path in folder.rglob("*"))
        return {str(path): path.read_bytes() for path in found if path.is_file()}

    before = everything()
    put_in(driver, stage)
    once = everything()
    assert once != before
    assert not any(change.needed for change in plan_init(host, driver.scope, str(stage.project), stage.env))
    for change in plan_remove(host, driver.scope, str(stage.project), stage.env):
        change.apply()
    assert everything() == before
