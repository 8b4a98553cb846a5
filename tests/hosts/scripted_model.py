"""A model that says what a script says, over Anthropic's Messages API on the loopback interface.

A real agent host, pointed at it, runs without account or network. Standard library only.

The script is JSON: {"lanes": [{"name": …, "match": REGEX, "turns": [TURN, …]}, …]}. A request belongs to the
first lane whose regex is found in its first user message; a lane without `match` takes every other request
that offers tools. Each request takes the lane's next turn: {"text": …, "calls": [{"name": …, "input": {…}}],
"status": 529, "tokens": N}; `tokens` is the size of the context that it claims, so that the host compacts. A
used-up lane answers "done"; so does a request that leaves no room for calls (titles, summaries).

Every exchange is one line of the log: {"lane", "turn", "tools": [names], "heard": [the text of each
message], "results": [{"id", "text", "error"}], "reply"}.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Json = dict[str, Any]

DONE: Json = {"text": "done"}

SUMMARISING = "Respond with TEXT ONLY"
"""In the last message of a request that compacts the session."""


class Script:
    """Lanes with their places in the script, and the log."""

    def __init__(self, script: Json, log: Path, on_answer: Callable[[Json], None] | None) -> None:
        self.on_answer = on_answer
        self.lanes: list[Json] = script["lanes"]
        self.log = log
        self.places: dict[str, int] = {}
        self.numbers = itertools.count(1)
        self.lock = threading.Lock()

    def answer(self, request: Json) -> tuple[Json, int]:
        """The next message for `request`, and the HTTP status to send it with."""
        with self.lock:
            lane, place, turn = self._turn(request)
            message = self._message(turn, str(request.get("model", "scripted")))
            entry = {
                "lane": lane,
                "turn": place,
                "tools": [tool.get("name") for tool in request.get("tools") or []],
                "heard": [text_of(message["content"]) for message in request.get("messages", [])],
                "results": list(results(request)),
                "reply": message["content"],
            }
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
            if self.on_answer is not None:
                self.on_answer(entry)
            return message, int(turn.get("status", 200))

    def _turn(self, request: Json) -> tuple[str, int, Json]:
        lane = self._lane(request)
        if lane is None:
            return "aside", 0, DONE
        place = self.places.get(lane["name"], 0)
        self.places[lane["name"]] = place + 1
        return lane["name"], place, lane["turns"][place] if place < len(lane["turns"]) else DONE

    def _lane(self, request: Json) -> Json | None:
        messages = request.get("messages", [])
        if not request.get("tools") or SUMMARISING in text_of(messages[-1]["content"]):
            return None
        opening = first_words(request)
        for lane in self.lanes:
            if "match" not in lane or re.search(lane["match"], opening, re.DOTALL):
                return lane
        return None

    def _message(self, turn: Json, model: str) -> Json:
        content: list[Json] = []
        if turn.get("text"):
            content.append({"type": "text", "text": turn["text"]})
        for call in turn.get("calls", []):
            number = f"toolu_{next(self.numbers):06d}"
            content.append({"type": "tool_use", "id": number, "name": call["name"], "input": call["input"]})
        return {
            "id": f"msg_{next(self.numbers):06d}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": content,
            "stop_reason": "tool_use" if turn.get("calls") else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": turn.get("tokens", 100), "output_tokens": 10},
        }


def text_of(content: Any) -> str:
    """The text in a message's content, whichever of its forms it has."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return text_of(content.get("text", content.get("content", "")))
    return ""


def first_words(request: Json) -> str:
    """The first user message: a subagent's task, or the person's prompt."""
    messages = request.get("messages", [])
    return next((text_of(message["content"]) for message in messages if message["role"] == "user"), "")


def results(request: Json) -> Iterator[Json]:
    """What the model is told of the calls that it made last."""
    messages = [message for message in request.get("messages", []) if message["role"] == "user"]
    content = messages[-1]["content"] if messages else []
    for part in content if isinstance(content, list) else []:
        if part.get("type") == "tool_result":
            text = text_of(part.get("content", ""))
            yield {"id": part["tool_use_id"], "text": text, "error": bool(part.get("is_error"))}


def stream(message: Json) -> Iterator[Json]:
    """The server-sent events that make up `message`."""
    head = {**message, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": head}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": message["usage"]}
    yield {"type": "message_stop"}


class Handler(BaseHTTPRequestHandler):
    script: Script

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self.send_object({"input_tokens": 100})
        elif path.endswith("/messages"):
            self.send_message(request)
        else:
            self.send_object({"type": "error", "error": {"type": "not_found_error", "message": path}}, 404)

    def do_GET(self) -> None:
        self.send_object({"data": [], "has_more": False})

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.end_headers()

    def send_message(self, request: Json) -> None:
        message, status = self.script.answer(request)
        if status != 200:
            failure = {"type": "error", "error": {"type": "overloaded_error", "message": "as scripted"}}
            self.send_object(failure, status)
        elif request.get("stream"):
            self.send_events(message)
        else:
            self.send_object(message)

    def send_object(self, value: Json, status: int = 200) -> None:
        body = json.dumps(value).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_events(self, message: Json) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in stream(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the log of exchanges is enough."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A host that closes a connection early is no error of the script."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def serve(script: Json, log: Path, on_answer: Callable[[Json], None] | None = None) -> Server:
    """A server on a free port of the loopback interface; the caller runs and closes it. `on_answer` is told
    of each exchange before the answer goes out."""
    handler = type("ScriptedHandler", (Handler,), {"script": Script(script, log, on_answer)})
    return Server(("127.0.0.1", 0), handler)


def main() -> None:
    options = argparse.ArgumentParser(description="A model that says what a script says.")
    options.add_argument("script", type=Path)
    options.add_argument("log", type=Path)
    given = options.parse_args()
    server = serve(json.loads(given.script.read_text(encoding="utf-8")), given.log)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
