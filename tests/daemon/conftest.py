"""Both clients, a daemon with a handler of our own, and servers that break the protocol."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ringwall import __version__
from ringwall.daemon.protocol import HEAD_SIZE, sizes
from ringwall.store.paths import StateDir

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SOURCE = ROOT / "native" / "ringwall_hook.c"
PYTHON_CLIENT = ROOT / "src" / "ringwall" / "daemon" / "client.py"

Client = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def state(tmp_path: Path) -> StateDir:
    made = StateDir(str(tmp_path / "state"))
    made.prepare()
    return made


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None or not SOURCE.exists():
        pytest.skip("no C compiler here")
    program = tmp_path_factory.mktemp("native") / "ringwall-hook"
    subprocess.run(
        [compiler, "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", f'-DRINGWALL_VERSION="{__version__}"',
         "-o", str(program), str(SOURCE)],
        check=True,
    )  # fmt: skip
    return program


@pytest.fixture(params=["native", "python"])
def client(request: pytest.FixtureRequest, state: StateDir, tmp_path: Path) -> Client:
    """Runs one client with a `ringwall` of our own beside it: `client(payload, *words, **environ)`."""
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    if request.param == "native":
        shutil.copy(request.getfixturevalue("native"), bin_dir / "ringwall-hook")
        argv = [str(bin_dir / "ringwall-hook")]
    else:
        shutil.copy(PYTHON_CLIENT, bin_dir / "client.py")
        (bin_dir / "python3").symlink_to(os.path.realpath(sys.executable))
        argv = [str(bin_dir / "python3"), "-I", "-S", str(bin_dir / "client.py")]

    def run(payload: bytes, *words: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
        env = {"HOME": "/nowhere", "PATH": os.environ["PATH"], "RINGWALL_HOME": state.path, **environ}
        return subprocess.run(
            [*argv, *(words or ("claude",))],
            input=payload,
            capture_output=True,
            env=env,
            timeout=60,
            check=False,
        )

    run.bin = bin_dir  # type: ignore[attr-defined]
    run.argv = argv  # type: ignore[attr-defined]
    return run


@pytest.fixture
def stand_in(tmp_path: Path, client: Client) -> Callable[[str], None]:
    """Puts a shell script in the place of `ringwall`, beside the client."""

    def write(script: str) -> None:
        program = tmp_path / "bin" / "ringwall"
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(0o755)

    return write


@pytest.fixture
def daemon(state: StateDir) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def start(idle: float = 60.0) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, str(HERE / "plugged.py"), state.path, str(idle)])
        started.append(process)
        wait_for(lambda: os.path.exists(state.socket))
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def broken_server(state: StateDir) -> Iterator[Callable[[bytes], None]]:
    """Answers one connection with exactly these bytes after the whole request was read."""
    threads: list[threading.Thread] = []

    def serve(answer: bytes) -> None:
        here = os.getcwd()
        os.chdir(state.path)
        try:
            listening = socket.socket(socket.AF_UNIX)
            listening.bind("daemon.sock")
        finally:
            os.chdir(here)
        listening.listen(1)
        listening.settimeout(30)
        thread = threading.Thread(target=_answer_once, args=(listening, answer))
        thread.start()
        threads.append(thread)

    yield serve
    for thread in threads:
        thread.join()


def _answer_once(listening: socket.socket, answer: bytes) -> None:
    with listening:
        connection, _ = listening.accept()
    with connection:
        read_request(connection)
        connection.sendall(answer)


def read_request(connection: socket.socket) -> bytes:
    """The whole request, so that closing does not reset the connection."""
    got = connection.recv(1 << 20)
    while len(got) < HEAD_SIZE or len(got) < HEAD_SIZE + sum(sizes(got[:HEAD_SIZE])):
        got += connection.recv(1 << 20)
    return got


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)
