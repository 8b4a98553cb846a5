"""Another hostile site, where one is named: RINGWALL_HOSTILE_SITE is the folder of its `hostile_site.py`."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from reading import needs
from reading.world import Reading
from ringwall.reading.contract import parse
from ringwall.reading.cookies import Borrowed
from ringwall.reading.failures import ReadFailed

FOLDER = Path(os.environ.get("RINGWALL_HOSTILE_SITE", "/nonexistent"))
_SOME = (
    "benign", "fetch_get", "fetch_later_post", "speculation_prerender", "websocket_stream", "webrtc_stun",
    "webtransport", "fedcm", "payment_manifest", "redirect_cross_sub", "download_attr",
)  # fmt: skip

pytestmark = [
    needs.browser,
    pytest.mark.skipif(not (FOLDER / "hostile_site.py").exists(), reason="RINGWALL_HOSTILE_SITE names none"),
]


def _site() -> Any:
    spec = importlib.util.spec_from_file_location("hostile_site", FOLDER / "hostile_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hostile_site"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.timeout(1200)
def test_nothing_of_the_other_site_reaches_its_listeners(reading: Reading) -> None:
    module = _site()
    ids = [one.id for one in module.TECHNIQUES] if needs.LONG else list(_SOME)
    assert reading.loop.run(_leaks(module, ids, reading), 1100) == {}


async def _leaks(module: Any, ids: list[str], reading: Reading) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for identity in ids:
        technique = module.BY_ID[identity]
        if technique.tls or identity == "oom":
            continue
        async with module.HostileSite() as site:
            contract = parse(json.dumps(technique.contract(site)).encode())
            with suppress(ReadFailed):
                await reading.reader.read(contract, contract.routes[0], Borrowed())
            await asyncio.sleep(0.3)
            if leaks := site.leaks(identity):
                found[identity] = [(one.channel, one.kind) for one in leaks]
    return found
