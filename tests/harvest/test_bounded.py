"""The bounded call of an engine: what it gives back, and that nothing of it lives on."""

import os
import sys
import time
from pathlib import Path

import pytest

from ringwall.harvest.grouping import bounded
from ringwall.harvest.grouping.bounded import EngineError, call

ENVIRON = {"PATH": "/usr/bin:/bin"}
linux = pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")


def shell(script: str, given: bytes = b"", seconds: float = 20) -> bytes:
    return call(["/bin/sh", "-c", script], given, ENVIRON, seconds)


def dead(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_it_is_given_its_input_and_gives_back_its_output() -> None:
    assert shell("cat; echo more") == b"more\n"
    assert shell("cat", b"words\n") == b"words\n"


def test_its_folder_is_empty_private_and_gone_afterwards() -> None:
    folder, entries, mode = shell("pwd; ls -A | wc -l; stat -c %a .").decode().split()
    assert (entries, mode) == ("0", "700")
    assert not Path(folder).exists()


def test_it_sees_only_the_environment_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "x")
    assert b"A_SECRET" not in shell("env")


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("echo '{}'; exit 3", "harvest.engine.failed"),
        ("echo '{}'; kill -9 $$", "harvest.engine.failed"),
        ("yes", "harvest.engine.too_long"),
        ("echo '{}'; sleep 60", "harvest.engine.late"),
    ],
)
def test_what_failed_in_any_way_has_no_output(script: str, code: str) -> None:
    with pytest.raises(EngineError) as raised:
        shell(script, seconds=1.5)
    assert raised.value.code == code


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(EngineError) as raised:
        call(["/nowhere/at/all"], b"", ENVIRON, 5)
    assert raised.value.code == "harvest.engine.not_started"


def test_too_much_is_refused_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded.subprocess, "Popen", None)
    with pytest.raises(EngineError) as raised:
        shell("cat", b"x" * (bounded.LONGEST_INPUT + 1))
    assert raised.value.code == "harvest.engine.input"


def test_it_does_not_wait_for_who_holds_the_output_open() -> None:
    begun = time.monotonic()
    assert shell("sleep 30 & echo done") == b"done\n"
    assert time.monotonic() - begun < 15


@linux
@pytest.mark.parametrize("escape", ["", "setsid ", "nohup setsid -f "])
@pytest.mark.parametrize("ending", ["exit 0", "sleep 60"])
def test_nothing_lives_on_not_even_in_a_session_of_its_own(escape: str, ending: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    inner = f"echo $$ >> {pids}; sleep 60"
    script = f"{escape}sh -c '{inner}' >/dev/null 2>&1 & while ! [ -s {pids} ]; do sleep 0.02; done; {ending}"
    if ending == "exit 0":
        shell(script)
    else:
        with pytest.raises(EngineError):
            shell(script, seconds=1.5)
    assert all(dead(int(pid)) for pid in pids.read_text().split())


@linux
def test_nothing_lives_on_when_the_caller_is_interrupted(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = (
        "import os, signal, threading, time\n"
        "from pathlib import Path\n"
        "from ringwall.harvest.grouping.bounded import call\n"
        f"pids = Path({str(pids)!r})\n"
        "def stop():\n"
        "    while not (pids.exists() and pids.read_text().strip()): time.sleep(0.02)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=stop, daemon=True).start()\n"
        f"script = 'setsid sh -c \"echo \\$\\$ >> {pids}; sleep 60\" & sleep 60'\n"
        "try: call(['/bin/sh', '-c', script], b'', {'PATH': '/usr/bin:/bin'}, 50)\n"
        "except KeyboardInterrupt: pass\n"
    )
    bounded.subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert all(dead(int(pid)) for pid in pids.read_text().split())
