"""Ways to be rid of the governor: its files, registration, processes, package and environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

from .conftest import Ground

STATE = "~/.local/state/ringwall"
POLICY = (".ringwall/permissions.json", ".ringwall/ringwall.toml", "~/.config/ringwall/permissions.json")
REGISTRATION = (".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json")
STATE_FILES = (f"{STATE}/ringwall.db", f"{STATE}/journal.head", f"{STATE}/daemon.lock", f"{STATE}/new")


@pytest.fixture(autouse=True)
def files(ground: Ground) -> None:
    for name in (*POLICY, *REGISTRATION):
        ground.write(name, {})
    assert ground.verdict("ls") == "allow"


def tried(ground: Ground, name: str) -> list[str | tuple[str, Mapping[str, Any]]]:
    """The same write by each tool and program."""
    whole = str(ground.home / name[2:] if name.startswith("~/") else ground.project / name)
    return [
        ("Write", {"file_path": whole, "content": "{}"}),
        ("Edit", {"file_path": whole, "old_string": "deny", "new_string": "allow"}),
        ("MultiEdit", {"file_path": whole, "edits": [{"old_string": "a", "new_string": "b"}]}),
        ("mcp__files__write_file", {"path": whole, "content": "{}"}),
        f"echo {{}} > {whole}",
        f"sed -i s/deny/allow/ {whole}",
        f"tee {whole} < loose.json",
        f"cp loose.json {whole}",
        f"install -m 600 loose.json {whole}",
        f"python3 -c \"open('{whole}', 'w').write('x')\"",
        f"rm -f {whole}",
        f"truncate -s 0 {whole}",
        f"chmod 000 {whole}",
        f"ln -sf /dev/null {whole}",
        f"ln {whole} other && echo x > other",
        f"ln -s {whole} link && echo x > link",
        f"ln -s {os.path.dirname(whole)} folder && rm folder/{os.path.basename(whole)}",
        f"mv {os.path.dirname(whole)} elsewhere",
    ]


@pytest.mark.parametrize("name", [*POLICY, *REGISTRATION, *STATE_FILES])
def test_its_files_are_not_an_agents_by_any_tool(ground: Ground, name: str) -> None:
    assert {str(way): ground.verdict(way) for way in tried(ground, name)} == {
        str(way): "deny" for way in tried(ground, name)
    }


@pytest.mark.parametrize(
    "line",
    [
        "kill {pid}",
        "kill -9 {pid}",
        "kill -s TERM {pid}",
        "pkill ringwall",
        "pkill -f ringwall.daemon",
        "killall ringwall",
        "kill $(cat {state}/daemon.lock)",
        "ringwall daemon stop",
        "fuser -k {state}/daemon.sock",
    ],
)
def test_its_processes_are_not_an_agents_to_end(ground: Ground, line: str) -> None:
    assert ground.verdict(line.format(pid=os.getpid(), state=ground.state.path)) == "deny"


@pytest.mark.parametrize(
    "line",
    [
        "pip uninstall ringwall",
        "pip uninstall -y ringwall",
        "python3 -m pip uninstall -y ringwall",
        "pip install ringwall==0.0.1",
        "uv pip uninstall ringwall",
        "uv tool uninstall ringwall",
        "pipx uninstall ringwall",
        "sh -c 'yes | pip uninstall ringwall'",
    ],
)
def test_its_package_is_not_an_agents_to_remove(ground: Ground, line: str) -> None:
    assert ground.verdict(line) == "deny"


@pytest.mark.parametrize(
    "line",
    [
        "RINGWALL_HOME=/tmp/x ringwall approve 1",
        "env -u CLAUDECODE ringwall approve 1",
        "CLAUDECODE= CLAUDE_CODE_SESSION_ID= ringwall approve 1",
        "env -i PATH=$PATH ringwall off --for 1d",
        "PYTHONPATH=/tmp/x ringwall trust",
        "unset CLAUDECODE; ringwall approve 1",
        "HOME=/tmp/x claude -p hi",
        "env HOME=/tmp/x claude -p hi",
        "export HOME=/tmp/x; claude -p hi",
        "CLAUDE_CONFIG_DIR=/tmp/x claude -p hi",
        "RINGWALL_HOME=/tmp/x claude -p hi",
        "XDG_CONFIG_HOME=/tmp/x codex exec hi",
        "CODEX_HOME=$(mktemp -d) codex exec hi",
        "cd /tmp && HOME=/tmp/x timeout 60 claude -p hi",
    ],
)
def test_no_environment_leads_past_it(ground: Ground, line: str) -> None:
    assert ground.verdict(line) == "deny"


@pytest.mark.parametrize(
    "line", ["claude -p hi", "FOO=1 claude -p hi", "HOME=/tmp/x make", "RINGWALL_HOME=/tmp/x ringwall status"]
)
def test_other_environments_are_not_its_matter(ground: Ground, line: str) -> None:
    assert ground.verdict(line) != "deny"


@pytest.mark.parametrize(
    "line",
    [
        "mount --bind /tmp/x {state}",
        "systemctl --user stop ringwall",
        "kill -STOP {pid}",
        "python3 -c 'import os; os.kill({pid}, 9)'",
        "conda remove ringwall",
    ],
)
def test_what_is_less_plain_needs_a_person(ground: Ground, line: str) -> None:
    assert ground.verdict(line.format(pid=os.getpid(), state=ground.state.path)) == "ask"
