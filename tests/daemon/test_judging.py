"""The real judge behind the real daemon, asked by the real clients; killed at any moment."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ringwall.daemon import lock
from ringwall.daemon.start import start
from ringwall.journal.read import Filter, read
from ringwall.journal.verify import verify
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

from .conftest import PYTHON_CLIENT, wait_for


def payload(command: str, cwd: Path, call_id: str = "c1", event: str = "PreToolUse") -> bytes:
    return json.dumps(
        {
            "hook_event_name": event, "session_id": "s1", "cwd": str(cwd), "tool_name": "Bash",
            "permission_mode": "bypassPermissions", "tool_input": {"command": command},
            "tool_use_id": call_id, "tool_response": {},
        }
    ).encode()  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, state: StateDir) -> Iterator[Path]:
    made = tmp_path / "home"
    made.mkdir()
    (tmp_path / "bin").mkdir()
    code = "import sys\nfrom ringwall.daemon.hook import answer\nsys.exit(answer(sys.argv[2]))\n"
    script = f"#!{sys.executable}\n{code}"
    (tmp_path / "bin" / "ringwall").write_text(script)
    (tmp_path / "bin" / "ringwall").chmod(0o755)
    shutil.copy(PYTHON_CLIENT, tmp_path / "bin" / "client.py")
    yield made
    process = lock.holder(state)
    if process:
        os.kill(process, signal.SIGKILL)


def ask(state: StateDir, home: Path, sent: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    client = str(home.parent / "bin" / "client.py")
    return subprocess.run(
        [sys.executable, "-I", "-S", client, *words, "claude"],
        input=sent, capture_output=True, timeout=60, check=False,
        env={"HOME": str(home), "RINGWALL_HOME": state.path, "PATH": os.environ["PATH"], "API_KEY": "x"},
    )  # fmt: skip


def verdict(run: subprocess.CompletedProcess[bytes]) -> str:
    return str(json.loads(run.stdout)["hookSpecificOutput"]["permissionDecision"])


def daemon_of(state: StateDir) -> int:
    wait_for(lambda: bool(lock.holder(state)) and os.path.exists(state.socket))
    process = lock.holder(state)
    assert process
    return process


def records(state: StateDir) -> int:
    store = Store(state)
    report = verify(store)
    store.close()
    assert report.whole, report.findings
    return report.records


def test_the_first_call_starts_the_daemon_and_both_ways_agree(state: StateDir, home: Path) -> None:
    first = ask(state, home, payload("git push", home))
    assert verdict(first) == "ask"
    process = daemon_of(state)
    second = ask(state, home, payload("git push", home))
    assert (second.stdout, second.returncode) == (first.stdout, first.returncode)
    assert records(state) == 3  # the question is put once
    assert lock.holder(state) == process


def test_the_daemon_inherits_nothing(state: StateDir, home: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc here")
    ask(state, home, payload("ls", home))
    process = daemon_of(state)
    environ = Path(f"/proc/{process}/environ").read_bytes()
    assert b"API_KEY" not in environ
    assert os.readlink(f"/proc/{process}/cwd") == os.path.realpath(state.path)
    assert os.getsid(process) != os.getsid(0)
    for handle in ("0", "1"):
        assert os.readlink(f"/proc/{process}/fd/{handle}") == "/dev/null"


def test_many_at_once_start_one_daemon(state: StateDir, home: Path) -> None:
    runs: list[subprocess.CompletedProcess[bytes]] = []
    threads = [
        threading.Thread(target=lambda n=n: runs.append(ask(state, home, payload("ls", home, f"c{n}"))))
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [verdict(run) for run in runs] == ["allow"] * 6
    daemon_of(state)
    assert records(state) == 6


@pytest.mark.parametrize("words", [(), ("--notify",)])
def test_an_unreadable_payload_through_the_daemon(
    state: StateDir, home: Path, words: tuple[str, ...]
) -> None:
    ask(state, home, payload("ls", home))
    daemon_of(state)
    run = ask(state, home, b"{broken", *words)
    assert (run.returncode, run.stdout) == (1 if words else 2, b"")


@pytest.mark.parametrize("where", ["file/state", "/proc/ringwall"])
def test_unwritable_state_stops_all_but_looking(state: StateDir, home: Path, where: str) -> None:
    (home / "file").write_text("")
    nowhere = StateDir(os.path.join(home, where))
    assert verdict(ask(nowhere, home, payload("pwd", home))) == "allow"
    run = ask(nowhere, home, payload("git push", home))
    assert (run.returncode, run.stdout) == (2, b"")
    assert b"RINGWALL_HOME" in run.stderr


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_moment_the_journal_is_whole_and_the_next_run_goes_on(
    state: StateDir, home: Path, seed: int
) -> None:
    start(state, {"HOME": str(home), "PATH": os.environ["PATH"]})
    process = daemon_of(state)
    answered: list[bool] = []
    going = threading.Event()

    def call(n: int) -> None:
        while not going.is_set():
            run = ask(state, home, payload("git push", home, f"c{n}"))
            assert run.returncode in (0, 2)
            assert run.returncode == 2 or verdict(run) == "ask"
            answered.append(run.returncode == 0)
            if run.returncode == 2:
                return

    threads = [threading.Thread(target=call, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.3 + random.Random(seed).random() * 0.3)
    os.kill(process, signal.SIGKILL)
    time.sleep(0.05)
    going.set()
    for thread in threads:
        thread.join()
    assert records(state) >= sum(answered)  # what was answered is in the journal
    assert verdict(ask(state, home, payload("git push", home))) == "ask"
    daemon_of(state)
    assert records(state) >= sum(answered) + 1


def test_terminated_it_loses_nothing(state: StateDir, home: Path) -> None:
    for n in range(3):
        ask(state, home, payload("git push", home, f"c{n}"))
    process = daemon_of(state)
    os.kill(process, signal.SIGTERM)
    wait_for(lambda: lock.holder(state) is None)
    assert not os.path.exists(state.socket)
    assert records(state) == 4
    store = Store(state)
    with store.reading() as connection:
        assert len(list(read(connection, Filter(type="decision")))) == 3
    store.close()
