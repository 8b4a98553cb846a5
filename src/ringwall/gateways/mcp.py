"""`ringwall mcp wrap`: between a host and an MCP server.

Invariant: the server gets a `tools/call` only after Ringwall allowed exactly this call of a tool whose
description is pinned; the host gets a description only as it is pinned. All else passes both ways.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from ringwall.gateways import frames
from ringwall.gateways.frames import Kind, Message
from ringwall.gateways.relay import Relay
from ringwall.gateways.verdicts import Verdicts
from ringwall.judge.pins import Described, Pins
from ringwall.model.canonical import digest
from ringwall.model.errors import RingwallError

LOOK_SECONDS = 1.0
"""How often it is looked whether a person has decided about a description."""

_NAME = re.compile(r"[A-Za-z0-9_./-]{1,128}")
_GREETINGS = ("initialize", "server/discover")
_CALLED = ("name", "arguments")
_INSTRUCTIONS = ""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Session:
    """One run of a wrapped server: its name for the judge, where, and in whose session."""

    server: str
    folder: str
    session: str


class McpGate:
    """The gateway before one server."""

    def __init__(
        self, relay: Relay, session: Session, verdicts: Verdicts, opened: Callable[[], Pins]
    ) -> None:
        self._relay, self._session, self._verdicts = relay, session, verdicts
        self._opened = opened
        self._pins: Pins | None = None
        self._thread = ThreadPoolExecutor(1)
        self._withheld: dict[str, tuple[int, Described]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._listed = False
        self._lists = False  # whether the client will ask again when tools change

    # ---- what the client says

    async def client_says(self, message: Message) -> None:
        """Judge calls; send all else on."""
        method = message["method"]
        if method == "tools/call":
            if frames.kind(message) is Kind.REQUEST:
                self._relay.judge(message, self._judged(message))
            else:
                self._relay.tell("a tools/call that wants no answer was dropped")
        elif method == "notifications/cancelled":
            if not self._relay.give_up(frames.params(message).get("requestId")):
                await self._relay.to_program(message)
        else:
            await self._relay.to_program(message)

    async def client_answers(self, request: Message, response: Message) -> None:
        """To elicitation, sampling, roots: the client's word."""
        await self._relay.to_program(response)

    async def _judged(self, request: Message) -> None:
        given = frames.params(request)
        tool, arguments = given.get("name"), given.get("arguments")
        if not isinstance(tool, str) or not isinstance(arguments, dict | None):
            told = "Ringwall: the call names no tool, or its arguments are no object."
            return await self._relay.to_client(frames.error(request, frames.INVALID_PARAMS, told))
        if (twin := frames.look_alike(given, _CALLED)) is not None:
            told = f"Ringwall: some would read {twin!a} as another parameter of the call."
            return await self._relay.to_client(frames.error(request, frames.INVALID_PARAMS, told))
        refused = await self._unpinned(tool)
        if refused is None:
            ruling = await self._verdicts.ask(self._payload("before_call", request))
            if ruling.allows:
                return await self._relay.to_program(request)
            refused = ruling.reason
        return await self._relay.to_client(frames.result(request, _failed(refused)))

    async def _unpinned(self, tool: str) -> str | None:
        """Why a tool cannot be called, whatever the arguments."""
        try:
            if tool in self._withheld:
                again = self._withheld[tool][1]
                await self._with_pins(lambda pins: self._review(pins, [again]))
            if tool not in self._withheld and await self._with_pins(lambda pins: pins.pinned(tool)):
                return None
        except RingwallError as error:
            return f"Ringwall has no verdict, so the call is stopped: {error}"
        if tool in self._withheld:
            return (
                f"Ringwall withholds this tool: the server {self._session.server} says something new of it, "
                f"and a person decides first (proposal {self._withheld[tool][0]}: `ringwall pending`)."
            )
        return f"Ringwall knows no tool {tool!a} of {self._session.server}: list its tools first."

    # ---- what the server says

    async def program_says(self, message: Message) -> None:
        """Sampling, elicitation, progress, logs: the server's word."""
        await self._relay.to_client(message)

    async def program_answers(self, request: Message, response: Message) -> None:
        """Hold descriptions to their pins, report on calls; send all else on."""
        method = request["method"]
        if method == "tools/call":
            failed = "error" in response or bool(_mapping(response["result"]).get("isError"))
            event = "call_failed" if failed else "after_call"
            await self._verdicts.tell(self._payload(event, request))
        elif "result" in response and method == "tools/list":
            again = self._listed and not frames.params(request).get("cursor")
            self._listed = True
            response = await self._reviewed(request, response, self._list_again if again else self._list)
        elif "result" in response and method in _GREETINGS:
            response = await self._reviewed(request, response, self._greeting)
        await self._relay.to_client(response)

    async def _reviewed(
        self, request: Message, response: Message, review: Callable[[Pins, dict[str, Any]], dict[str, Any]]
    ) -> Message:
        """The response with what is pinned; an error where that cannot be seen or kept."""
        try:
            value = await self._with_pins(lambda pins: review(pins, _mapping(response["result"])))
        except RingwallError as error:
            return frames.error(request, frames.ENDED, f"Ringwall: {error}")
        if self._withheld and self._looking is None:
            self._looking = self._relay.beside(self._look())
        return {**response, "result": value}

    def _list_again(self, pins: Pins, value: dict[str, Any]) -> dict[str, Any]:
        """A list from its beginning is not the first sight, even if that one never ended."""
        pins.first = False
        return self._list(pins, value)

    def _list(self, pins: Pins, value: dict[str, Any]) -> dict[str, Any]:
        listed = value.get("tools")
        found: dict[str, Described] = {}
        for tool in listed if isinstance(listed, list) else ():
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and _NAME.fullmatch(name) and name not in found and _definite(tool):
                found[name] = Described(name, tool)
            else:
                self._relay.tell(f"a tool of {self._session.server} was left out: {name!a}")
        self._review(pins, list(found.values()))
        if not value.get("nextCursor"):
            pins.first = False
        return {**value, "tools": [one.shown for one in found.values() if one.name not in self._withheld]}

    def _greeting(self, pins: Pins, value: dict[str, Any]) -> dict[str, Any]:
        instructions = value.get("instructions")
        if isinstance(instructions, str) and instructions:
            shown = {"instructions": instructions}
            definite = _definite(shown)
            if definite:
                self._review(pins, [Described(_INSTRUCTIONS, shown)])
            if not definite or _INSTRUCTIONS in self._withheld:
                value = {name: one for name, one in value.items() if name != "instructions"}
        offered = _mapping(value.get("capabilities"))
        if "tools" not in offered:
            return value
        self._lists = True
        return {
            **value,
            "capabilities": {**offered, "tools": {**_mapping(offered["tools"]), "listChanged": True}},
        }

    def _review(self, pins: Pins, found: list[Described]) -> None:
        """Find out what is withheld of these. The other thread sees what was before, or all that is now."""
        numbers = pins.review(found)
        reviewed = {one.name: one for one in found}
        before = self._withheld
        kept = {name: one for name, one in before.items() if name not in reviewed}
        now = {name: (number, reviewed[name]) for name, number in numbers.items()}
        self._withheld = {**kept, **now}
        for name, number in numbers.items():
            if name not in before or before[name][0] != number:
                what = f"the description of {name}" if name else "its instructions"
                self._relay.tell(f"{self._session.server}: {what} waits for a person (proposal {number})")

    async def _look(self) -> None:
        """Tell the client to list the tools again when a person has decided."""
        decided = False
        with suppress(RingwallError):  # the next list or call will meet the fault, and say so
            settled, waiting = await self._settled()
            while waiting and not decided:
                await asyncio.sleep(LOOK_SECONDS)
                now, waiting = await self._settled()
                decided = not now <= settled
        self._looking = None
        if decided and self._lists:
            await self._relay.to_client({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})

    async def _settled(self) -> tuple[frozenset[int], frozenset[int]]:
        """Of the proposals about what is withheld, those that are decided, and those that wait."""
        numbers = frozenset(number for number, _ in self._withheld.values())
        waiting = await self._with_pins(lambda pins: pins.undecided(sorted(numbers)))
        return numbers - waiting, waiting

    # ---- the rest

    async def ends(self) -> None:
        """Close the store in the thread that opened it."""
        if self._pins is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._pins.close)
        self._thread.shutdown()

    async def _with_pins(self, work: Callable[[Pins], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._in_thread, work)

    def _in_thread(self, work: Callable[[Pins], Answer]) -> Answer:
        if self._pins is None:
            self._pins = self._opened()
        return work(self._pins)

    def _payload(self, event: str, request: Message) -> dict[str, Any]:
        given, own = frames.params(request), self._session
        return {
            "event": event, "session": own.session, "cwd": own.folder, "server": own.server,
            "tool": f"mcp__{own.server}__{given['name']}", "input": given.get("arguments") or {},
            "call": f"{own.server}:{request['id']}",
        }  # fmt: skip


def _failed(told: str) -> dict[str, Any]:
    """A tool's result that says why it was not called, as hosts hand it to the model."""
    return {"content": [{"type": "text", "text": told}], "isError": True, "resultType": "complete"}


def _definite(shown: Mapping[str, Any]) -> bool:
    """Whether it can be pinned: it is one JSON value to every reader."""
    try:
        digest(dict(shown))
    except (ValueError, RecursionError):
        return False
    return True


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}
