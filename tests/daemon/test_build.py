"""The client that the build puts into the wheel: native where it can be, and never a failed build."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from .conftest import ROOT

pytest.importorskip("hatchling")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What the build reads, apart from this checkout."""
    if not (ROOT / "build_client.py").exists():
        pytest.skip("not a checkout")
    copy = tmp_path / "tree"
    copy.mkdir()
    for name in ("src", "native"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "build_client.py"):
        shutil.copy(ROOT / name, copy)
    return copy


def build(tree: Path, out: Path, **environ: str) -> tuple[str, Path]:
    """The wheel's name and its client, unpacked."""
    env = {"PATH": os.environ["PATH"], "HOME": str(out), **environ}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=tree, env=env, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith("/scripts/ringwall-hook")]
        archive.extract(name, out)
        os.chmod(out / name, 0o755)
    return wheel.name, out / name


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_with_a_compiler_it_is_native(tree: Path, tmp_path: Path) -> None:
    name, client = build(tree, tmp_path / "out")
    assert not name.endswith("-any.whl")
    assert client.read_bytes()[:2] != b"#!"
    assert subprocess.check_output([client, "--version"]).startswith(b"ringwall-hook ")


@pytest.mark.parametrize("compiler", ["none", "fails", "lies", "does not run"])
def test_without_a_working_compiler_it_is_python(tree: Path, tmp_path: Path, compiler: str) -> None:
    bin_dir = tmp_path / "compilers"
    bin_dir.mkdir()
    scripts = {
        "fails": "exit 1",
        "lies": "exit 0",
        "does not run": 'while [ $# -gt 1 ]; do [ "$1" = -o ] && echo broken >"$2"; shift; done',
    }
    if compiler in scripts:
        for name in ("cc", "gcc", "clang", "musl-gcc"):
            (bin_dir / name).write_text(f"#!/bin/sh\n{scripts[compiler]}\n")
            (bin_dir / name).chmod(0o755)
    name, client = build(tree, tmp_path / "out", PATH=str(bin_dir))
    assert name.endswith("-py3-none-any.whl")
    os.symlink(sys.executable, client.parent / "python3")
    assert subprocess.check_output([client, "--version"]).startswith(b"ringwall-hook ")
    (client.parent / "ringwall").write_text("#!/bin/sh\ncat\n")
    (client.parent / "ringwall").chmod(0o755)
    link = tmp_path / "elsewhere"
    link.symlink_to(client)
    for path in (client, link):
        run = subprocess.run(
            [path, "claude"],
            input=b'{"a":1}',
            capture_output=True,
            env={**os.environ, "RINGWALL_HOME": "/proc/x"},
            check=False,
        )
        assert (run.returncode, run.stdout) == (0, b'{"a":1}')


def test_the_python_script_without_python_stops_the_call(tree: Path, tmp_path: Path) -> None:
    _, client = build(tree, tmp_path / "out", RINGWALL_NO_COMPILER="1")
    nothing = {"PATH": "/nowhere"}
    assert (
        subprocess.run(
            ["/bin/sh", client, "claude"], env=nothing, capture_output=True, check=False
        ).returncode
        == 2
    )
    words = ["/bin/sh", client, "--notify", "claude"]
    assert subprocess.run(words, env=nothing, capture_output=True, check=False).returncode == 1
