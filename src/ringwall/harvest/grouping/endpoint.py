"""An endpoint that speaks the chat dialect of OpenAI as an engine.

Invariant: one request to the address that the person has set, over TLS unless it is this machine; no redirect
is followed, no tool is offered, and an answer that is too long or not whole is an error.
"""

from __future__ import annotations

import hashlib
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ringwall.harvest.grouping import prompt
from ringwall.harvest.grouping.bounded import LONGEST_INPUT, LONGEST_OUTPUT, EngineError, failed, too_much
from ringwall.harvest.grouping.engine import Request
from ringwall.model.text import msg

SECONDS = 300.0
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`base` is the address before `/chat/completions`; `key` may be empty."""

    base: str
    model: str
    key: str = ""
    seconds: float = SECONDS

    @property
    def name(self) -> str:
        return "endpoint"

    @property
    def version(self) -> str:
        said = json.dumps([prompt.VERSION, prompt.INSTRUCTIONS, self.base, self.model])
        return hashlib.sha256(said.encode()).hexdigest()[:12]

    def group(self, request: Request) -> bytes:
        question = prompt.question(request)
        if len(question) > LONGEST_INPUT:
            raise too_much(len(question))
        asked = {
            "model": self.model,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": [
                {"role": "system", "content": prompt.INSTRUCTIONS},
                {"role": "user", "content": question.decode()},
            ],
        }
        return prompt.answer(_said(self._post(json.dumps(asked).encode())))

    def _post(self, body: bytes) -> bytes:
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        where = urllib.request.Request(  # noqa: S310
            f"{checked(self.base)}/chat/completions", data=body, headers=headers, method="POST"
        )
        try:
            with _OPENER.open(where, timeout=self.seconds) as reply:
                content: bytes = reply.read(LONGEST_OUTPUT + 1)
        except urllib.error.HTTPError as error:
            raise failed("refused", msg("The endpoint answered {status}.", status=error.code)) from error
        except (OSError, ValueError) as error:
            raise failed("unreachable", msg("The endpoint cannot be reached: {why}.", why=error)) from error
        if len(content) > LONGEST_OUTPUT:
            raise failed("too_long", msg("The endpoint sent more than {most} bytes.", most=LONGEST_OUTPUT))
        return content


def checked(base: str) -> str:
    """`base` without a slash at its end. Raises `EngineError` where it is no safe address."""
    parts = urlsplit(base)
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)
    if not safe or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise EngineError(
            "harvest.endpoint.address",
            msg("{base} is no address for an engine.", base=ascii(base[:200])),
            msg("Give an https address, or http on this machine, such as http://127.0.0.1:11434/v1."),
        )
    return base.rstrip("/")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _said(content: bytes) -> bytes:
    try:
        said = json.loads(content)["choices"][0]["message"]["content"]
        return str(said).encode() if isinstance(said, str) else b""
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise failed("shape", msg("The endpoint's answer is no chat completion.")) from error
