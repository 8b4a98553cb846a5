"""The real Claude Code without anybody at its prompt: it waits, and hears what the person says."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hosts.stage import Stage, bash, lane
from ringwall.approvals.proposal import Proposal, State
from ringwall.judge.desk import Desk, Yes
from ringwall.store.paths import StateDir

ANN = "person:ann"


@contextmanager
def person(stage: Stage, decides: Callable[[Desk, Proposal], None]) -> Iterator[None]:
    """Somebody at another terminal, who decides what comes to wait."""
    over = threading.Event()

    def sit() -> None:
        while not over.is_set():
            if (stage.state / "ringwall.db").exists():
                desk = Desk(StateDir(str(stage.state)))
                for proposal in desk.pending():
                    decides(desk, proposal)
                desk.close()
            time.sleep(0.2)

    thread = threading.Thread(target=sit)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def headless(stage: Stage, wait: int) -> None:
    """Nobody sits at the prompt, as the host itself tells."""
    stage.variables["RINGWALL_HEADLESS"] = ""
    file = stage.home / ".config" / "ringwall" / "ringwall.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[approvals]\nwait = {wait}\n")


def test_a_push_waits_for_the_person_and_then_happens(stage: Stage) -> None:
    headless(stage, 50)

    def yes(desk: Desk, proposal: Proposal) -> None:
        desk.approve(Yes(proposal.number, proposal.binding, ANN))

    with person(stage, yes):
        played = stage.play(
            lane("main", bash("git push origin main"), {"text": "done"}), mode="bypassPermissions"
        )
    assert "refs/heads/main" in stage.pushed, played
    desk = Desk(StateDir(str(stage.state)))
    assert [one.state for one in desk.newest(9)] == [State.CONSUMED]
    desk.close()


def test_the_words_of_a_no_reach_the_model(stage: Stage) -> None:
    headless(stage, 50)
    with person(stage, lambda desk, one: desk.reject(one.number, one.binding, ANN, "use a branch") and None):
        played = stage.play(
            lane("main", bash("git push origin main"), {"text": "done"}), mode="bypassPermissions"
        )
    assert not stage.pushed
    assert any("use a branch" in told for told in played.told()), played


def test_without_an_answer_the_model_hears_how_to_go_on_and_a_later_yes_counts(stage: Stage) -> None:
    headless(stage, 1)
    push = bash("git push origin main")
    played = stage.play(lane("main", push, {"text": "done"}), mode="bypassPermissions")
    assert not stage.pushed
    assert any("ringwall approve 1" in told for told in played.told()), played
    desk = Desk(StateDir(str(stage.state)))
    desk.approve(Yes(1, desk.one(1).binding, ANN))
    desk.close()
    played = stage.play(lane("main", push, push, {"text": "done"}), mode="bypassPermissions")
    assert "refs/heads/main" in stage.pushed, played
    assert any("ringwall approve 2" in told for told in played.told()), played
