"""What is missing is named, with how to get it; everything else goes on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from ringwall.model.errors import RingwallError
from ringwall.reading import isolation
from ringwall.reading.isolation import Isolation, Wall, launcher, stand
from ringwall.reading.reader import start_playwright
from ringwall.reading.sender import Sender


def test_without_the_extra_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(RingwallError, match=r"ringwall\[reading\]"):
        asyncio.run(start_playwright())
    with pytest.raises(RingwallError, match=r"ringwall\[reading\]"):
        Sender()


def test_without_the_extra_everything_imports_and_status_answers(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules.update({'playwright': None, 'playwright.async_api': None, 'httpx': None});"
        "import ringwall.judge.reading, ringwall.daemon.reading, ringwall.mcp.reading;"
        "from ringwall.cli.main import main; sys.argv = ['ringwall', 'reading', 'status']; sys.exit(main())"
    )
    env = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "RINGWALL_HOME": str(tmp_path / "s")}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**env, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert "Reading is off" in done.stdout


def test_without_a_chromium_it_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_BINARIES", ())
    monkeypatch.setattr(isolation.shutil, "which", lambda _name: None)
    with pytest.raises(RingwallError, match="apt install chromium"):
        isolation.find_chromium()
    with pytest.raises(RingwallError, match="no program"):
        isolation.find_chromium("/nonexistent/chromium")


def test_without_a_wall_nothing_reads_unless_the_weaker_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "fault_of", lambda one: None if one is Isolation.SWITCHES else _no())
    with pytest.raises(RingwallError, match="bubblewrap") as caught:
        stand(None)
    assert caught.value.code == "reading.no_isolation"
    assert stand(Isolation.SWITCHES).isolation is Isolation.SWITCHES
    with pytest.raises(RingwallError):
        stand(Isolation.JAIL)


def test_the_strongest_that_works_is_taken_and_why_no_stronger_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(isolation, "fault_of", lambda one: _no() if one is Isolation.JAIL else None)
    wall = stand(None)
    assert wall.isolation is Isolation.NAMESPACE
    assert "no bwrap" in str(wall.why)


def test_the_jail_has_no_network_and_no_files_of_a_person() -> None:
    text = launcher(Wall(Isolation.JAIL), "/usr/lib/chromium/chromium")
    assert "--unshare-all" in text
    assert "--share-net" not in text
    assert "--clearenv" in text
    bound = [word for word in text.split() if word.startswith("/")]
    assert not {"/", "/home", "/root", "/etc", "/run", "/tmp"} & {
        path for path, flag in zip(bound, text.split(), strict=False) if "bind" in flag
    }
    assert text.count("--tmpfs") == 3


def _no() -> object:
    from ringwall.model.text import msg

    return msg("no bwrap")
