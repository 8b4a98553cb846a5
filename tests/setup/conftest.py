"""A project and a home of their own for each test of setup."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Ground:
    """An empty project, an empty home and a state directory that does not exist yet."""

    project: Path
    home: Path
    env: dict[str, str]

    def settings(self, content: str | bytes, name: str = "settings.json") -> Path:
        path = self.project / ".claude" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    project, home = tmp_path / "a project", tmp_path / "home"
    project.mkdir()
    home.mkdir()
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "RINGWALL_HOME": str(tmp_path / "state")}
    return Ground(project, home, env)
