"""Where state lives, and the directories that are refused."""

import os
import stat
from pathlib import Path

import pytest

from ringwall.model.errors import StateError
from ringwall.store.paths import StateDir, locate


def test_ringwall_home_wins() -> None:
    assert locate({"RINGWALL_HOME": "/somewhere/else/"}).path == "/somewhere/else"


def test_the_platform_decides_otherwise() -> None:
    assert locate({}).path.endswith("ringwall")


@pytest.mark.parametrize("path", ["", "state", "./x"])
def test_a_relative_home_is_refused(path: str) -> None:
    with pytest.raises(StateError, match=r"state\.relative"):
        locate({"RINGWALL_HOME": path})


def test_it_is_made_private(state: StateDir) -> None:
    state.prepare()
    assert stat.S_IMODE(os.stat(state.path).st_mode) == 0o700


def test_one_that_others_can_read_becomes_private(state: StateDir) -> None:
    os.mkdir(state.path, 0o755)
    state.prepare()
    assert stat.S_IMODE(os.stat(state.path).st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_one_that_others_can_write_is_refused(state: StateDir, mode: int) -> None:
    os.mkdir(state.path)
    os.chmod(state.path, mode)
    with pytest.raises(StateError, match=r"state\.unsafe"):
        state.prepare()


def test_one_below_a_directory_that_others_can_write_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(StateError, match=r"others can replace"):
        StateDir(str(shared / "state")).prepare()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_one_of_another_user_is_refused_even_behind_a_link(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir(0o700)
    os.chown(theirs, 12345, 12345)
    link = tmp_path / "link"
    link.symlink_to(theirs)
    for path in (theirs, link):
        with pytest.raises(StateError, match="belongs to another user"):
            StateDir(str(path)).prepare()


@pytest.mark.parametrize("where", ["file/state", "file"])
def test_one_that_cannot_be_made_is_an_error_with_its_repair(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match=r"state\.unwritable") as caught:
        StateDir(str(tmp_path / where)).prepare()
    assert "RINGWALL_HOME" in str(caught.value.repair)
