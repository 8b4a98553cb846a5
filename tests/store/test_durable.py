"""Files that survive: whole or not at all, no link followed, nothing lost that was told."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from ringwall.model.errors import StateError
from ringwall.store import durable
from ringwall.store.durable import folder


def test_a_file_is_written_read_and_removed(tmp_path: Path) -> None:
    with folder(str(tmp_path)) as top, top.below("a", "b", make=True) as below:
        assert below.read("x") is None
        below.write("x", b"one")
        below.write("x", b"two")
        assert below.read("x") == b"two"
        assert below.names() == ["x"]
        below.remove("x")
        below.remove("x")
        assert below.names() == []


def test_a_file_keeps_the_mode_that_a_person_gave_it(tmp_path: Path) -> None:
    (tmp_path / "canon.yaml").write_text("old")
    (tmp_path / "canon.yaml").chmod(0o644)
    with folder(str(tmp_path)) as top:
        top.write("canon.yaml", b"new")
        top.write("other", b"new")
    assert (tmp_path / "canon.yaml").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "other").stat().st_mode & 0o777 == 0o600


def test_what_a_crash_left_of_a_write_is_taken_away_by_the_next(tmp_path: Path) -> None:
    (tmp_path / ".x.new").write_text("half")
    with folder(str(tmp_path)) as top:
        top.write("x", b"whole")
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize(
    ("left", "kept"),
    [
        (b"", b""),
        (b'{"a":1}\n', b'{"a":1}\n'),
        (b'{"a":1}\n{"b":', b'{"a":1}\n'),
        (b'{"a":1}\n{"b":2}', b'{"a":1}\n{"b":2}\n'),
        (b'{"a":', b""),
        (b'{"a":1}\n\0\0\0', b'{"a":1}\n'),
        (b'{"a":1}\n' + b"x" * 200_000, b'{"a":1}\n'),
    ],
)
def test_a_broken_last_line_goes_and_a_whole_one_stays(tmp_path: Path, left: bytes, kept: bytes) -> None:
    for act in ("append", "settle"):
        (tmp_path / "rows").write_bytes(left)
        with folder(str(tmp_path)) as top:
            if act == "append":
                top.append("rows", b'{"c":3}\n')
            else:
                top.settle("rows")
        more = b'{"c":3}\n' if act == "append" else b""
        assert (tmp_path / "rows").read_bytes() == kept + more


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(durable.os, "write", lambda handle, data: write(handle, bytes(data[:3])))
    with folder(str(tmp_path)) as top:
        top.append("rows", b'{"a":"a long row"}\n')
        top.write("file", b"a long content")
        assert top.read("rows") == b'{"a":"a long row"}\n'
        assert top.read("file") == b"a long content"


def test_who_publishes_first_has_published(tmp_path: Path) -> None:
    with folder(str(tmp_path)) as top:
        assert top.publish("answer", b"first")
        assert not top.publish("answer", b"second")
        assert top.read("answer") == b"first"
        assert top.names() == ["answer"]


def test_a_folder_moves_only_to_where_nothing_is(tmp_path: Path) -> None:
    with folder(str(tmp_path)) as top:
        top.below("a", make=True).close()
        top.below("b", make=True).close()
        with pytest.raises(StateError):
            top.move("a", top, "b")
        top.move("a", top, "c")
        assert top.names() == ["b", "c"]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\0b"])
def test_a_name_is_one_component(tmp_path: Path, name: str) -> None:
    with folder(str(tmp_path)) as top, pytest.raises(StateError):
        top.write(name, b"")


def test_no_link_is_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    (real / "file").write_text("kept")
    link.symlink_to(real)
    (tmp_path / "rows").symlink_to(real / "file")
    with pytest.raises(StateError):
        folder(str(link))
    with folder(str(tmp_path)) as top:
        with pytest.raises(StateError):
            top.below("link")
        with pytest.raises(StateError):
            top.below("link", make=True)
        for act in (top.read, top.settle, lambda name: top.write(name, b""), lambda n: top.append(n, b"x\n")):
            with pytest.raises(StateError):
                act("rows")
        with pytest.raises(StateError), top.locked("rows"):
            pass
    assert (real / "file").read_text() == "kept"


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with folder(str(tmp_path)) as top:
        for act in (top.read, top.settle, lambda name: top.write(name, b"")):
            with pytest.raises(StateError):
                act("pipe")


def test_a_lock_holds_among_threads_and_says_when_it_cannot_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "LOCK_SECONDS", 0.05)
    told: list[str] = []

    def other() -> None:
        with folder(str(tmp_path)) as top:
            try:
                with top.locked():
                    told.append("in")
            except StateError as error:
                told.append(error.code)

    with folder(str(tmp_path)) as top, top.locked():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    other()
    assert told == ["state.locked", "in"]
