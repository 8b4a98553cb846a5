"""The two clients: one behaviour, whatever the daemon does. Each test runs both."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ringwall import __version__
from ringwall.daemon import client as python_client
from ringwall.daemon import protocol
from ringwall.store.paths import StateDir

from .conftest import read_request

Client = Callable[..., subprocess.CompletedProcess[bytes]]
Daemon = Callable[..., subprocess.Popen[bytes]]

ROOT = Path(__file__).parents[2]


def frame(exit_code: int, out: bytes, err: bytes = b"") -> bytes:
    return (
        b"RWR1" + bytes([exit_code]) + len(out).to_bytes(4, "big") + len(err).to_bytes(4, "big") + out + err
    )


def outcome(run: subprocess.CompletedProcess[bytes]) -> tuple[int, bytes]:
    return run.returncode, run.stdout


def test_the_reply_is_passed_on(client: Client, daemon: Daemon) -> None:
    daemon()
    run = client(b'say {"a":"}\\""}')
    assert outcome(run) == (0, b'{"a":"}\\""}')
    assert run.stderr == b"told\n"
    run = client(b"block why not\n")
    assert outcome(run) == (2, b"")
    assert run.stderr == b"why not\n"


def test_large_payloads_arrive_whole(client: Client, daemon: Daemon) -> None:
    daemon()
    assert client(b"size " + b"x" * 9_000_000).stdout == b'{"size":9000005}'


def test_a_payload_beyond_the_limit_stops_the_call(client: Client, daemon: Daemon) -> None:
    daemon()
    run = client(b"x" * (protocol.PAYLOAD_LIMIT + 1))
    assert outcome(run) == (2, b"")
    assert b"64 MiB" in run.stderr


def test_the_agents_environment_comes_along(client: Client, daemon: Daemon) -> None:
    daemon()
    assert client(b"home ", HOME="/home/of/someone").stdout == b'{"home":"/home/of/someone"}'
    assert client(b"home ", HOME="x" * 5000).stdout == b'{"home":""}'  # too long: unknown, never cut


def test_a_state_path_longer_than_an_address(client: Client, tmp_path: Path) -> None:
    """The socket is named relative to its directory."""
    deep = tmp_path / ("d" * 120) / ("e" * 120) / "state"
    server = subprocess.Popen([sys.executable, str(Path(__file__).with_name("plugged.py")), str(deep)])
    try:
        end = time.monotonic() + 20
        while not (deep / "daemon.sock").exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        assert client(b"say {}", RINGWALL_HOME=str(deep)).stdout == b"{}"
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize(("words", "status"), [(("claude",), 2), (("--notify", "claude"), 1)])
@pytest.mark.parametrize(
    "answer",
    {
        "nothing": b"",
        "half a head": b"RWR1\0\0",
        "no body": frame(0, b"{}")[:13],
        "half a body": frame(0, b'{"a":"b"}')[:-3],
        "bytes after it": frame(0, b"{}") + b"!",
        "another magic": b"HTTP/1.1 200 OK\r\n\r\n",
        "an unknown status": frame(3, b"{}"),
        "a huge size": b"RWR1\0" + b"\xff" * 8,
        "a log line first": frame(0, b"warning: x\n{}"),
        "a line after": frame(0, b"{}\n"),
        "two objects": frame(0, b"{}{}"),
        "half an object": frame(0, b'{"a":{}'),
        "an open string": frame(0, b'{"a":"}'),
        "an array": frame(0, b"[]"),
        "text": frame(0, b"ok"),
    }.items(),
    ids=lambda item: item[0],
)
def test_anything_but_a_whole_reply_is_no_verdict(
    client: Client,
    broken_server: Callable[[bytes], None],
    answer: tuple[str, bytes],
    words: tuple[str, ...],
    status: int,
) -> None:
    broken_server(answer[1])
    run = client(b"{}", *words)
    assert outcome(run) == (status, b"")
    assert run.stderr.startswith(b"Ringwall has no verdict: ")
    assert run.stderr.endswith(b"Run `ringwall doctor`.\n")


def test_a_daemon_that_dies_in_the_middle_of_the_call(client: Client, daemon: Daemon) -> None:
    daemon()
    assert outcome(client(b"die ")) == (2, b"")


def test_a_daemon_killed_in_the_middle_of_the_call(client: Client, daemon: Daemon) -> None:
    process = daemon()
    script = f"sleep 0.3; kill -9 {process.pid}"
    killer = subprocess.Popen(["sh", "-c", script])
    assert outcome(client(b"sleep 20")) == (2, b"")
    killer.wait()


def test_without_a_daemon_the_python_path_answers(client: Client, stand_in: Callable[[str], None]) -> None:
    stand_in('printf \'{"args":"%s","in":"\' "$*"; cat; printf \'"}\'')
    assert outcome(client(b"payload")) == (0, b'{"args":"hook claude","in":"payload"}')


def test_a_daemon_of_another_version_is_passed_by(
    client: Client, stand_in: Callable[[str], None], broken_server: Callable[[bytes], None]
) -> None:
    stand_in("cat >/dev/null; echo '{}'")
    broken_server(b"RWX1" + bytes(9))
    assert outcome(client(b"{}")) == (0, b"{}\n")


@pytest.mark.parametrize(
    ("script", "status"),
    [("exit 0", 0), ("exit 2", 2), ("exit 1", 2), ("exit 3", 2), ("exit 127", 2), ("kill -9 $$", 2)],
)
def test_a_python_path_that_fails_is_no_verdict(
    client: Client, stand_in: Callable[[str], None], script: str, status: int
) -> None:
    stand_in(script)
    assert client(b"{}").returncode == status


def test_notify_is_told_to_the_python_path(client: Client, stand_in: Callable[[str], None]) -> None:
    stand_in('test "$RINGWALL_HOOK_NOTIFY" = 1 || exit 0; exit 2')
    assert client(b"{}", "--notify", "claude").returncode == 1
    assert client(b"{}", RINGWALL_HOOK_NOTIFY="1").returncode == 0


def test_no_ringwall_beside_it(client: Client) -> None:
    assert outcome(client(b"{}", "claude", PATH="")) == (2, b"")


@pytest.mark.parametrize("home", ["", "relative", "/proc/nothing", "/dev/null"])
def test_a_state_directory_that_is_none_leads_to_the_python_path(
    client: Client, stand_in: Callable[[str], None], home: str
) -> None:
    stand_in("echo '{}'")
    assert outcome(client(b"{}", RINGWALL_HOME=home)) == (0, b"{}\n")


def test_a_state_directory_that_others_can_write_is_not_used(
    client: Client, daemon: Daemon, stand_in: Callable[[str], None], state: StateDir
) -> None:
    daemon()
    os.chmod(state.path, 0o777)
    stand_in("echo '{\"python\":1}'")
    assert client(b"say {}").stdout == b'{"python":1}\n'


@pytest.mark.parametrize("words", [("--what",), ("a", "b"), ("",), ("x" * 64,), ("--notify",)])
def test_wrong_use_stops_the_call(client: Client, words: tuple[str, ...]) -> None:
    run = client(b"{}", *words)
    assert outcome(run) == (1 if "--notify" in words else 2, b"")
    assert b"usage" in run.stderr


def test_a_closed_stdout_stops_the_call(client: Client, daemon: Daemon) -> None:
    daemon()
    argv = " ".join(client.argv)  # type: ignore[attr-defined]
    run = subprocess.run(
        ["sh", "-c", f"printf 'say {{}}' | {argv} claude >&-"],
        env={"RINGWALL_HOME": os.path.dirname(_socket_of(daemon))},
        capture_output=True,
        check=False,
    )
    assert run.returncode == 2


def _socket_of(daemon: Daemon) -> str:
    cells = [cell.cell_contents for cell in daemon.__closure__ or ()]
    return next(cell.socket for cell in cells if isinstance(cell, StateDir))


def test_the_version(client: Client) -> None:
    assert client(b"", "--version").stdout.decode() == f"ringwall-hook {__version__}\n"


def test_both_send_the_same_bytes(native: Path, state: StateDir) -> None:
    """What each client puts on the wire for one call, byte for byte."""
    script = [sys.executable, "-I", "-S", str(ROOT / "src/ringwall/daemon/client.py")]
    environ = {
        "RINGWALL_HOME": state.path,
        "HOME": "/h",
        "PATH": "/bin",
        "TMPDIR": "",
        "EDITOR": "é",
        "XX": "no",
    }
    sent = []
    for argv in ([str(native)], script):
        here = os.getcwd()
        os.chdir(state.path)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind("daemon.sock")
        os.chdir(here)
        listening.listen(1)
        got: list[bytes] = []

        def take(listening: socket.socket = listening, got: list[bytes] = got) -> None:
            connection, _ = listening.accept()
            with connection:
                got.append(read_request(connection))
                connection.sendall(frame(0, b"{}"))

        thread = threading.Thread(target=take)
        thread.start()
        run = subprocess.run(
            [*argv, "claude"], input=b'{"x":1}', env=environ, capture_output=True, check=False
        )
        thread.join()
        listening.close()
        os.unlink(state.socket)
        assert run.stdout == b"{}"
        sent.append(b"".join(got))
    assert sent[0] == sent[1]
    header, payload = protocol.sizes(sent[0][:12])
    request = protocol.request(sent[0][12 : 12 + header], sent[0][12 + header :])
    assert request.payload == b'{"x":1}'
    assert payload == 7
    assert request.environ == {"HOME": "/h", "PATH": "/bin", "TMPDIR": "", "EDITOR": "é"}


def test_both_know_the_same_variables_limits_and_version() -> None:
    source = (ROOT / "native" / "ringwall_hook.c").read_text()
    table = source[source.index("ENVIRONMENT[] = {") : source.index("};", source.index("ENVIRONMENT[] = {"))]
    assert tuple(name.encode() for name in re.findall(r'"(\w+)"', table)) == python_client.ENVIRONMENT
    assert __version__ == python_client.VERSION
    assert python_client.PAYLOAD_LIMIT == protocol.PAYLOAD_LIMIT
    assert python_client.REPLY_LIMIT == protocol.REPLY_LIMIT


def test_the_client_stands_alone() -> None:
    code = "import sys; before = set(sys.modules); sys.argv = ['x', '--version']; "
    code += f"exec(open({str(ROOT / 'src/ringwall/daemon/client.py')!r}).read().split('if __name__')[0]); "
    code += "print(sorted(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() in ("[]", "['_socket']")


def test_a_signal_is_not_a_verdict(client: Client, daemon: Daemon, state: StateDir) -> None:
    daemon()
    process = subprocess.Popen(
        [*client.argv, "claude"],  # type: ignore[attr-defined]
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"RINGWALL_HOME": state.path},
    )
    assert process.stdin is not None
    process.stdin.write(b"sleep 5")
    process.stdin.close()
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == -signal.SIGTERM
    assert process.stdout is not None
    assert process.stdout.read() == b""
    process.stdout.close()
