"""The daemon: who is served, in what order, and how it ends."""

import contextlib
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ringwall import __version__
from ringwall.daemon import lock, protocol
from ringwall.daemon.group import GROUP, judged
from ringwall.daemon.protocol import Malformed, Request
from ringwall.hosts.protocol import HookReply
from ringwall.store.paths import StateDir

from .conftest import wait_for

Daemon = Callable[..., subprocess.Popen[bytes]]


WORKING_DIRECTORY = threading.Lock()
"""The working directory belongs to the process, so one thread at a time may borrow it."""


def connect(state: StateDir) -> socket.socket:
    with WORKING_DIRECTORY, contextlib.chdir(state.path):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(20)
        connection.connect("daemon.sock")
    return connection


def frame(payload: bytes, version: str = __version__, host: str = "claude") -> bytes:
    header = f"{version}\0{host}\x000\0".encode()
    return b"RWQ1" + len(header).to_bytes(4, "big") + len(payload).to_bytes(4, "big") + header + payload


def ask(state: StateDir, sent: bytes) -> bytes:
    with connect(state) as connection:
        connection.sendall(sent)
        got = b""
        while part := connection.recv(65536):
            got += part
        return got


def test_a_request_that_comes_in_pieces(state: StateDir, daemon: Daemon) -> None:
    daemon()
    with connect(state) as connection:
        for byte in frame(b"say {}"):
            connection.send(bytes([byte]))
        assert connection.recv(100) == protocol.reply_frame(HookReply(b"{}", b"told\n"))


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"RWQ1" + b"\xff" * 8,
        frame(b"say {}") + b"x",
        b"RWQ1\0\0\0\2\0\0\0\0ab",
        b"RWQ1\0\0\0\0\0\0\0\0",
        frame(b"say {}").replace(b"\x000\0", b"\x007\0"),
    ],
)
def test_what_is_no_request_gets_no_reply_and_harms_nobody(
    state: StateDir, daemon: Daemon, sent: bytes
) -> None:
    daemon()
    with connect(state) as connection:
        connection.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(100) == b""
    assert ask(state, frame(b"say {}")).endswith(b"{}told\n")


def test_a_handler_that_raises_gives_no_verdict(state: StateDir, daemon: Daemon) -> None:
    daemon()
    got = ask(state, frame(b"nonsense"))
    assert got[4] == 2
    assert b"no such word" in got
    assert ask(state, frame(b"say {}")).endswith(b"{}told\n")


def test_all_that_wait_are_judged_together(state: StateDir, daemon: Daemon) -> None:
    daemon()
    got: list[bytes] = []
    first = threading.Thread(target=lambda: got.append(ask(state, frame(b"together"))))
    first.start()
    rest = [threading.Thread(target=lambda: got.append(ask(state, frame(b"together")))) for _ in range(5)]
    for thread in rest:
        thread.start()
    for thread in (first, *rest):
        thread.join()
    assert len(got) == 6
    assert not all(b'"together":1' in answer for answer in got)


def test_it_is_private(state: StateDir, daemon: Daemon) -> None:
    daemon()
    entry = os.stat(state.socket)
    assert stat.S_ISSOCK(entry.st_mode)
    assert stat.S_IMODE(entry.st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
def test_another_user_is_not_answered(state: StateDir, daemon: Daemon) -> None:
    daemon()
    os.chmod(state.socket, 0o666)
    held = os.open(state.path, os.O_RDONLY)
    code = (
        "import os, socket, sys\n"
        f"os.fchdir({held}); os.setuid(12345)\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "try:\n    s.connect('daemon.sock'); s.sendall(sys.stdin.buffer.read()); print(s.recv(9))\n"
        "except PermissionError: print('refused')\n"
        "except ConnectionError: print(b'')\n"
    )
    os.chmod(state.path, 0o755)
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=frame(b"say {}"),
        capture_output=True,
        pass_fds=(held,),
        check=True,
    )
    os.close(held)
    assert run.stdout.strip() == b"b''"


def test_only_one_runs(state: StateDir, daemon: Daemon) -> None:
    first = daemon()
    assert lock.holder(state) == first.pid
    second = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("plugged.py")), state.path], check=False
    )
    assert second.returncode == 7
    assert ask(state, frame(b"say {}")).endswith(b"{}told\n")


def test_it_starts_where_a_killed_one_left_its_socket(state: StateDir, daemon: Daemon) -> None:
    first = daemon()
    first.kill()
    first.wait()
    assert lock.holder(state) is None
    assert os.path.exists(state.socket)
    daemon()

    def answers() -> bool:
        try:
            return ask(state, frame(b"say {}")).endswith(b"{}told\n")
        except ConnectionRefusedError:
            return False

    wait_for(answers)


def test_it_ends_when_idle(state: StateDir, daemon: Daemon) -> None:
    process = daemon(0.3)
    assert process.wait(20) == 0
    assert not os.path.exists(state.socket)


def test_terminated_it_answers_first(state: StateDir, daemon: Daemon) -> None:
    process = daemon()
    with connect(state) as connection:
        connection.sendall(frame(b"sleep 0.5"))
        wait_for(lambda: True)

        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert connection.recv(100).endswith(b"{}")
    assert process.wait(20) == 0
    assert not os.path.exists(state.socket)


def test_a_client_of_another_version_is_sent_away_and_ends_it(state: StateDir, daemon: Daemon) -> None:
    process = daemon()
    assert ask(state, frame(b"say {}", version="0.0.1")) == b"RWX1" + bytes(9)
    assert process.wait(20) == 0


def test_it_ends_when_its_socket_is_taken_away(
    state: StateDir, daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = daemon(60.0)
    os.unlink(state.socket)
    assert process.wait(20) == 0


def test_requests_are_decoded_as_they_were_sent() -> None:
    request = protocol.request(b"1\0claude\x001\0A=b=c\0EMPTY=\0", b"x")
    assert request == Request("1", "claude", True, {"A": "b=c", "EMPTY": ""}, b"x")
    for broken in (b"", b"1\0claude\0", b"1\0claude\x000"):
        with pytest.raises(Malformed):
            protocol.request(broken, b"")


def test_an_answer_too_few_is_no_verdict_for_all() -> None:
    requests = [Request("1", "claude", notify, {}, b"") for notify in (False, True)]
    assert [reply.exit for reply in judged(lambda _: [], requests)] == [2, 1]


def test_more_than_a_group_are_all_answered(state: StateDir, daemon: Daemon) -> None:
    daemon()
    waiting = [connect(state) for _ in range(3 * GROUP)]
    for n, connection in enumerate(waiting):
        connection.sendall(frame(b"say {%d}" % n))
    for n, connection in enumerate(waiting):
        with connection:
            assert connection.recv(100).endswith(b"{%d}told\n" % n)


def test_a_reply_larger_than_the_socket_takes_arrives_whole(state: StateDir, daemon: Daemon) -> None:
    daemon()
    with connect(state) as slow:
        slow.sendall(frame(b"say " + b"x" * 4_000_000))
        assert ask(state, frame(b"say {}")).endswith(b"{}told\n")  # nobody waits for the slow one
        got = bytearray()
        while part := slow.recv(1 << 20):
            got += part
    assert len(got) == 13 + 4_000_000 + 5


@pytest.mark.skipif(sys.platform != "linux", reason="counts and limits another process's descriptors")
def test_without_descriptors_the_slowest_gives_way(state: StateDir, daemon: Daemon) -> None:
    import resource

    process = daemon()
    open_now = len(os.listdir(f"/proc/{process.pid}/fd"))
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (open_now + 3, open_now + 3))
    silent = [connect(state) for _ in range(8)]
    try:
        for _ in range(3):
            assert ask(state, frame(b"say {}")) == protocol.reply_frame(HookReply(b"{}", b"told\n"))
        assert process.poll() is None
    finally:
        for connection in silent:
            connection.close()
