"""Hints before a step at the real Claude Code: once, not in a subagent, and back after compaction."""

from __future__ import annotations

import pytest

from hosts.install import claude
from hosts.stage import Json, Stage, bash, call, lane
from ringwall.prestep.markers import marker_of
from ringwall.prestep.profile_file import shipped

pytestmark = pytest.mark.xdist_group("real hosts")

RU = shipped("ru")
DEV = marker_of(RU.role.hint.replace("{role}", "dev"))
FULL = 990_000  # tokens: the host compacts before it goes on


def heard(exchange: Json, words: str) -> int:
    return sum(text.count(words) for text in exchange["heard"])


def test_hints_are_told_once_not_to_a_subagent_and_again_after_compaction(stage: Stage) -> None:
    settings = stage.home / ".config" / "ringwall" / "ringwall.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[prestep]\nprofile = "ru"\n')
    check = marker_of(
        RU.harness.text.replace("{root}", str(stage.project)).replace(
            "{missing}", RU.harness.separator.join(signal.missing for signal in RU.harness.signals)
        )
    )
    assert stage.ringwall("daemon", "start").returncode == 0
    helper = call("Agent", description="help", prompt="HELPER: напиши тест",
                  subagent_type="general-purpose", run_in_background=False)  # fmt: skip
    played = stage.play(
        lane("helper", bash("echo from the helper"), match="HELPER"),
        lane("main", bash("echo one"), {**helper, "tokens": FULL}, bash("echo two")),
        prompt="Напиши тест",
    )
    assert played.exit == 0, played
    main = [exchange for exchange in played.exchanges if exchange["lane"] == "main"]
    assert [(heard(each, check), heard(each, DEV)) for each in main] == [(1, 1), (1, 1), (1, 0), (1, 0)], (
        played
    )
    helped = [exchange for exchange in played.exchanges if exchange["lane"] == "helper"]
    assert helped, played
    assert not any(heard(each, "DSH-HARNESS") for each in helped), played

    program = [str(claude()), "--continue"]
    again = stage.play(lane("main", {"text": "ok"}), prompt="Напиши ещё тест", program=program)
    [last] = [exchange for exchange in again.exchanges if exchange["lane"] == "main"]
    assert (heard(last, check), heard(last, DEV)) == (1, 1), again
