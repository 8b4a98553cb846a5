"""What doctor says about reading: nothing while it is off, and never silence about a weaker wall."""

from __future__ import annotations

from pathlib import Path

import pytest

from ringwall.reading import isolation
from ringwall.setup.check import Status
from ringwall.setup.check_reading import reading

WINDOW = (
    '[reading.window]\nsiteUrl = "https://example.invalid/erp/"\nsite = "a"\n'
    'account = "b"\ntenant = "c"\nrole = "d"\n'
)


def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "ringwall").mkdir()
    (tmp_path / "ringwall" / "ringwall.toml").write_text(text)


def test_off_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings(tmp_path, monkeypatch, 'preset = "guarded"\n')
    assert list(reading()) == []


def test_a_weaker_wall_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright")
    pytest.importorskip("httpx")
    monkeypatch.setattr("ringwall.setup.check_reading.find_chromium", lambda _chosen: "/usr/bin/chromium")
    settings(tmp_path, monkeypatch, f'[reading]\nisolation = "switches"\n{WINDOW}')
    found = {check.name: check for check in reading()}
    assert found["reading.isolation"].status is Status.WARN
    assert "switches only" in str(found["reading.isolation"].what)
    assert found["reading"].status is Status.FAIL  # there is no contract


def test_without_a_wall_it_is_refused_unless_the_weaker_one_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("playwright")
    pytest.importorskip("httpx")
    monkeypatch.setattr("ringwall.setup.check_reading.find_chromium", lambda _chosen: "/usr/bin/chromium")
    monkeypatch.setattr(isolation.shutil, "which", lambda _name: None)
    isolation.fault_of.cache_clear()
    settings(tmp_path, monkeypatch, f"[reading]\n{WINDOW}")
    try:
        failed = [check for check in reading() if check.status is Status.FAIL]
    finally:
        monkeypatch.undo()
        isolation.fault_of.cache_clear()
    assert "bwrap is not installed" in str(failed[0].what)
    assert "bubblewrap" in str(failed[0].repair)


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringwall.setup.check_reading.find_spec", lambda _name: None)
    settings(tmp_path, monkeypatch, f"[reading]\n{WINDOW}")
    (check,) = reading()
    assert check.status is Status.FAIL
    assert "ringwall[reading]" in str(check.repair)


def test_a_wrong_key_is_an_error_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings(tmp_path, monkeypatch, '[reading]\ncontrat = "/a"\n')
    (check,) = reading()
    assert check.status is Status.FAIL
    assert "contrat" in str(check.what)
