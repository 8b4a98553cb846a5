"""The reader over many reads: nothing is left behind, whatever ends them."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from reading import needs
from reading.erp import contract
from reading.world import Reading
from ringwall.reading.failures import ReadFailed

pytestmark = [needs.browser, pytest.mark.xdist_group("reading")]

CANCELS = 200 if needs.LONG else 6
READS = 500 if needs.LONG else 8


def page(reading: Reading) -> dict[str, Any]:
    images = "".join(f"<img src='/erp/{n}.gif'>" for n in range(4))
    reading.erp.page("it", f"<h1>Orders</h1>{images}")
    for n in range(4):
        reading.erp.page(f"{n}.gif", "", content_type="image/gif")
    return contract(reading.erp, "it", *((f"{n}.gif", "GET", "", "") for n in range(4)))


def loaded(reading: Reading) -> int:
    """Contexts besides the one that stands ready."""
    browser = reading.reader.browser
    assert browser is not None
    return sum(page.url != "about:blank" for context in browser.contexts for page in context.pages)


def processes(reading: Reading) -> int:
    """Chromium processes below this one."""
    count = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            count += b"--type=renderer" in path.read_bytes()
        except OSError:
            continue
    return count


@pytest.mark.timeout(900)
def test_cancelling_at_any_moment_leaves_nothing_and_nothing_comes_later(reading: Reading) -> None:
    values = page(reading)
    reading.read(values)
    reading.erp.delay = 0.02
    chance = random.Random(7)

    async def one() -> tuple[int, int]:
        task = asyncio.ensure_future(reading.reading(values))
        await asyncio.sleep(chance.uniform(0, 0.6))
        task.cancel()
        with suppress(asyncio.CancelledError, ReadFailed):
            await task
        left = loaded(reading)
        await asyncio.sleep(0.03)
        came = len(reading.erp.came)
        await asyncio.sleep(0.2)
        return left, len(reading.erp.came) - came

    try:
        found = [reading.loop.run(one()) for _ in range(CANCELS)]
    finally:
        reading.erp.delay = 0.0
    assert found == [(0, 0)] * CANCELS
    assert reading.read(values).seen.labels


@pytest.mark.timeout(900)
def test_many_reads_grow_nothing(reading: Reading) -> None:
    values = page(reading)
    for _ in range(3):
        reading.read(values)
    reading.loop.run(asyncio.sleep(0.5))
    before = processes(reading)
    for _ in range(READS):
        reading.read(values)
    reading.loop.run(asyncio.sleep(1.5))
    browser = reading.reader.browser
    assert browser is not None
    assert len(browser.contexts) <= 1
    assert loaded(reading) == 0
    assert processes(reading) <= before + 2


def test_a_browser_that_is_gone_is_started_again(reading: Reading) -> None:
    values = page(reading)
    browser = reading.reader.browser
    assert browser is not None
    reading.loop.run(browser.close())
    assert reading.read(values).seen.labels


def test_after_a_failure_the_next_read_is_as_good_as_ever(reading: Reading) -> None:
    values = page(reading)
    reading.erp.page("bad", "<script>alert(1)</script>")
    with pytest.raises(ReadFailed):
        reading.read(contract(reading.erp, "bad"))
    assert reading.read(values).quiet


@pytest.mark.parametrize("size", [9 << 20])
def test_an_answer_that_is_too_large_ends_the_read(reading: Reading, size: int) -> None:
    reading.erp.page("large", "x" * size)
    with pytest.raises(ReadFailed, match="larger than"):
        reading.read(contract(reading.erp, "large"))
