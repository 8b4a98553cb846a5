"""A state with something of everything, for pictures and for the browser tests."""

from __future__ import annotations

import json

from ringwall.approvals.grants import Scope
from ringwall.judge.desk import Yes
from ringwall.policy.pattern_for import Offered

from .world import World

ANN = "person:ann"


def seed(world: World) -> dict[str, str]:
    """Fill it; the numbers and ids by which its pages are found."""
    _project(world)
    for command in ("ls -la", "git status", "npm test", "rg price src", "rm -rf /", "cat README.md"):
        world.ask(command, session="4f1c09")
    world.ask("npm test", session="4f1c09", agent_id="a1", agent_type="reviewer")
    world.ask("git push origin topic", session="4f1c09")
    world.desk.approve(Yes(1, world.desk.one(1).binding, ANN))
    world.ask("git push origin topic", session="4f1c09")
    world.ask("npm publish", session="4f1c09")
    world.desk.reject(2, world.desk.one(2).binding, ANN, "Not before the release notes are written.")
    world.ask("npm publish", session="4f1c09")
    world.ask("pkill -f vite", session="4f1c09")
    _always(world, 3, Scope.PROJECT)
    world.ask("pkill -f vite", session="b7a2e4")
    # what waits
    world.ask("npm test && git push --force origin main", session="4f1c09")
    world.ask("pkill -f esbuild", session="b7a2e4", permission_mode="acceptEdits")
    edit = {
        "file_path": str(world.project / "CLAUDE.md"),
        "old_string": "Run the tests before you commit.\nAsk before you push.",
        "new_string": "Run the tests before you commit.\nPush when they pass.",
    }
    world.ask(session="b7a2e4", tool_name="Edit", tool_input=edit)
    world.ask("git push origin fix\u202eniam\u202c\u200b && echo sent", session="b7a2e4")
    waiting = {json.dumps(one.content["input"]): one.number for one in world.desk.pending()}
    return {
        "rule": str(next(number for text, number in waiting.items() if "esbuild" in text)),
        "event": world.desk.newest(99)[-2].event,
    }


def _project(world: World) -> None:
    (world.project / "package.json").write_text('{"name": "shop", "scripts": {"test": "node --test"}}\n')
    (world.project / "CLAUDE.md").write_text("Run the tests before you commit.\nAsk before you push.\n")
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "Begin")
    rules = world.home / ".config" / "ringwall"
    rules.mkdir(parents=True)
    text = {
        "permissions": {"allow": ["Bash(npm test:*)"], "ask": ["Bash(docker:*)"], "deny": ["Read(./.env)"]}
    }
    (rules / "permissions.json").write_text(json.dumps(text, indent=2))


def _always(world: World, number: int, scope: Scope) -> None:
    proposal = world.desk.one(number)
    offered = world.desk.offer(proposal)
    assert isinstance(offered, Offered), offered
    world.desk.approve(Yes(number, proposal.binding, ANN, scope=scope, rule=offered.rule))
