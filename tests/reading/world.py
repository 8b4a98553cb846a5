"""Browsers for tests: a loop in a thread of its own, a reader that stays warm, and a whole desk."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from reading import needs
from reading.erp import SESSION, Erp
from ringwall.judge.desk import Desk, Yes
from ringwall.judge.reading import ReadingDesk
from ringwall.reading import isolation, protocol
from ringwall.reading.contract import Contract, parse
from ringwall.reading.cookies import Borrowed
from ringwall.reading.reader import Reader, Taken, start_playwright
from ringwall.reading.sender import Sender
from ringwall.store.paths import StateDir

T = TypeVar("T")


class Loop:
    """An event loop that runs beside the test."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], seconds: float = 60) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)
        self.loop.close()


class Reading:
    """A warm reader and a small application."""

    def __init__(self, loop: Loop, reader: Reader, erp: Erp) -> None:
        self.loop = loop
        self.reader = reader
        self.erp = erp

    def read(self, values: dict[str, Any], borrowed: Borrowed | None = None) -> Taken:
        self.erp.came.clear()
        contract = parse(json.dumps(values).encode())
        return self.loop.run(self.reader.read(contract, contract.routes[0], borrowed or Borrowed()))

    async def reading(self, values: dict[str, Any]) -> Taken:
        contract = parse(json.dumps(values).encode())
        return await self.reader.read(contract, contract.routes[0], Borrowed())


@contextmanager
def a_reading() -> Iterator[Reading]:
    loop = Loop()

    async def started() -> tuple[Any, Reader, Erp]:
        driver = await start_playwright()
        wall = isolation.stand(needs.best())
        reader = Reader(driver, wall, isolation.find_chromium(), Sender())
        await reader.start()
        return driver, reader, await Erp().__aenter__()

    async def ended() -> None:
        await reader.stop()
        await erp.__aexit__()
        await driver.stop()

    driver, reader, erp = loop.run(started())
    try:
        yield Reading(loop, reader, erp)
    finally:
        loop.run(ended())
        loop.end()


class Office:
    """A whole desk with an open login window, and the person at it."""

    def __init__(self, loop: Loop, desk: ReadingDesk, erp: Erp, folder: Path, state: StateDir) -> None:
        self.loop = loop
        self.desk = desk
        self.erp = erp
        self.folder = folder
        self.state = state
        self.person = Desk(state)

    @property
    def contract_path(self) -> Path:
        return self.folder / "contract.json"

    def configure(self, values: dict[str, Any], account: str = "reader", more: str = "") -> Contract:
        """Write contract and settings as a person would."""
        self.contract_path.write_text(json.dumps(values))
        settings = self.folder / "config" / "ringwall" / "ringwall.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(
            f'[reading]\ncontract = "{self.contract_path}"\n{more}\n'
            f'[reading.window]\nsiteUrl = "{self.erp.base}"\n'
            f'site = "fixture"\naccount = "{account}"\ntenant = "demo"\nrole = "reader"\n'
        )
        return parse(self.contract_path.read_bytes())

    def ask(self, asked: protocol.Asked) -> dict[str, Any]:
        return self.loop.run(self.desk.answer(asked))

    def status(self) -> dict[str, Any]:
        return self.ask(protocol.Status())

    def enable(self, digest: str, wait: float = 0) -> dict[str, Any]:
        now = self.status()
        return self.ask(
            protocol.Enable(
                session_id=now["sessionId"], revision=now["revision"], policy_digest=digest, wait=wait
            )
        )

    def permitted(self, digest: str) -> dict[str, Any]:
        """Ask, say yes as a person does, ask again."""
        number = self.enable(digest)["proposal"]
        shown = self.person.one(number)
        self.person.approve(Yes(number, shown.binding, "person:tester"))
        return self.enable(digest)

    def read(self, digest: str, route: str = "it", revision: int | None = None) -> dict[str, Any]:
        now = self.status()
        return self.ask(
            protocol.Read(
                session_id=now["sessionId"], revision=now["revision"] if revision is None else revision,
                policy_digest=digest, route_id=route,
            )
        )  # fmt: skip

    @property
    def page(self) -> Any:
        """The person's page, for doing what a person does."""
        window = self.desk._window
        assert window is not None and window._context is not None
        return window._context.pages[0]


@contextmanager
def an_office(folder: Path) -> Iterator[Office]:
    with needs.a_display(folder) as display, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", display)
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        patch.delenv("WAYLAND_DISPLAY", raising=False)
        os.makedirs(folder / "state", mode=0o700)
        loop, state = Loop(), StateDir(str(folder / "state"))
        erp = loop.run(Erp().__aenter__())
        erp.page(
            "", "<h1>Welcome</h1><input id=i><script>localStorage.setItem('tenant', 'demo');"
            "localStorage.setItem('draft', 'mine')</script>",
            set_cookie=f"{SESSION}; Path=/; HttpOnly; SameSite=Lax",
        )  # fmt: skip
        desk = ReadingDesk(state)
        office = Office(loop, desk, erp, folder, state)
        try:
            yield office
        finally:
            office.person.close()
            loop.run(desk.close())
            loop.run(erp.__aexit__())
            loop.end()
