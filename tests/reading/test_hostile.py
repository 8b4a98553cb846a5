"""Pages that try to reach the network, read by the real Chromium where no packet can leave the machine.

By default some of those that get through where a browser is only intercepted, and of each other kind; all of
them with RINGWALL_LONG_TESTS=1 (some minutes). What all of them reach is in docs/reading-table.md.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reading import needs
from reading.hostile.techniques import BY_ID, TECHNIQUES, WORST

TESTS = Path(__file__).parents[1]

pytestmark = [needs.browser, pytest.mark.xdist_group("hostile")]


def chosen() -> tuple[str, ...]:
    """All of them, or a fourth of the worst; the harmless page is always the first."""
    return tuple(one.id for one in TECHNIQUES) if needs.LONG else ("benign", *WORST[1::4])


def world() -> list[str]:
    """The words that open a network of its own, or a skip where that cannot be had."""
    for words in (["unshare", "-n", "-m"], ["unshare", "--user", "--map-root-user", "-n", "-m"]):
        if not all(map(shutil.which, ("unshare", "ip", "mount"))):
            break
        trial = subprocess.run([*words, "ip", "link", "add", "t0", "type", "veth"], capture_output=True)
        if trial.returncode == 0:
            return words
    pytest.skip("no private network namespace can be made here (unshare, iproute2, rights)")


def reached(design: str, ids: tuple[str, ...], seconds: float) -> dict[str, dict[str, Any]]:
    """What each technique did under a design."""
    done = subprocess.run(
        [*world(), "sh", str(TESTS / "reading/hostile/world.sh"), sys.executable, "-m", "reading.hostile.run",
         design, *ids],
        cwd=TESTS, capture_output=True, text=True, timeout=seconds,
        env={**os.environ, "HOSTILE_SETTLE": "0.4", "HOSTILE_AT_ONCE": "3"},
    )  # fmt: skip
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    found = {row["id"]: row for row in rows if row["id"]}
    assert set(found) == set(ids), done.stderr[-2000:]
    return found


@needs.jail
@pytest.mark.timeout(1500)
def test_from_the_jail_nothing_reaches_any_listener() -> None:
    _nothing(reached("jail", chosen(), 1400))


@pytest.mark.timeout(1500)
def test_with_switches_and_headers_alone_nothing_reaches_any_listener() -> None:
    _nothing(reached("switches", chosen(), 1400))


@pytest.mark.timeout(300)
def test_the_site_sees_what_a_browser_that_is_only_intercepted_lets_through() -> None:
    """Else nothing above would mean anything."""
    found = reached("plain", ("fetch_later_post", "websocket_stream", "rtc_stun", "benign"), 280)
    assert not found["benign"]["reached"]
    assert all(found[name]["reached"] for name in ("fetch_later_post", "websocket_stream", "rtc_stun"))


def test_there_are_ways_of_every_group() -> None:
    assert len(TECHNIQUES) > 200
    assert {BY_ID[name].group for name in WORST} >= {one.group for one in TECHNIQUES} - {"entry", "part"}


def _nothing(found: dict[str, dict[str, Any]]) -> None:
    assert {name: row["reached"] for name, row in found.items() if row["reached"]} == {}
    assert found["benign"]["ended"] == "kept", found["benign"]
    headers = {header for row in found.values() for header in row["headers"]}
    assert headers <= {"accept", "cookie", "content-type", "content-length", "host"}
