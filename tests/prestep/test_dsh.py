"""DeepSeek Harness: what its plug-in forwards of a step, and what is told there."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from prestep.world import Session
from ringwall.prestep.markers import Kind, body_of, marker_of
from ringwall.prestep.profile_file import shipped
from threat.conftest import Ground

Json = dict[str, Any]
RU = shipped("ru")
DEV = RU.role.hint.replace("{role}", "dev")


def step(ground: Ground, *texts: str, surface: tuple[str, ...] = (), **fields: Any) -> str:
    """What is told at a step with these messages of a person."""
    messages = [{"kind": "user", "text": text} for text in texts]
    given = {"event": "step", "session": "s1", "cwd": str(ground.project), "messages": messages,
             "surface": surface, **fields}  # fmt: skip
    reply = ground.judge.hook("dsh", json.dumps(given).encode(), {"HOME": str(ground.home)})
    assert reply.exit == 0 and not reply.stderr, reply.stderr
    return str(json.loads(reply.stdout).get("context", ""))


def bodies(told: str) -> list[str]:
    return told.split("\n\n")


def test_opening_check_and_role_are_told_at_the_first_step(session: Session, ground: Ground) -> None:
    opening, check, role = bodies(step(ground, "Напиши тест"))
    on = "Ringwall is on: it judges each tool call by the preset guarded."
    assert opening == body_of(on, Kind.BOOTSTRAP)
    assert "не подключён к обвязке" in check
    assert role == body_of(DEV)


def test_what_the_surface_or_the_step_shows_is_not_told_again(session: Session, ground: Ground) -> None:
    told = step(ground, "Напиши тест")
    assert step(ground, "Напиши тест", surface=(told,)) == ""
    assert step(ground, told, "Напиши тест") == ""
    assert step(ground, surface=(told,)) == ""  # an autonomous round
    first, *rest = bodies(told)
    assert step(ground, "Напиши тест", surface=(first,)) == "\n\n".join(rest)
    (ground.project / ".codegraph").mkdir()  # the missing set has changed
    assert "нет: openspec/; секция" in step(ground, "Напиши тест", surface=(told,))


@pytest.mark.parametrize("signal", [{"origin": "subagent"}, {"delegationDepth": 1}, {"subagentDepth": 1}])
def test_a_delegated_step_is_told_nothing(session: Session, ground: Ground, signal: Json) -> None:
    assert step(ground, "Напиши тест", lineage=signal, agent="a", parent="s1") == ""


def test_a_fork_is_told_everything(session: Session, ground: Ground) -> None:
    told = step(ground, "Напиши тест", lineage={"parentSession": "s1"}, agent="s2", parent="s1", depth=1)
    assert len(bodies(told)) == 3


@pytest.mark.parametrize(
    ("switches", "count"),
    [
        ({"bootstrap": False}, 2),
        ({"harnessCheck": False}, 2),
        ({"roleHint": False}, 2),
        ({"enabled": False}, 0),
    ],
)
def test_each_switch_of_the_bundle_is_for_its_own_hint(
    session: Session, ground: Ground, switches: Json, count: int
) -> None:
    told = step(ground, "Напиши тест", switches=switches)
    assert told.count("<!-- DSH-HARNESS-") == count


# ---- the plug-in itself, run by node without its host

STUB = """
const sent = [];
const tell = async (host, event) => {
  sent.push(event);
  if (REPLY === null && event.event === "step") throw new Error("gone");
  return REPLY;
};
const judge = async () => {};
"""
RUN = """
const listeners = {};
apply({ on: (name, listener) => { listeners[name] = listener; }, provide() {} }, CONFIG);
const decision = await listeners["agent/pre-step"](STEP(), async () => DECISION);
console.log(JSON.stringify({ decision, event: sent.find((each) => each.event === "step") }));
"""
AGENT = """
const EVENTS = {
  7: { type: "system/message", data: { message: { content: [{ text: "<!-- DSH-HARNESS-X" }] } } },
  8: { type: "user/message", data: { content: [{ type: "text", text: "hello" }] } },
  9: { type: "user/message", data: { content: [{ type: "text", text: "<!-- DSH-HARNESS-PRESTEP:0 -->" }] } },
  10: { type: "tool/result", data: { message: { content: [{ text: "<!-- DSH-HARNESS-Y" }] } } },
};
const STEP = () => ({ step: 2, agent: { id: "s2", options: { subagentDepth: 1 }, session: {
  header: { id: "s2", cwd: "/work", parentSession: "s1" },
  surface: { nodes: [7, 8, 9, 10] }, eventAt: (seq) => EVENTS[seq] } } });
"""


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not here")
    return found


def run(node: str, folder: Path, reply: Json | None, decision: Json, config: Json | None = None) -> Json:
    source = (files("ringwall.hosts") / "plugins" / "dsh.mjs").read_text(encoding="utf-8")
    constants = {"REPLY": reply, "DECISION": decision, "CONFIG": config}
    given = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    script = folder / "plugin.mjs"
    script.write_text(given + STUB + source + AGENT + RUN, encoding="utf-8")
    done = subprocess.run([node, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    told: Json = json.loads(done.stdout)
    return told


HELLO = {"role": "user", "content": [{"type": "text", "text": "hello"}], "source": {"kind": "user"}}
ENTER: Json = {"kind": "enter", "messages": [HELLO, {"role": "user", "content": "plain"}]}


def test_the_plugin_forwards_what_the_step_shows_and_adds_one_message(node: str, tmp_path: Path) -> None:
    told = run(node, tmp_path, {"context": "a hint"}, ENTER, {"harnessCheck": False})
    event = told["event"]
    assert event["messages"] == [{"kind": "user", "text": "hello"}, {"kind": "", "text": "plain"}]
    assert event["surface"] == ["<!-- DSH-HARNESS-PRESTEP:0 -->"]
    assert event["lineage"] == {
        "origin": "", "delegationDepth": 0, "parentSession": "s1", "subagentDepth": 1,
    }  # fmt: skip
    assert event["switches"] == {"enabled": True, "bootstrap": True, "harnessCheck": False, "roleHint": True}
    *before, added = told["decision"]["messages"]
    assert before == ENTER["messages"]
    assert added == {"role": "user", "content": [{"type": "text", "text": "a hint"}],
                     "source": {"kind": "ringwall"}}  # fmt: skip


@pytest.mark.parametrize("reply", [{}, {"context": ""}, None])
def test_without_a_hint_a_step_goes_on_unchanged(node: str, tmp_path: Path, reply: Json | None) -> None:
    assert run(node, tmp_path, reply, ENTER)["decision"] == ENTER


def test_a_rejected_step_stays_rejected(node: str, tmp_path: Path) -> None:
    assert run(node, tmp_path, {"context": "a hint"}, {"kind": "reject"})["decision"] == {"kind": "reject"}


def test_the_markers_of_both_kinds_differ() -> None:
    assert marker_of("x", Kind.BOOTSTRAP) != marker_of("x")
