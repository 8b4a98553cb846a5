"""Which files have changed between two looks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ringwall.judge.wall import snapshot
from ringwall.judge.wall.snapshot import changed, pack, take, unpack


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path in ("a.py", "src/b.py", "src/deep/c.py", ".git/index", "node_modules/x/y.js"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x = 1\n")
    return tmp_path


def test_new_gone_and_different_files_are_found(root: Path) -> None:
    before = take(str(root))
    assert changed(before, take(str(root))) == []
    (root / "a.py").write_text("x = 2\n")
    (root / "src/b.py").unlink()
    (root / "src/new.py").write_text("")
    (root / "node_modules/x/y.js").write_text("z")
    assert changed(before, take(str(root))) == ["a.py", "src/b.py", "src/new.py"]


def test_a_change_that_keeps_size_and_time_is_found(root: Path) -> None:
    before = take(str(root))
    entry = (root / "a.py").stat()
    (root / "a.py").write_text("x = 9\n")
    os.utime(root / "a.py", ns=(entry.st_atime_ns, entry.st_mtime_ns))
    assert changed(before, take(str(root))) == ["a.py"]


def test_a_named_file_that_was_only_touched_has_not_changed(root: Path) -> None:
    before = take(str(root), ["a.py"])
    os.utime(root / "a.py")
    (root / "src/b.py").touch()
    assert changed(before, take(str(root), ["a.py"], before)) == ["src/b.py"]


def test_a_link_and_what_it_leads_to_are_not_followed(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("x")
    (root / "link").symlink_to(outside)
    found = take(str(root), ["link"])
    assert "link" in found.files and not any(path.startswith("link/") for path in found.files)
    assert found.digests["link"] == ""


def test_what_is_kept_is_read_back(root: Path) -> None:
    odd = os.fsencode(str(root)) + b"/\xff.py"
    with open(odd, "w") as file:
        file.write("x")
    found = take(str(root), ["a.py", "src"], head="0" * 40)
    assert unpack(pack(found)) == found


def test_beyond_the_bound_nothing_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = take(str(root))
    monkeypatch.setattr(snapshot, "MOST_FILES", 2)
    part = take(str(root))
    assert whole.whole and not part.whole
    assert changed(whole, part) == []
