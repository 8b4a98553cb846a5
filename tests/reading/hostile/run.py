"""Reads hostile pages and says what reached the network: `python -m reading.hostile.run DESIGN [ID …]`.

It must stand in a network namespace of its own (`world.sh`). DESIGN is `plain` (Playwright's interception, as
it is commonly used), `switches` or `jail`, Ringwall's own. One JSON line a technique.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from reading.hostile.site import APP, EVIL, HTTP, NameServer, Site
from reading.hostile.techniques import BY_ID, TECHNIQUES, Technique
from ringwall.model.errors import RingwallError
from ringwall.reading import isolation, limits
from ringwall.reading.contract import parse
from ringwall.reading.cookies import Borrowed, Cookie
from ringwall.reading.isolation import Isolation
from ringwall.reading.reader import Reader, start_playwright
from ringwall.reading.sender import Sender

AT_ONCE = int(os.environ.get("HOSTILE_AT_ONCE", "4"))
SETTLE = float(os.environ.get("HOSTILE_SETTLE", "0.8"))
AFTER = 0.6
_PLAIN_CSP = "worker-src 'none'; object-src 'none'; form-action 'none'"

Read = Callable[[Site], Awaitable[str]]


def switches(count: int) -> tuple[str, ...]:
    """So that the sites count as public and secure ones: what a page may do depends on it."""
    secure = [f"http://{net}.{place}:{HTTP}" for net in (APP, EVIL) for place in range(1, count + 1)]
    return (
        f"--unsafely-treat-insecure-origin-as-secure={','.join(secure)}",
        "--autoplay-policy=no-user-gesture-required",
    )


async def own(driver: Any, wall: Isolation, extra: tuple[str, ...], closing: AsyncExitStack) -> Read:
    """Ringwall's reader, with the labels taken later than it would."""
    limits.QUIET_SECONDS = SETTLE
    sender = Sender()
    reader = Reader(driver, isolation.stand(wall), isolation.find_chromium(), sender, extra=extra)
    closing.push_async_callback(reader.stop)
    closing.push_async_callback(sender.close)
    await reader.start()

    async def read(site: Site) -> str:
        contract = parse(json.dumps(site.contract()).encode())
        cookies = (
            Cookie("sid", "s", site.host, "/", False, True, "Lax"),
            Cookie("ui", "u", site.host, "/", False, False, "Lax"),
        )
        borrowed = Borrowed({one.url: cookies for one in contract.requests}, {"tenant": "demo"})
        try:
            await reader.read(contract, contract.routes[0], borrowed)
        except RingwallError as error:
            return f"failed: {error.what}"
        return "kept"

    return read


async def plain(driver: Any, extra: tuple[str, ...], closing: AsyncExitStack) -> Read:
    """Interception alone: an exact list, no redirects, three directives of CSP, no workers and no sockets."""
    browser = await driver.chromium.launch(
        executable_path=isolation.find_chromium(), chromium_sandbox=os.geteuid() != 0,
        args=["--disable-gpu", "--disable-quic", *extra],
    )  # fmt: skip
    closing.push_async_callback(browser.close)

    async def read(site: Site) -> str:
        bad: list[str] = []
        context = await browser.new_context(service_workers="block", accept_downloads=False)
        try:
            async with asyncio.timeout(12):
                await context.add_cookies([{"name": "sid", "value": "s", "url": site.base, "httpOnly": True}])
                await _intercept(context, site, bad)
                page = await context.new_page()
                page.on("download", lambda _one: bad.append("download"))
                await page.goto(site.base + site.path, wait_until="load", timeout=10_000)
                await asyncio.sleep(SETTLE)
                await page.locator("body").aria_snapshot(timeout=3000)
                if page.url != site.base + site.path:
                    bad.append("address")
        except Exception as error:
            bad.append(type(error).__name__)
        finally:
            await context.close()
        return f"failed: {'; '.join(bad[:3])}" if bad else "kept"

    return read


async def _intercept(context: Any, site: Site, bad: list[str]) -> None:
    listed = {("GET", site.base + site.path, b"", "")} | {
        (method, site.base + path, body.encode(), kind) for method, path, body, kind in site.technique.listed
    }

    async def on_route(route: Any) -> None:
        asked = route.request
        body, kind = asked.post_data_buffer or b"", asked.headers.get("content-type", "")
        if (asked.method, asked.url.partition("#")[0], body, kind) not in listed:
            bad.append(f"unlisted {asked.url}")
            await route.abort()
            return
        kept = {name: asked.headers[name] for name in ("accept", "content-type") if name in asked.headers}
        try:
            answer = await route.fetch(headers=kept, max_redirects=0, max_retries=0, timeout=5000)
            if not 200 <= answer.status < 300:
                raise ValueError(answer.status)
            headers = {**answer.headers, "content-security-policy": _PLAIN_CSP}
            await route.fulfill(response=answer, headers=headers)
        except Exception as error:
            bad.append(f"{asked.url}: {type(error).__name__}")

    await context.route("**/*", on_route)
    await context.route_web_socket("**/*", lambda socket: (bad.append("socket"), socket.close())[1])
    context.on("page", lambda _page: len(context.pages) > 1 and bad.append("window"))
    context.on("dialog", lambda dialog: (bad.append("dialog"), asyncio.ensure_future(dialog.dismiss())))


async def one(technique: Technique, place: int, read: Read, names: dict[str, Site]) -> dict[str, Any]:
    """Read one page, close it, wait a while, and say what had arrived."""
    async with Site(technique, place) as site:
        names[site.name] = site
        begun = time.monotonic()
        ended = await read(site)
        took = time.monotonic() - begun
        await asyncio.sleep(AFTER)
        found = site.arrived
    return {
        "id": technique.id, "group": technique.group, "reached": list(dict.fromkeys(found.unlisted)),
        "ended": ended, "fails": technique.fails, "seconds": round(took, 2), "requests": len(found.requests),
        "headers": sorted({name for headers in found.headers for name in headers}),
    }  # fmt: skip


async def main(design: str, ids: list[str]) -> None:
    chosen = [BY_ID[identity] for identity in ids] or list(TECHNIQUES)
    places = {technique.id: number for number, technique in enumerate(chosen)}
    names: dict[str, Site] = {}
    server = NameServer(names)
    await asyncio.get_running_loop().create_datagram_endpoint(lambda: server, local_addr=("127.0.0.1", 53))
    async with AsyncExitStack() as closing:
        driver = await start_playwright()
        closing.push_async_callback(driver.stop)
        extra = switches(min(len(chosen), 250))
        read = await (plain(driver, extra, closing) if design == "plain" else own(
            driver, Isolation(design), extra, closing))  # fmt: skip
        many = asyncio.Semaphore(AT_ONCE)

        async def together(technique: Technique) -> None:
            async with many:
                print(
                    json.dumps(await one(technique, 1 + places[technique.id] % 250, read, names)), flush=True
                )

        await together(chosen[0])  # by itself, while everything is still cold
        await asyncio.gather(*(together(technique) for technique in chosen[1:] if not technique.alone))
        for technique in chosen[1:]:
            if technique.alone:
                await together(technique)
    print(json.dumps({"id": "", "names": sorted(set(server.others))}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
