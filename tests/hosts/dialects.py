"""The scripted model in the dialects of other hosts: Responses, Chat Completions, Gemini's generateContent.

Each request is turned into the Messages form that the script reads, and the script's message into the form
that was asked in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hosts.scripted_model import Handler, Json, Script, Server, text_of

Reply = Callable[[Json], Json]
Stream = Callable[[Json], Iterator[tuple[str, Json]]]


class ManyHandler(Handler):
    """Answers in the dialect of the path; Messages as its parent does."""

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith(("/messages", "/count_tokens")):
            super().do_POST()
            return
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if path.endswith("/responses"):
            self._answer(responses_asked(request), responses_reply, responses_events, request.get("stream"))
        elif path.endswith("/chat/completions"):
            self._answer(chat_asked(request), chat_reply, chat_events, request.get("stream"))
        elif path.endswith("enerateContent"):
            self._answer(gemini_asked(request), gemini_reply, gemini_events, "stream" in path)
        else:
            self.send_object({"error": {"message": path}}, 404)

    def do_GET(self) -> None:
        self.send_object({"object": "list", "data": [], "models": []})

    def _answer(self, asked: Json, reply: Reply, events: Stream, streamed: Any) -> None:
        message, status = self.script.answer(asked)
        if status != 200:
            self.send_object({"error": {"message": "as scripted"}}, status)
        elif not streamed:
            self.send_object(reply(message))
        else:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for name, event in events(message):
                head = f"event: {name}\n" if name else ""
                self.wfile.write(f"{head}data: {json.dumps(event)}\n\n".encode())
            if reply is chat_reply:
                self.wfile.write(b"data: [DONE]\n\n")
            self.wfile.flush()


def serve(script: Json, log: Path, on_answer: Callable[[Json], None] | None = None) -> Server:
    """As the scripted model's own `serve`, in every dialect."""
    handler = type("ManyScripted", (ManyHandler,), {"script": Script(script, log, on_answer)})
    return Server(("127.0.0.1", 0), handler)


def _messages(said: list[tuple[str, str]], results: list[Json], tools: list[Any]) -> Json:
    messages: list[Json] = [{"role": role, "content": text} for role, text in said]
    if results:
        messages.append({"role": "user", "content": results})
    return {"model": "scripted", "messages": messages, "tools": [{"name": name} for name in tools]}


def _result(number: str, text: str) -> Json:
    return {"type": "tool_result", "tool_use_id": number, "content": text}


def _calls(message: Json) -> list[Json]:
    return [part for part in message["content"] if part["type"] == "tool_use"]


def _text(message: Json) -> str:
    return "".join(part["text"] for part in message["content"] if part["type"] == "text")


# ---- Responses


def responses_asked(request: Json) -> Json:
    said: list[tuple[str, str]] = []
    results: list[Json] = []
    given = request.get("input", [])
    for item in given if isinstance(given, list) else [{"role": "user", "content": given}]:
        kind = item.get("type", "message")
        if kind == "message":
            said.append((item["role"], text_of(item.get("content"))))
            results = []
        elif kind in ("function_call", "custom_tool_call"):
            said.append(("assistant", json.dumps(item)))
            results = []
        elif kind.endswith("_output"):
            results.append(_result(item["call_id"], text_of(item.get("output"))))
    return _messages(said, results, [tool.get("name") for tool in request.get("tools") or []])


def responses_reply(message: Json) -> Json:
    output: list[Json] = []
    if _text(message):
        content = [{"type": "output_text", "text": _text(message), "annotations": []}]
        output.append({"type": "message", "id": message["id"], "role": "assistant", "content": content})
    for call in _calls(message):
        named = {"id": f"fc_{call['id']}", "call_id": call["id"], "name": call["name"], "status": "completed"}
        if "*patch" in call["input"]:
            output.append({"type": "custom_tool_call", **named, "input": call["input"]["*patch"]})
        else:
            output.append({"type": "function_call", **named, "arguments": json.dumps(call["input"])})
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    return {
        "id": message["id"],
        "object": "response",
        "status": "completed",
        "output": output,
        "usage": usage,
    }


def responses_events(message: Json) -> Iterator[tuple[str, Json]]:
    whole = responses_reply(message)
    begun = {**whole, "status": "in_progress", "output": []}
    yield "response.created", {"type": "response.created", "response": begun}
    for at, item in enumerate(whole["output"]):
        done = {"type": "response.output_item.done", "output_index": at, "item": item}
        yield "response.output_item.done", done
    yield "response.completed", {"type": "response.completed", "response": whole}


# ---- Chat Completions


def chat_asked(request: Json) -> Json:
    said: list[tuple[str, str]] = []
    results: list[Json] = []
    for message in request.get("messages", []):
        if message["role"] == "tool":
            results.append(_result(message.get("tool_call_id", ""), text_of(message.get("content"))))
        else:
            said.append((message["role"], text_of(message.get("content"))))
            results = []
    return _messages(said, results, [tool["function"]["name"] for tool in request.get("tools") or []])


def _chat_calls(message: Json) -> list[Json]:
    return [
        {
            "index": at,
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["input"])},
        }
        for at, call in enumerate(_calls(message))
    ]


def chat_reply(message: Json) -> Json:
    calls = _chat_calls(message)
    said: Json = {"role": "assistant", "content": _text(message)}
    if calls:
        said["tool_calls"] = calls
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls" if calls else "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    head = {"id": message["id"], "object": "chat.completion", "created": 1, "model": message["model"]}
    return {**head, "choices": [choice], "usage": usage}


def chat_events(message: Json) -> Iterator[tuple[str, Json]]:
    head = {"id": message["id"], "object": "chat.completion.chunk", "created": 1, "model": message["model"]}
    calls = _chat_calls(message)
    delta: Json = {"role": "assistant", "content": _text(message)}
    if calls:
        delta["tool_calls"] = calls
    yield "", {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    end = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    yield "", {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage}


# ---- Gemini


def gemini_asked(request: Json) -> Json:
    said: list[tuple[str, str]] = []
    results: list[Json] = []
    for content in request.get("contents", []):
        role = "assistant" if content.get("role") == "model" else "user"
        parts = content.get("parts", [])
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        results = [_result(str(each.get("id", "")), json.dumps(each.get("response"))) for each in answers]
        if not answers:
            said.append((role, "\n".join(part.get("text", "") for part in parts)))
    declared = [each for tool in request.get("tools") or [] for each in tool.get("functionDeclarations", [])]
    return _messages(said, results, [each["name"] for each in declared])


def gemini_reply(message: Json) -> Json:
    parts: list[Json] = [{"text": _text(message)}] if _text(message) else []
    parts += [{"functionCall": {"name": call["name"], "args": call["input"]}} for call in _calls(message)]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}


def gemini_events(message: Json) -> Iterator[tuple[str, Json]]:
    yield "", gemini_reply(message)
