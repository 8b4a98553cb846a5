"""The canon of a project: one entry more or less, and all else as a person wrote it."""

from __future__ import annotations

import pytest

from harvest.world import World
from ringwall.harvest import canon

ENTRY = "toolkit-log/upstream-pending/x.md"

CANONS = {
    "commented": "# ours\nversion: 1\nupstream_pending:\n  - a.md # first\n  # about b\n  - b.md\n\n# rules\n"
    "rules:\n  - {id: 1, text: 'x y'}\n  - id: 2\n    text: >\n      folded\n      text\n",
    "other line ends": "version: 1\r\nupstream_pending:\r\n- a.md\r\n",
    "in one line": "upstream_pending: [a.md]\n",
    "empty": "version: 1\nupstream_pending: []  # none yet\nyes: yes\nday: 2026-01-01\n",
    "with a mark": "\ufeffversion: 1\nupstream_pending: []\n",
    "framed": "%YAML 1.1\n---\nversion: 1\nupstream_pending: []\n...\n",
    "twice the same": "upstream_pending:\n- a.md\n- a.md\n",
    "quoted": "upstream_pending:\n- 'a.md'\n- \"b.md\"\n",
}


@pytest.mark.parametrize("text", CANONS.values(), ids=CANONS)
def test_an_entry_comes_and_goes_and_leaves_no_trace(world: World, text: str) -> None:
    path = world.canon("")
    path.write_bytes(text.encode())
    project = str(world.project)
    before = canon.pending(world.state, project)
    assert canon.add(world.state, project, ENTRY)
    assert not canon.add(world.state, project, ENTRY)
    assert canon.pending(world.state, project) == [*before, ENTRY]
    with_entry = path.read_bytes()
    kept = [line for line in text.encode().splitlines() if b"upstream_pending" not in line]
    assert [line for line in kept if line not in with_entry.splitlines()] == []
    assert canon.take_out(world.state, project, ENTRY)
    assert not canon.take_out(world.state, project, ENTRY)
    assert path.read_bytes().replace(b"  # none", b" # none") == text.encode().replace(
        b"  # none", b" # none"
    )


@pytest.mark.parametrize(
    "text", ["rules:\n- a\n", "upstream_pending:\n", "a: &x {k: 1}\nb: *x\nupstream_pending: ~\n", "{a: 1}\n"]
)
def test_what_is_written_otherwise_is_changed_by_the_library(world: World, text: str) -> None:
    path = world.canon(text)
    project = str(world.project)
    canon.add(world.state, project, ENTRY)
    assert canon.pending(world.state, project) == [ENTRY]
    canon.take_out(world.state, project, ENTRY)
    assert canon.pending(world.state, project) == []
    assert text.split(":")[0] in path.read_text()


def test_the_first_canon_is_made_once(world: World) -> None:
    project = str(world.project)
    assert canon.begin(world.state, project)
    canon.add(world.state, project, ENTRY)
    assert not canon.begin(world.state, project)
    assert canon.pending(world.state, project) == [ENTRY]
