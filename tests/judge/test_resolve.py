"""The short way of resolving a path agrees with the system's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ringwall.judge.surroundings import DiskSurroundings
from ringwall.model.surroundings import Places

NAMES = ("a", "b", "link", "up", "loop", "gone", ".", "..", "", "file")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = Path(os.path.realpath(tmp_path_factory.mktemp("resolve")))
    project = top / "p"
    (project / "a" / "b").mkdir(parents=True)
    (top / "other").mkdir()
    (project / "file").write_text("x")
    (project / "link").symlink_to("a/b")
    (project / "a" / "up").symlink_to("../../other")
    (project / "loop").symlink_to("loop")
    return project


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(NAMES), max_size=5))
def test_it_agrees_with_realpath(root: Path, names: list[str]) -> None:
    path = "/".join((str(root), *names))
    disk = DiskSurroundings(Places(root=str(root), home=str(root.parent)), {})
    assert disk.resolve(path) == os.path.realpath(path)
