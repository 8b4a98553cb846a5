"""A model that says one thing, in the dialects of the agent programs, on the loopback.

Invariant: it listens on 127.0.0.1 only, for as long as the context holds, and keeps every request as it came.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_LONGEST = 8 * 1024 * 1024
_STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Heard:
    """One request: its path, its text, and its JSON if it is that."""

    path: str
    text: str
    body: Any


@dataclass(frozen=True, slots=True)
class ScriptedModel:
    """Where it is, and what it has heard so far."""

    url: str
    heard: Sequence[Heard]


@contextmanager
def scripted_model(answer: str) -> Iterator[ScriptedModel]:
    """A model that answers `answer` to everything."""
    heard: list[Heard] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer, heard))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield ScriptedModel(f"http://127.0.0.1:{server.server_address[1]}", heard)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(answer: str, heard: list[Heard]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = min(int(self.headers.get("content-length") or 0), _LONGEST)
            text = self.rfile.read(length).decode("utf-8", "replace")
            try:
                body = json.loads(text)
            except ValueError:
                body = None
            heard.append(Heard(self.path, text, body))
            streams = "stream" in self.path or (isinstance(body, dict) and bool(body.get("stream")))
            events = _events(self.path.partition("?")[0], answer, streams)
            if streams and events:
                said = "".join(f"{head}data: {json.dumps(data)}\n\n" for head, data in events)
                self._send(said + ("data: [DONE]\n\n" if "chat" in self.path else ""), _STREAM)
            else:
                self._send(json.dumps(events[-1][1] if events else {"input_tokens": 1}), "application/json")

        def do_GET(self) -> None:
            self._send("{}", "application/json")

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            """Silent."""

        def _send(self, said: str, kind: str) -> None:
            content = said.encode()
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

    return Handler


def _events(path: str, answer: str, streams: bool) -> list[tuple[str, dict[str, Any]]]:
    """What the dialect of `path` says: events of a stream, or one whole answer."""
    if path.endswith("/messages"):
        return _anthropic(answer) if streams else [("", _message(answer))]
    if path.endswith("/responses"):
        return _responses(answer)
    if path.endswith("/chat/completions"):
        return _chat(answer, streams)
    if "generatecontent" in path.lower():
        return [("", _gemini(answer))]
    return []


def _message(answer: str) -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
        "content": [{"type": "text", "text": answer}], "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def _anthropic(answer: str) -> list[tuple[str, dict[str, Any]]]:
    empty = {**_message(answer), "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": empty},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": answer}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    ]
    return [(f"event: {each['type']}\n", each) for each in events]


def _responses(answer: str) -> list[tuple[str, dict[str, Any]]]:
    item = {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": answer, "annotations": []}],
    }  # fmt: skip
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return [(f"event: {each['type']}\n", each) for each in events]


def _chat(answer: str, streams: bool) -> list[tuple[str, dict[str, Any]]]:
    said = {"role": "assistant", "content": answer}
    part = "delta" if streams else "message"
    kind = "chat.completion.chunk" if streams else "chat.completion"
    whole = {"id": "1", "object": kind, "created": 0, "model": "scripted",
             "choices": [{"index": 0, part: said, "finish_reason": "stop"}]}  # fmt: skip
    return [("", whole)]


def _gemini(answer: str) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": answer}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    }
