"""Where login window, contract, permit, gate and journal meet: everything that reading can be asked to do.

Invariant: nothing is read without a living permit that a person gave in Ringwall's own window for exactly
this contract, scope and revision; the attempt is counted and in the journal before anything is sent; what
failed is never kept, and ends the permit.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec

from ringwall.journal.events import PageReadBegun, PageReadEnded, ReadingEnded
from ringwall.journal.write import Journal
from ringwall.judge.check import check
from ringwall.judge.reading_permits import Permits
from ringwall.judge.reading_rows import isolation_row, observation_row, permit_row, stand
from ringwall.judge.reading_settings import Configured, configured, off
from ringwall.model.action import ToolCall
from ringwall.model.decision import Decision
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.model.verdict import Verdict
from ringwall.reading import isolation, limits, protocol
from ringwall.reading.archive import Archive
from ringwall.reading.client import not_open
from ringwall.reading.contract import Contract, Route
from ringwall.reading.failures import ReadFailed, refused
from ringwall.reading.observation import PASSIVE, ROUTE, Observation
from ringwall.reading.permit import End, Permit, Presented, refusal
from ringwall.reading.reader import Reader, Taken, start_playwright
from ringwall.reading.record import Noticed, draft
from ringwall.reading.scope import check_scope
from ringwall.reading.sender import Sender
from ringwall.reading.settings import ReadingSettings
from ringwall.reading.settling import settled
from ringwall.reading.window import LoginWindow
from ringwall.store.engine import Store
from ringwall.store.paths import StateDir

PROFILE = "reading-window"
TOOL = "mcp__ringwall__browser_read"


class ReadingDesk:
    """One login window and its reader. Used within one event loop."""

    def __init__(
        self, state: StateDir, clock: Callable[[], int] = time.time_ns, extra: tuple[str, ...] = ()
    ) -> None:
        self._state = state
        self._clock = clock
        self._extra = extra  # further switches of both browsers, for tests
        self.archive = Archive(state)
        self._journal = Journal(Store(state), clock)
        self._permits = Permits(self._journal, self.archive, self.now)
        self._driver: Any = None
        self._window: LoginWindow | None = None
        self._reader: Reader | None = None
        self._reader_settings: ReadingSettings | None = None
        self._sender: Sender | None = None
        self._reading: asyncio.Task[Taken] | None = None
        self._one_read = asyncio.Lock()
        self._passive = False
        self._ended_by: End | None = None

    def now(self) -> int:
        return self._clock() // 1_000_000_000

    @property
    def open(self) -> bool:
        return self._window is not None and not self._window.closed

    async def answer(self, asked: protocol.Asked) -> dict[str, Any]:
        """What was asked for. Raises `RingwallError`."""
        match asked:
            case protocol.Open():
                return await self._open()
            case protocol.Status():
                return self.status()
            case protocol.Policy():
                return self.policy()
            case protocol.Enable():
                return await self._enable(asked)
            case protocol.Read():
                return await self._read(asked)
            case protocol.Takeover():
                return self._changed_by_person(End.TAKEOVER)
            case protocol.Resume():
                return self._changed_by_person(End.RESUME)
            case protocol.Observe():
                return await self._observe()
            case protocol.Record():
                return self._record(asked.on)
            case protocol.Close():
                await self.close()
                return {"closed": True}

    async def close(self) -> None:
        """Close both browsers; what was permitted has ended."""
        self._end(End.RESTART)
        for part in (self._window, self._reader, self._sender):
            if part is not None:
                await (part.stop() if isinstance(part, Reader) else part.close())
        self._window = self._reader = self._sender = None
        if self._driver is not None:
            await self._driver.stop()
            self._driver = None

    # Looking

    def status(self) -> dict[str, Any]:
        """Where everything stands."""
        permit = self.archive.permit()
        window = self._window if self.open else None
        return {
            "open": window is not None,
            "sessionId": window.session if window else "",
            "revision": window.revision if window else 0,
            "passive": self._passive,
            "permit": permit_row(permit) if window and permit and permit.session == window.session else None,
            "isolation": isolation_row(),
        }

    def policy(self) -> dict[str, Any]:
        """The trusted contract, whole, with its digest."""
        contract = self._contract(configured())
        return {"digest": contract.digest, "contract": msgspec.to_builtins(contract)}

    # Acting

    async def _open(self) -> dict[str, Any]:
        settings = configured()
        if settings.off:
            raise off()
        window = settings.window
        if not self.open:
            chromium = isolation.find_chromium(settings.settings.chromium)
            driver = await self._started_driver()
            self._end(End.RESTART)
            self._window = await LoginWindow.open(
                driver, chromium, f"{self._state.path}/{PROFILE}", window.site_url, self._on_change,
                extra=self._extra,
            )  # fmt: skip
            self._passive = False
        return self.status()

    async def _enable(self, asked: protocol.Enable) -> dict[str, Any]:
        contract = self._contract(configured())
        window = self._current(asked.session_id, asked.revision, asked.policy_digest, contract)
        stands = self._permits.ask(asked, contract)
        end = time.monotonic() + min(asked.wait, 55.0)
        while not stands.approved and time.monotonic() < end:
            await asyncio.sleep(0.2)
            if window.closed or window.revision != asked.revision:
                self._permits.withdraw(stands, "the login window has changed")
                self._current(asked.session_id, asked.revision, asked.policy_digest, contract)
            stands = self._permits.look(stands, asked)
        if not stands.approved:
            return {"state": "pending", "proposal": stands.number}
        self._current(asked.session_id, asked.revision, asked.policy_digest, self._contract(configured()))
        revision = window.bump(End.REPLACED)
        permit = self._permits.grant(stands, contract, window.session, revision)
        await self._warm(configured())
        return {"state": "permitted", "revision": permit.revision, "permit": permit_row(permit)}

    async def _read(self, asked: protocol.Read) -> dict[str, Any]:
        settings = configured()
        contract = self._contract(settings)
        decision = self._judged(asked)
        route = contract.route(asked.route_id)
        if route is None:
            raise refused(
                "no_route",
                msg("The contract has no route {name}.", name=ascii(asked.route_id)),
                msg("Routes are {names}.", names=", ".join(route.id for route in contract.routes)),
            )
        async with self._one_read:
            permit, window = self._covered(asked, contract)
            begun = self._count(permit, route, decision, asked.asker)
            try:
                taken = await self._take(settings, contract, route, window)
                one = self._kept(contract, route, permit, taken)
            except asyncio.CancelledError:
                self._ended(begun, route, "cancelled", ("the question was taken back",), asked.asker)
                raise
            except RingwallError as error:
                why = error.reasons if isinstance(error, ReadFailed) else (error.code,)
                self._ended(begun, route, "failed", why, asked.asker)
                self._end(End.FAILED)
                raise
            sent = tuple(one["request"] for one in one.sent)
            self._ended(begun, route, "kept", (), asked.asker, one.number, sent)
        return {**observation_row(one), "attemptsLeft": permit.left - 1, "revision": window.revision}

    async def _observe(self) -> dict[str, Any]:
        window, settings = self._opened(), configured()
        if not self._passive:
            raise refused(
                "not_passive",
                msg("The window is the person's alone now."),
                msg("Let it be observed first: ringwall reading resume."),
            )
        url, seen = await window.look()
        one = self.archive.keep(
            Observation(
                at=self.now(), kind=PASSIVE, contract="", digest="", route="", label=seen.title,
                url=url.partition("?")[0].partition("#")[0], site_url=settings.window.site_url,
                scope=settings.window.scope, title=seen.title, labels=seen.labels, session=window.session,
                revision=window.revision, isolation="", whole=seen.whole,
            )
        )  # fmt: skip
        return observation_row(one)

    def _record(self, on: bool) -> dict[str, Any]:
        window, settings = self._opened(), configured()
        if on:
            window.record()
            return {"recording": True}
        noticed: list[Noticed] = window.recorded()
        return {"recording": False, "draft": draft(noticed, settings.window.site_url, settings.window.scope)}

    def _changed_by_person(self, why: End) -> dict[str, Any]:
        self._opened().bump(why)
        self._passive = why is End.RESUME
        return self.status()

    # What one read is made of

    def _judged(self, asked: protocol.Read) -> Decision:
        """The gate's word. An `ask` is answered by the permit, which a person gave for these very routes."""
        given = {"routeId": asked.route_id}
        decision = check(ToolCall("mcp", TOOL, given, cwd=asked.folder), None, None, asked.folder)
        if decision.verdict is Verdict.DENY:
            raise refused(
                "denied", decision.deciding.reason, decision.deciding.advice or msg("Ask the person.")
            )
        return decision

    def _covered(self, asked: protocol.Read, contract: Contract) -> tuple[Permit, LoginWindow]:
        window, permit = self._opened(), self.archive.permit()
        now = self.now()
        fault = refusal(permit, Presented(asked.session_id, asked.revision, asked.policy_digest), now)
        if fault is None and permit is not None and permit.session != window.session:
            fault = refusal(permit, Presented(window.session, asked.revision, asked.policy_digest), now)
        if fault is None and permit is not None and permit.revision != window.revision:
            fault = refusal(permit, Presented(window.session, window.revision, asked.policy_digest), now)
        if fault is not None:
            if permit is not None and not permit.ended and now >= permit.expires:
                self._end(End.EXPIRED)
            raise fault
        assert permit is not None  # noqa: S101 - no fault without one
        if contract.digest != permit.digest:
            raise refused(
                "ended", msg("The contract has changed."), msg("Ask with browser_read_enable again.")
            )
        return permit, window

    def _count(self, permit: Permit, route: Route, decision: Decision, asker: str) -> str:
        if not self.archive.spend(permit, self.now()):
            self._end(End.SPENT)
            raise refused("spent", msg("The permit has ended: {why}.", why=End.SPENT), msg("Ask again."))
        begun = PageReadBegun(
            permit=permit.number, attempt=permit.used + 1, route=route.id, digest=permit.digest,
            verdict=decision.verdict.value, code=decision.deciding.code,
        )  # fmt: skip
        with self._journal.writing() as entry:
            return entry.append(begun, asker or "agent:mcp", permit.session)

    async def _take(
        self, settings: Configured, contract: Contract, route: Route, window: LoginWindow
    ) -> Taken:
        """The read itself, cancelled as soon as the window changes."""
        reader = await self._warm(settings)
        borrowed = await window.borrow(contract.requests_of(route), contract.site_url)
        self._ended_by = None
        self._reading = asyncio.ensure_future(reader.read(contract, route, borrowed))
        try:
            await asyncio.wait({self._reading})
        except asyncio.CancelledError:
            self._reading.cancel()
            await settled(self._reading, limits.READ_SECONDS)
            raise
        reading, self._reading = self._reading, None
        if reading.cancelled() or self._ended_by is not None:
            await settled(reading, limits.READ_SECONDS)
            raise ReadFailed(str(self._ended_by or End.RESTART))
        return reading.result()

    def _kept(self, contract: Contract, route: Route, permit: Permit, taken: Taken) -> Observation:
        now = self.archive.permit()
        if now is None or now.number != permit.number or now.ended:
            raise ReadFailed(now.ended if now else str(End.RESTART))
        return self.archive.keep(
            Observation(
                at=self.now(), kind=ROUTE, contract=contract.id, digest=contract.digest, route=route.id,
                label=route.label, url=route.url, site_url=contract.site_url, scope=contract.scope,
                title=taken.seen.title, labels=taken.seen.labels, session=permit.session,
                revision=permit.revision, isolation=self._wall_name, quiet=taken.quiet,
                whole=taken.seen.whole,
                sent=tuple(msgspec.to_builtins(sent) for sent in taken.sent),
            )
        )  # fmt: skip

    def _ended(
        self, begun: str, route: Route, outcome: str, why: tuple[str, ...], asker: str,
        observation: int = 0, sent: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        event = PageReadEnded(
            begun=begun, route=route.id, outcome=outcome, observation=observation, sent=sent, why=why
        )
        with self._journal.writing() as entry:
            entry.append(event, asker or "agent:mcp", begun)

    # Parts

    def _contract(self, settings: Configured) -> Contract:
        """The contract of now, in the window's scope. A permit for any other contract ends here."""
        if settings.off:
            self._end(End.CONTRACT)
            raise off()
        try:
            contract = settings.contract()
            window = settings.window
            check_scope((contract.site_url, contract.scope), (window.site_url, window.scope))
        except RingwallError:
            self._end(End.CONTRACT)
            raise
        permit = self.archive.permit()
        if permit is not None and not permit.ended and permit.digest != contract.digest:
            self._end(End.CONTRACT)
        return contract

    def _current(self, session: str, revision: int, digest: str, contract: Contract) -> LoginWindow:
        window = self._opened()
        if (session, revision) != (window.session, window.revision):
            raise refused(
                "stale",
                msg("The window is session {session} at revision {revision}.", session=window.session,
                    revision=window.revision),
                msg("Look at browser_status and ask again with what it says."),
            )  # fmt: skip
        if digest != contract.digest:
            raise refused(
                "other_contract",
                msg("The contract's digest is {digest}.", digest=contract.digest),
                msg("Look at browser_read_policy and ask again with its digest."),
            )
        return window

    def _opened(self) -> LoginWindow:
        if self._window is None or self._window.closed:
            raise not_open()
        return self._window

    def _on_change(self, why: End) -> None:
        self._passive = False
        self._end(why)

    def _end(self, why: End) -> None:
        """End the permit that lives, and the read that runs by it."""
        permit = self.archive.permit()
        if not self.archive.end(why) or permit is None:
            return
        if self._reading is not None and why is not End.FAILED:
            self._ended_by = why
            self._reading.cancel()
        with self._journal.writing() as entry:
            entry.append(ReadingEnded(number=permit.number, why=why), "ringwall", permit.session)

    async def _started_driver(self) -> Any:
        if self._driver is None:
            self._driver = await start_playwright()
        return self._driver

    async def _warm(self, settings: Configured) -> Reader:
        """The reader by the settings of now; one by other settings is ended first."""
        if self._reader is not None and self._reader_settings != settings.settings:
            await self._reader.stop()
            self._reader = None
        if self._reader is None:
            wall = stand(settings)
            chromium = isolation.find_chromium(settings.settings.chromium)
            self._sender = Sender(settings.settings.ca)
            self._reader = Reader(
                await self._started_driver(), wall, chromium, self._sender, extra=self._extra
            )
            self._wall_name = wall.isolation.value
            self._reader_settings = settings.settings
        await self._reader.start()
        return self._reader

    _wall_name = ""
