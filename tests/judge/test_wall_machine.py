"""The pointer in the real store under whatever hosts, crashes, people and rivals may do.

The model knows only what a plan's author would say: a step is done when the call that was let do it is known
to have happened. The pointer never skips, never moves on a non-step, never moves twice for one call.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from unittest import mock

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ringwall.journal.verify import verify
from ringwall.judge.judge import Judge

from .wall_world import ANN, SESSION, World, answer

STEPS = [{"op": "Bash", "object": f"make part{number}"} for number in range(1, 4)]
PLAN = [STEPS[0], {**SESSION, "produces": ["notes.md", "reports/shop.md"]}, STEPS[1], STEPS[1], STEPS[2]]
LAST = len(PLAN)
ACTS = [*(str(step["object"]) for step in STEPS), "notes.md", "reports/shop.md"]


class Wall(RuleBasedStateMachine):
    """`done` are the steps that are done; `holder` is (call, what it does) while a call holds the step."""

    calls = Bundle("calls")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        home = str(Path(self.folder.name) / "home")
        gone = dict.fromkeys(("RINGWALL_HEADLESS", "XDG_CONFIG_HOME", "CLAUDE_PROJECT_DIR"), "")
        self.env = mock.patch.dict(os.environ, {"HOME": home})
        self.env.start()
        for name in gone:
            os.environ.pop(name, None)
        self.world = World(Path(self.folder.name))
        self.rival: Judge = self.world.new_judge()
        self.done, self.written = 0, set[str]()
        self.holder: tuple[str, str] | None = None
        self.unknown = False
        self.number = 0
        self.spent: set[str] = set()

    def teardown(self) -> None:
        self.rival.close()
        self.world.close()
        self.env.stop()
        self.folder.cleanup()

    @initialize()
    def seal(self) -> None:
        self.world.seal(*PLAN)

    # ---- the model

    @property
    def wanted(self) -> set[str]:
        """What the step under the pointer lets a call do."""
        if self.done >= LAST:
            return set()
        if self.done == 1:
            return {"notes.md"} | ({"reports/shop.md"} if "notes.md" in self.written else set())
        return {str(PLAN[self.done]["object"])}

    def happened(self) -> None:
        assert self.holder is not None
        call, act = self.holder
        self.spent.add(call)
        if self.done == 1 and act == "notes.md":
            self.written.add(act)
        else:
            self.done += 1
        self.holder, self.unknown = None, False

    def payload(self, event: str, act: str, call: str) -> bytes:
        if act.startswith("make"):
            return self.world.payload(event, "Bash", {"command": act}, call)
        values = {"file_path": str(self.world.project / act), "content": "x"}
        return self.world.payload(event, "Write", values, call)

    def says(self, judge: Judge, event: str, act: str, call: str) -> str:
        return answer(judge.hook("claude", self.payload(event, act, call), self.world.environ))[0]

    # ---- what may happen

    @precondition(lambda self: self.holder is None and self.done < LAST)
    @rule(target=calls, rival=st.booleans(), last=st.booleans())
    def the_step_comes(self, rival: bool, last: bool) -> tuple[str, str]:
        return self.a_call(sorted(self.wanted)[-last], rival)

    @rule(target=calls, act=st.sampled_from(ACTS), rival=st.booleans())
    def a_call_comes(self, act: str, rival: bool) -> tuple[str, str]:
        return self.a_call(act, rival)

    def a_call(self, act: str, rival: bool) -> tuple[str, str]:
        self.number += 1
        call = f"c{self.number}"
        verdict = self.says(self.rival if rival else self.world.judge, "PreToolUse", act, call)
        free = self.holder is None and act in self.wanted
        assert verdict == ("allow" if free else "deny")
        if free:
            self.holder = (call, act)
        return call, act

    @rule(call=calls)
    def it_comes_again(self, call: tuple[str, str]) -> None:
        name, act = call
        verdict = self.says(self.world.judge, "PreToolUse", act, name)
        if self.holder == call and not self.unknown:
            assert verdict == "allow"
            return
        free = self.holder is None and act in self.wanted and name not in self.spent
        assert verdict == ("allow" if free else "deny")
        if free:
            self.holder = call

    @rule(act=st.sampled_from(["make part1", "make part2", "notes.md"]))
    def two_come_together(self, act: str) -> None:
        names = [f"t{self.number}a", f"t{self.number}b"]
        self.number += 1
        verdicts = self.world.together(*(self.payload("PreToolUse", act, name) for name in names))
        free = self.holder is None and act in self.wanted
        assert verdicts == (["allow", "deny"] if free else ["deny", "deny"])
        if free:
            self.holder = (names[0], act)

    @rule(call=calls, rival=st.booleans())
    def any_is_reported_done(self, call: tuple[str, str], rival: bool) -> None:
        self.it_is_reported_done(call, rival)

    def it_is_reported_done(self, call: tuple[str, str], rival: bool) -> None:
        name, act = call
        self.says(self.rival if rival else self.world.judge, "PostToolUse", act, name)
        if self.holder is not None and self.holder[0] == name:
            self.happened()

    @precondition(lambda self: self.holder is not None)
    @rule(rival=st.booleans())
    def what_holds_is_reported_done(self, rival: bool) -> None:
        assert self.holder is not None
        self.it_is_reported_done(self.holder, rival)

    @rule(call=consumes(calls))
    def it_is_reported_failed(self, call: tuple[str, str]) -> None:
        name, act = call
        self.says(self.world.judge, "PostToolUseFailure", act, name)
        if self.holder is not None and self.holder[0] == name:
            self.holder, self.unknown = None, False

    @rule(command=st.sampled_from(["ls", "git status", "touch x", "make other", "echo x > notes.md"]))
    def something_else_is_called(self, command: str) -> None:
        looks = command in ("ls", "git status")
        verdict, _ = self.world.bash(command)
        assert verdict == ("allow" if looks else "deny")

    @rule(tool=st.sampled_from(["mcp__playwright__browser_click", "mcp__playwright__browser_snapshot"]))
    def a_browser_is_used(self, tool: str) -> None:
        verdict, _ = self.world.before(tool, {"element": "Buy", "ref": "e1"})
        assert verdict == ("allow" if tool.endswith("snapshot") or self.done == 1 else "deny")

    @rule()
    def the_judge_dies(self) -> None:
        self.world.judge.close()
        self.world.judge = self.world.new_judge()

    @precondition(lambda self: self.holder is not None and self.holder[1].startswith("make"))
    @rule()
    def the_session_dies_and_comes_back(self) -> None:
        self.world.hook("SessionStart", source="resume")
        self.unknown = True

    @precondition(lambda self: self.holder is not None)
    @rule(happened=st.booleans())
    def a_person_settles_it(self, happened: bool) -> None:
        self.world.plans.resolve_unknown(str(self.world.project), happened, ANN)
        if happened:
            self.happened()
        else:
            self.holder, self.unknown = None, False

    @rule()
    def the_session_is_compacted(self) -> None:
        self.world.hook("SessionStart", source="compact")

    # ---- what always holds

    @invariant()
    def the_store_says_the_same(self) -> None:
        plan = self.world.plan
        if self.done == LAST:
            assert plan is None
            return
        if plan is None:
            return  # before the seal
        assert plan.fault is None
        pointer = plan.pointer
        assert (pointer.at, set(pointer.produced)) == (self.done, self.written if self.done == 1 else set())
        assert (pointer.held is not None, pointer.unknown) == (self.holder is not None, self.unknown)


def test_the_pointer_never_skips_strays_or_moves_twice() -> None:
    class Checked(Wall):
        def teardown(self) -> None:
            assert verify(self.world.plans.store).whole
            super().teardown()

    wanted = settings(
        max_examples=14, stateful_step_count=40, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(Checked, settings=wanted)
