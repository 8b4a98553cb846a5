"""A repository to judge commands in, beside these tests: the temporary directory would be scratch."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ringwall.judge.check import check
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision

Judged = Callable[[str], Decision]
HERE = Path(__file__).parent
FILES = {
    "README.md": "# App\n",
    "package.json": json.dumps(
        {"name": "app", "scripts": {"test": "jest", "build": "tsc", "lint": "eslint ."}}
    ),
    "Makefile": "all:\n\tcc -o app main.c\ntest: all\n\t./app --test\ndeploy:\n\t./deploy.sh\n",
    "index.js": "console.log('hello')\n",
    "src/main.py": "print('hello')\n",
    ".gitignore": "node_modules/\nbuild/\ndist/\n",
}


@pytest.fixture(scope="session")
def judged() -> Iterator[Judged]:
    """The decision on a command, preset guarded, as `ringwall check` makes it."""
    with tempfile.TemporaryDirectory(dir=HERE) as folder, pytest.MonkeyPatch.context() as patch:
        home = Path(folder) / "home"
        root = home / "code" / "app"
        _repository(root)
        patch.setenv("HOME", str(home))
        patch.setenv("RINGWALL_HOME", str(home / "state"))
        for name in ("TMPDIR", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR"):
            patch.delenv(name, raising=False)

        def judge(command: str) -> Decision:
            call = ToolCall(host="check", tool="Bash", input={"command": command}, cwd=str(root))
            return check(call, "guarded", None, str(root))

        yield judge


def _repository(root: Path) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git = ("git", "-c", "user.name=dev", "-c", "user.email=dev@example.org", "-C", str(root))
    clean = {"PATH": os.environ["PATH"], "HOME": str(root)}
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("commit", "-qm", "Begin"),
        ("switch", "-qc", "topic"),
    ):
        subprocess.run([*git, *words], check=True, env=clean)
