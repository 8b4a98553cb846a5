"""The process that has the window, as verbs and tools reach it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reading import needs
from reading.erp import Erp, contract
from reading.world import Loop
from ringwall.model.errors import RingwallError
from ringwall.reading import client, protocol
from ringwall.store.paths import StateDir

pytestmark = [needs.browser, needs.display, pytest.mark.xdist_group("reading")]


class Machine:
    """A person's machine: settings, state, a display, an application."""

    def __init__(self, folder: Path, display: str, erp: Erp) -> None:
        self.erp = erp
        self.state = StateDir(str(folder / "state"))
        self.contract = folder / "config" / "ringwall" / "orders.json"
        self.env = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "DISPLAY": display, "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": str(folder / "config"), "RINGWALL_HOME": self.state.path,
            "RINGWALL_LANG": "en",
        }  # fmt: skip
        self.contract.parent.mkdir(parents=True)
        self.contract.write_text(json.dumps(contract(erp, "orders")))
        (self.contract.parent / "ringwall.toml").write_text(
            f'[reading]\ncontract = "{self.contract}"\n'
            f'[reading.window]\nsiteUrl = "{erp.base}"\n'
            'site = "fixture"\naccount = "reader"\ntenant = "demo"\nrole = "reader"\n'
        )

    def run(self, *words: str) -> tuple[int, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "ringwall.cli.main", "reading", *words, "--json"],
            env=self.env, capture_output=True, text=True, timeout=90, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    folder = tmp_path_factory.mktemp("machine")
    with needs.a_display(folder) as display:
        loop, erp = Loop(), Erp()
        loop.run(erp.__aenter__())
        erp.page("", "<h1>Welcome</h1>")
        erp.page("orders", "<h1>Orders</h1>")
        made = Machine(folder, display, erp)
        try:
            yield made
        finally:
            client.close(made.state, made.env)
            loop.run(erp.__aexit__())
            loop.end()


def test_before_it_is_opened_everything_says_so(machine: Machine) -> None:
    status, found = machine.run("status")
    assert (status, found["ready"], found["window"]) == (0, True, None)
    with pytest.raises(RingwallError, match="not open"):
        client.ask(machine.state, protocol.Status(), machine.env)
    assert machine.run("list")[0] == 2


def test_verbs_reach_the_one_window_and_closing_ends_the_process(machine: Machine) -> None:
    status, opened = machine.run("open")
    assert status == 0, opened
    again = machine.run("open")[1]
    assert again["sessionId"] == opened["sessionId"]
    assert machine.run("policy")[1]["contract"]["id"] == "test-v1"
    time.sleep(0.5)
    status, failure = machine.run("read", "it")
    assert status == 3
    assert "reading.no_permit" in failure
    status, failure = machine.run("enable")
    assert status == 2
    assert "terminal" in failure
    assert machine.run("takeover")[1]["revision"] > opened["revision"]
    pid = _pid(machine.state.path)
    assert machine.run("close")[1] == {"closed": True}
    end = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert not Path(f"/proc/{pid}").exists()
    assert not client.running(machine.state)


def test_anything_but_a_request_is_refused(machine: Machine) -> None:
    for line in (b"", b"nonsense", b"[]", b'{"do":"navigate","url":"x"}', b'{"do":"read"}', b"\xff\xfe"):
        with pytest.raises(RingwallError):
            protocol.read_request(line)


def _pid(folder: str) -> int:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        words = path.read_bytes().split(b"\0")
        if b"ringwall.daemon.reading" in words and folder.encode() in words:
            return int(path.parent.name)
    raise AssertionError("the process is not there")
