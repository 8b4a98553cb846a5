"""How a gateway asks for a verdict: through the hook client, as any host does.

Invariant: only a complete answer that says `allow` or `ask` is one; everything else is a denial that says
why.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from ringwall.model.verdict import Verdict

SECONDS = 75.0
"""Longer than the client waits by itself."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was decided, in words for the agent."""

    verdict: Verdict
    reason: str

    @property
    def allows(self) -> bool:
        return self.verdict is Verdict.ALLOW


class _Answer(msgspec.Struct, frozen=True):
    verdict: Verdict
    reason: str
    code: str = ""


class Verdicts:
    """Asks the client `words` as the host `host`, with the environment of the session."""

    def __init__(self, words: Sequence[str], host: str, environ: Mapping[str, str]) -> None:
        self._words = (*words, host)
        self._environ = dict(environ)

    async def ask(self, payload: Mapping[str, Any]) -> Ruling:
        """The ruling on a call that waits."""
        try:
            status, out, err = await self._run(payload)
        except OSError as error:
            return _none(f"{error.strerror or error}")
        except (TimeoutError, ValueError) as error:
            return _none(type(error).__name__)
        if status != 0:
            return Ruling(Verdict.DENY, err.decode("utf-8", "replace").strip() or _none("").reason)
        try:
            answer = msgspec.json.decode(out, type=_Answer)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            return _none(str(error))
        return Ruling(answer.verdict, answer.reason)

    async def tell(self, payload: Mapping[str, Any]) -> None:
        """Report what became of a call; nothing waits for an answer, but the report is made."""
        with suppress(OSError, TimeoutError, ValueError):
            await self._run(payload, "--notify")

    async def _run(self, payload: Mapping[str, Any], *more: str) -> tuple[int, bytes, bytes]:
        sent = json.dumps(payload, ensure_ascii=True, allow_nan=False).encode()
        process = await asyncio.create_subprocess_exec(
            *self._words, *more, env=self._environ, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            out, err = await asyncio.wait_for(process.communicate(sent), SECONDS)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return process.returncode or 0, out, err


def _none(why: str) -> Ruling:
    detail = f" ({why})" if why else ""
    return Ruling(
        Verdict.DENY, f"Ringwall has no verdict{detail}, so the call is stopped. Run `ringwall doctor`."
    )
