"""The switch: a person's, never for ever, always in the journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ringwall.journal.read import read
from ringwall.model.errors import UsageError
from ringwall.setup.off import duration, state, switch_off, switch_on
from ringwall.store.engine import Store
from ringwall.store.paths import locate
from setup.conftest import Ground

TEN_MINUTES = timedelta(minutes=10)


def journalled(ground: Ground) -> list[str]:
    store = Store(locate(ground.env))
    try:
        with store.reading() as connection:
            return [record.type for record in read(connection)]
    finally:
        store.close()


@pytest.mark.parametrize(
    ("text", "length"),
    [("90s", timedelta(seconds=90)), ("10m", TEN_MINUTES), ("2h", timedelta(hours=2)), ("24h", timedelta(1))],
)
def test_lengths(text: str, length: timedelta) -> None:
    assert duration(text) == length


@pytest.mark.parametrize(
    "text", ["", "10", "0m", "-5m", "25h", "1d", "10 m", "1.5h", "٣m", "9999999s", "10m\n"]
)
def test_no_other_length(text: str) -> None:
    with pytest.raises(UsageError):
        duration(text)


def test_it_is_on_until_a_person_says_otherwise(ground: Ground) -> None:
    assert state(ground.env).until is None


def test_off_and_on_again(ground: Ground) -> None:
    switched = switch_off(TEN_MINUTES, "broken build", ground.env, terminal=True)
    assert switched.until is not None
    assert timedelta() < switched.until - datetime.now(UTC) <= TEN_MINUTES
    assert state(ground.env) == switched
    assert state(ground.env).reason == "broken build"
    switch_on(ground.env)
    assert state(ground.env).until is None
    assert journalled(ground) == ["judging.off", "judging.on"]


def test_switching_on_what_is_on_writes_nothing(ground: Ground) -> None:
    assert switch_on(ground.env).until is None


@pytest.mark.parametrize("name", ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "RINGWALL_SESSION"])
def test_an_agent_cannot_switch_off_but_may_switch_on(ground: Ground, name: str) -> None:
    inside = {**ground.env, name: "1"}
    with pytest.raises(UsageError):
        switch_off(TEN_MINUTES, "", inside, terminal=True)
    assert state(ground.env).until is None
    switch_on(inside)


def test_nobody_at_a_terminal_cannot_switch_off(ground: Ground) -> None:
    with pytest.raises(UsageError):
        switch_off(TEN_MINUTES, "", ground.env, terminal=False)
    assert state(ground.env).until is None
