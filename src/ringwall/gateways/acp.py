"""`ringwall acp wrap`: between a client of the Agent Client Protocol and its agent.

Invariant: what the agent asks its client for (a permission, a file, a terminal) reaches the client, or is
granted, only after Ringwall judged it; a yes is given for this one time, never for always.
"""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from ringwall.gateways import frames
from ringwall.gateways.acp_calls import JUDGED, PERMISSION, Unclear, Wanted, wanted
from ringwall.gateways.frames import Key, Kind, Message
from ringwall.gateways.relay import Relay
from ringwall.gateways.verdicts import Ruling, Verdicts
from ringwall.model.verdict import Verdict

_OPENING = ("session/new", "session/load", "session/resume", "session/fork")
_ALWAYS = "allow_always"
_CANCELLED = {"outcome": {"outcome": "cancelled"}}
_YES, _NO = "ringwall-yes", "ringwall-no"
_OPTIONS = [
    {"optionId": _YES, "name": "Allow once", "kind": "allow_once"},
    {"optionId": _NO, "name": "Reject", "kind": "reject_once"},
]


class AcpGate:
    """The gateway before one agent, whose client sits on our standard streams."""

    def __init__(self, relay: Relay, folder: str, verdicts: Verdicts) -> None:
        self._relay, self._folder, self._verdicts = relay, folder, verdicts
        self._folders: dict[str, str] = {}  # of the sessions
        self._judging: dict[Key, tuple[Message, asyncio.Task[None]]] = {}
        self._asked: dict[Key, tuple[Message, Wanted]] = {}  # the person decides at the client

    # ---- what the client says

    async def client_says(self, message: Message) -> None:
        """All of it goes on; a cancelled turn waits for no verdict."""
        if message["method"] == "session/cancel":
            await self._give_up(frames.params(message).get("sessionId"))
        await self._relay.to_program(message)

    async def client_answers(self, request: Message, response: Message) -> None:
        """The person's word about a permission, or what the client did."""
        key = frames.key_of(request["id"])
        asked = self._asked.pop(key, None) if key else None
        if asked is None:
            if request["method"] == PERMISSION:
                response = _as_offered(request, response)
            await self._relay.to_program(response)
            return
        original, call = asked
        agreed = _chosen(request, response) == "allow_once"
        if agreed:
            await self._verdicts.tell(self._payload("after_call", original, call))
        if original["method"] == PERMISSION:
            await self._relay.to_program(_as_offered(request, response))
        elif agreed:
            await self._relay.to_client(original)
        else:
            told = "Ringwall left this to the person, who did not allow it."
            await self._relay.to_program(frames.error(original, frames.ENDED, told))

    # ---- what the agent says

    async def program_says(self, message: Message) -> None:
        """Judge what it asks for; all else goes on."""
        if message["method"] not in JUDGED:
            await self._relay.to_client(message)
            return
        if frames.kind(message) is not Kind.REQUEST:
            self._relay.tell(f"a {message['method']} that wants no answer was dropped")
            return
        key = frames.key_of(message["id"])
        if key is None or key in self._judging:
            self._relay.tell("the agent used an id twice")
            return
        task = self._relay.beside(self._safely(message))
        self._judging[key] = (message, task)
        task.add_done_callback(lambda _: self._judging.pop(key, None))

    async def program_answers(self, request: Message, response: Message) -> None:
        """Note in which folder a session works."""
        method, given = request["method"], frames.params(request)
        if method in _OPENING and "result" in response:
            result = response["result"] if isinstance(response["result"], dict) else {}
            session, folder = result.get("sessionId") or given.get("sessionId"), given.get("cwd")
            if isinstance(session, str) and isinstance(folder, str) and folder.startswith("/"):
                self._folders[session] = folder
        await self._relay.to_client(response)

    async def ends(self) -> None:
        """What was asked at the client is answered by nobody any more."""
        for session, folder in self._folders.items():
            await self._verdicts.tell({"event": "session_end", "session": session, "cwd": folder})

    # ---- judging

    async def _safely(self, request: Message) -> None:
        try:
            await self._judged(request)
        except Exception as error:
            told = f"Ringwall failed, so this is stopped: {type(error).__name__}: {error}"
            self._relay.tell(told)
            await self._refuse(request, told)

    async def _judged(self, request: Message) -> None:
        given = frames.params(request)
        folder = self._folders.get(str(given.get("sessionId")), self._folder)
        try:
            call = wanted(request["method"], given, folder)
        except Unclear as why:
            await self._refuse(request, f"Ringwall cannot judge this request: {why}.")
            return
        ruling = await self._verdicts.ask(self._payload("before_call", request, call))
        if ruling.verdict is Verdict.DENY:
            await self._refuse(request, ruling.reason)
        elif ruling.verdict is Verdict.ASK:
            await self._ask(request, call, ruling)
        elif request["method"] != PERMISSION:
            await self._relay.to_client(request)
        else:
            await self._permit(request, call)

    async def _permit(self, request: Message, call: Wanted) -> None:
        """Say yes this once; where it is not certain what the yes is to, let the client ask."""
        option = _option(request, "allow_once")
        if call.exact and option is not None:
            await self._relay.to_program(frames.result(request, _selected(option)))
        else:
            await self._relay.to_client(_for_client(request, ""))

    async def _ask(self, request: Message, call: Wanted, ruling: Ruling) -> None:
        """Put it to the person at the client, with the reason."""
        if request["method"] == PERMISSION:
            question = _for_client(request, ruling.reason)
        else:
            question = _question(request, call, ruling.reason)
        key = frames.key_of(question["id"])
        if key is not None:
            self._asked[key] = (request, call)
            await self._relay.to_client(question)

    async def _refuse(self, request: Message, told: str) -> None:
        """No, with the words for the agent where the protocol has room for them, and for the person."""
        session = frames.params(request).get("sessionId")
        if request["method"] != PERMISSION:
            await self._relay.to_program(frames.error(request, frames.ENDED, told))
            return
        if isinstance(session, str):
            content = {"type": "text", "text": f"{told}\n"}
            update = {"sessionUpdate": "agent_message_chunk", "content": content}
            await self._relay.to_client(
                {
                    "jsonrpc": "2.0",
                    "method": "session/update",
                    "params": {"sessionId": session, "update": update},
                }
            )
        option = _option(request, "reject_once")
        await self._relay.to_program(frames.result(request, _selected(option) if option else _CANCELLED))

    async def _give_up(self, session: Any) -> None:
        for request, task in list(self._judging.values()):
            if frames.params(request).get("sessionId") == session and task.cancel():
                if request["method"] == PERMISSION:
                    await self._relay.to_program(frames.result(request, _CANCELLED))
                else:
                    await self._relay.to_program(
                        frames.error(request, frames.ENDED, "The turn was cancelled.")
                    )

    def _payload(self, event: str, request: Message, call: Wanted) -> dict[str, Any]:
        session = frames.params(request).get("sessionId")
        return {
            "event": event, "session": session if isinstance(session, str) and session else "acp",
            "cwd": call.cwd, "tool": call.tool, "input": dict(call.input), "call": str(request["id"]),
        }  # fmt: skip


def _options(request: Message) -> list[dict[str, Any]]:
    found = frames.params(request).get("options")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _option(request: Message, kind: str) -> str | None:
    """The id of the first option of this kind."""
    ids = (one.get("optionId") for one in _options(request) if one.get("kind") == kind)
    return next((name for name in ids if isinstance(name, str)), None)


def _selected(option: str) -> dict[str, Any]:
    return {"outcome": {"outcome": "selected", "optionId": option}}


def _chosen(request: Message, response: Message) -> str:
    """The kind of the option that the client chose; nothing where it chose none that it was offered."""
    result = response.get("result")
    outcome = result.get("outcome") if isinstance(result, dict) else None
    if not isinstance(outcome, dict) or outcome.get("outcome") != "selected":
        return ""
    kinds = (one.get("kind") for one in _options(request) if one.get("optionId") == outcome.get("optionId"))
    return str(next(kinds, ""))


def _as_offered(request: Message, response: Message) -> Message:
    """The client's answer, where it is one of those that it was offered."""
    if "error" in response or _chosen(request, response):
        return response
    return {"jsonrpc": "2.0", "id": response["id"], "result": _CANCELLED}


def _for_client(request: Message, reason: str) -> Message:
    """The agent's question without an answer for always, and with our reason among what is shown."""
    given = frames.params(request)
    options = [one for one in _options(request) if one.get("kind") != _ALWAYS]
    call = dict(given.get("toolCall") or {})
    if reason:
        shown = call.get("content")
        told = {"type": "content", "content": {"type": "text", "text": reason}}
        call["content"] = [told, *(shown if isinstance(shown, list) else [])]
    return {**request, "params": {**given, "options": options, "toolCall": call}}


def _question(request: Message, call: Wanted, reason: str) -> Message:
    """Our own question about something that the agent asks its client to do without one."""
    session = frames.params(request).get("sessionId")
    shown = "\n".join(str(value) for value in call.input.values())
    tool = {
        "toolCallId": f"ringwall-{uuid.uuid4()}", "title": f"{call.tool}: {shown}", "status": "pending",
        "kind": "execute" if call.tool == "Bash" else "edit" if call.tool == "Write" else "read",
        "content": [{"type": "content", "content": {"type": "text", "text": reason}}],
        "rawInput": dict(call.input),
    }  # fmt: skip
    given = {"sessionId": session, "toolCall": tool, "options": _OPTIONS}
    return {"jsonrpc": "2.0", "id": f"ringwall-{uuid.uuid4()}", "method": PERMISSION, "params": given}
