"""Hints before a step at the other hosts, really run with a scripted model: once, and not in a subagent."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hosts import dialects
from hosts.drivers import PROMPT, Driver, write
from hosts.stage import Json, Played, Stage, _run, call, lane
from hosts.test_real_hosts import driver_named, put_in, skip_without, stage
from ringwall.prestep.markers import marker_of
from ringwall.prestep.profile_file import shipped

__all__ = ["stage"]

pytestmark = pytest.mark.xdist_group("real hosts")

EN = shipped("en")
DEV = EN.role.hint.replace("{role}", "dev")


def check_of(stage: Stage) -> str:
    missing = EN.harness.separator.join(signal.missing for signal in EN.harness.signals)
    return EN.harness.text.replace("{root}", str(stage.project)).replace("{missing}", missing)


def heard(played: Played, words: str, name: str = "main") -> list[int]:
    """How often each request of a lane's model holds these words."""
    return [
        sum(text.count(words) for text in exchange["heard"])
        for exchange in played.exchanges
        if exchange["lane"] == name
    ]


@contextmanager
def model(stage: Stage, *lanes: Json) -> Iterator[int]:
    server = dialects.serve({"lanes": list(lanes)}, stage.folder / "model.jsonl", None)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def play(driver: Driver, stage: Stage, *lanes: Json) -> Played:
    """One session with the English profile, in which a person asks for a test."""
    write(stage.home / ".config" / "ringwall" / "ringwall.toml", '[prestep]\nprofile = "en"\n')
    assert stage.ringwall("daemon", "start").returncode == 0
    with model(stage, *lanes) as port:
        driver.configure(stage, port)
        put_in(driver, stage)
        words = ["Write a test" if word == PROMPT else word for word in driver.words]
        out, err, code = _run([*driver.program, *words], stage.project, driver.env(stage, port))
    log = (stage.folder / "model.jsonl").read_text(encoding="utf-8")
    return Played([json.loads(line) for line in log.splitlines()], out, err, code)


@pytest.mark.parametrize("host", ["codex", "copilot", "gemini"])
def test_hints_are_told_once(host: str, stage: Stage) -> None:
    skip_without(host)
    driver = driver_named(host)
    played = play(driver, stage, lane("main", driver.shell("echo one"), driver.shell("echo two")))
    for told in ("Ringwall is on", check_of(stage), DEV):
        assert heard(played, told) == [1, 1, 1], played
    if host != "gemini":  # which spells out the angle brackets of the marker
        assert heard(played, marker_of(DEV)) == [1, 1, 1], played


def test_pi_is_told_again_only_what_its_session_does_not_show(stage: Stage) -> None:
    skip_without("pi")
    driver = driver_named("pi")
    first = play(driver, stage, lane("main", driver.shell("echo one")))
    assert heard(first, marker_of(DEV)) == [1, 1], first
    (stage.folder / "model.jsonl").unlink()
    going_on = dataclasses.replace(driver, words=("--continue", *driver.words))
    played = play(going_on, stage, lane("main", {"text": "ok"}))
    for told in ("Ringwall is on", check_of(stage), marker_of(DEV)):
        assert heard(played, told) == [1], played


def test_a_subagent_of_deepseek_harness_is_told_nothing(stage: Stage) -> None:
    skip_without("dsh")
    driver = driver_named("dsh")
    played = play(
        driver,
        stage,
        lane("helper", driver.shell("echo from the helper"), match="HELPER"),
        lane("main", driver.shell("echo one"), call("subagent", description="help", prompt="HELPER: a test")),
    )
    main = heard(played, marker_of(DEV))
    assert len(main) >= 3 and set(main) == {1}, played
    assert set(heard(played, marker_of(check_of(stage)))) == {1}, played
    helped = heard(played, "DSH-HARNESS", "helper")
    assert len(helped) == 2 and set(helped) == {0}, played
