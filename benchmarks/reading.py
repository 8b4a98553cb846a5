"""Times one read of a page of ten requests, beside opening and loading it without any interception.

    python -m benchmarks.reading [ROUNDS]

All browsers are warm and take turns, so that what else the machine does hits them alike.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from benchmarks.table import Figure, show
from ringwall.reading import isolation
from ringwall.reading.contract import Contract, parse
from ringwall.reading.cookies import Borrowed
from ringwall.reading.isolation import Isolation, Wall
from ringwall.reading.reader import Reader, start_playwright
from ringwall.reading.sender import Sender

ROUNDS = 20
REST = 1.5  # seconds before each, in which a read before it has its next context made ready
AIM = 1.6
PLAIN = "page of ten requests, no interception"

_ROWS = "".join(
    f"<tr><td>{1000 + n}</td><td>Customer {n}</td><td>open</td><td><button>Open {n}</button></td></tr>"
    for n in range(60)
)
_PAGE = (
    "<!doctype html><title>Orders</title><link rel=stylesheet href=/a.css><link rel=stylesheet href=/b.css>"
    "<script src=/a.js></script><script src=/b.js defer></script><h1>Orders</h1>"
    "<img src=/1.gif><img src=/2.gif>"
    f"<table>{_ROWS}</table><p id=s>loading</p>"
    "<script>for (const n of ['x', 'y', 'z']) fetch('/' + n + '.json')"
    ".then(r => r.json()).then(j => s.textContent += j.n)</script>"
)
_GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c000000000100010000020144003b")
_FILES: dict[str, tuple[str, bytes]] = {
    "/": ("text/html", _PAGE.encode()),
    **{f"/{n}.css": ("text/css", b"body { font: 14px sans-serif }" + b" " * 4000) for n in "ab"},
    **{f"/{n}.js": ("text/javascript", b"window.loaded = 1;" + b" " * 16_000) for n in "ab"},
    **{f"/{n}.gif": ("image/gif", _GIF) for n in "12"},
    **{
        f"/{n}.json": ("application/json", json.dumps({"n": n, "rows": [*range(200)]}).encode())
        for n in "xyz"
    },
}


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            target = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode()
            kind, body = _FILES.get(target, ("text/plain", b""))
            head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
        writer.close()


def _contract(base: str) -> Contract:
    requests = [
        {"id": f"r{n}", "url": base + path, "method": "GET", "body": "", "contentType": ""}
        for n, path in enumerate(_FILES)
    ]
    route = {"id": "it", "label": "It", "url": f"{base}/", "requests": [one["id"] for one in requests]}
    scope = {"site": "s", "account": "a", "tenant": "t", "role": "r"}
    whole = {
        "format": 1, "id": "bench", "siteUrl": f"{base}/", "scope": scope, "reviewBasis": "Static files.",
        "requests": requests, "routes": [route],
    }  # fmt: skip
    return parse(json.dumps(whole).encode())


async def _timed(work: Callable[[], Awaitable[Any]]) -> float:
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1000


async def _measure(rounds: int) -> list[Figure]:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    contract = _contract(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    driver, chromium, sender = await start_playwright(), isolation.find_chromium(), Sender()
    strongest = isolation.stand(None)
    browser = await driver.chromium.launch(
        executable_path=chromium, args=[*isolation.QUIET], chromium_sandbox=Wall(Isolation.SWITCHES).sandbox
    )
    readers = {
        strongest.isolation.value: Reader(driver, strongest, chromium, sender),
        "switches": Reader(driver, Wall(Isolation.SWITCHES), chromium, sender),
    }
    cold = {name: await _timed(reader.start) for name, reader in readers.items()}
    route = contract.routes[0]

    async def plain() -> None:
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(route.url, wait_until="load")
        await context.close()

    times: dict[str, list[float]] = {PLAIN: [], **{name: [] for name in readers}}
    busy: dict[str, list[float]] = {}
    await plain()
    for reader in readers.values():
        await reader.read(contract, route, Borrowed())
    for _ in range(rounds):
        await asyncio.sleep(REST)
        times[PLAIN].append(await _timed(plain))
        for name, reader in readers.items():
            await asyncio.sleep(REST)
            times[name].append(await _timed(lambda reader=reader: reader.read(contract, route, Borrowed())))
    for name, reader in readers.items():  # without the pause in which the next context is made ready
        busy[name] = [
            await _timed(lambda reader=reader: reader.read(contract, route, Borrowed()))
            for _ in range(rounds)
        ]
    memory = await _memory(browser)
    for reader in readers.values():
        await reader.stop()
    await browser.close()
    await driver.stop()
    server.close()
    return _figures(times, busy, cold, memory)


def _figures(
    times: dict[str, list[float]], busy: dict[str, list[float]], cold: dict[str, float], memory: float
) -> list[Figure]:
    base = statistics.median(times[PLAIN])
    figures = [Figure(f"reading, {PLAIN}", base, "ms")]
    for name, taken in times.items():
        if name == PLAIN:
            continue
        ratio = statistics.median(taken) / base
        figures.append(
            Figure(
                f"reading, one read, {name}", statistics.median(taken), "ms", PLAIN, ratio,
                aim=f"<= {AIM}", reached=ratio <= AIM,
            )
        )  # fmt: skip
        without = statistics.median(busy[name])
        figures.append(Figure(f"reading, without a pause, {name}", without, "ms", PLAIN, without / base))
        figures.append(Figure(f"reading, start of the browser, {name}", cold[name], "ms"))
    return [*figures, Figure("reading, memory of an open context", memory, "MB")]


async def _memory(browser: Any) -> float:
    """What each further open context costs, by the private memory of the browser's processes."""
    before, held = _private(), []
    for _ in range(4):
        context = await browser.new_context()
        await (await context.new_page()).set_content(_PAGE)
        held.append(context)
    await asyncio.sleep(0.5)
    after = _private()
    for context in held:
        await context.close()
    return (after - before) / 4


def _private() -> float:
    """Private memory of every Chromium below this process, in MB."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"chrom" in (folder / "cmdline").read_bytes():
                for line in (folder / "smaps_rollup").read_text().splitlines():
                    total += int(line.split()[1]) if line.startswith("Private_") else 0
        except (OSError, IndexError, ValueError):
            continue
    return total / 1024


def measure(rounds: int = ROUNDS) -> list[Figure]:
    """One read beside the page alone; nothing where no browser can read here."""
    return asyncio.run(_measure(rounds))


if __name__ == "__main__":
    print(show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)))
