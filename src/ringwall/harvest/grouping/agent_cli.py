"""The user's own agent program as an engine.

Invariant: it is asked only after an inspection in the same way has shown that nothing of the user reaches the
model and that it has no tools (`inspection.py`); flags are not trusted. The call is bounded (`bounded.py`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from ringwall.harvest.grouping import prompt
from ringwall.harvest.grouping.bounded import EngineError, call
from ringwall.harvest.grouping.engine import Request
from ringwall.harvest.grouping.inspection import inspect
from ringwall.harvest.grouping.program import Program
from ringwall.model.text import msg

NEEDED = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "SSL_CERT_FILE",
    "HTTPS_PROXY",
    "NO_PROXY",
)
SECONDS = 300.0


@cache
def programs() -> Mapping[str, Program]:
    """The programs of the table, by name."""
    text = files("ringwall.harvest.grouping").joinpath("engines.toml").read_text(encoding="utf-8")
    return msgspec.convert(
        {name: {"name": name, **row} for name, row in tomllib.loads(text).items()}, dict[str, Program]
    )


@dataclass(frozen=True, slots=True)
class AgentCli:
    """An agent program, called once. `environ` is that of the person."""

    program: Program
    environ: Mapping[str, str]
    seconds: float = SECONDS

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def version(self) -> str:
        said = json.dumps([prompt.VERSION, prompt.INSTRUCTIONS, list(self.program.command)])
        return hashlib.sha256(said.encode()).hexdigest()[:12]

    def group(self, request: Request) -> bytes:
        path = shutil.which(self.program.command[0], path=self.environ.get("PATH"))
        if path is None:
            raise EngineError(
                "harvest.engine.missing",
                msg("{program} is not here.", program=self.program.command[0]),
                msg("Install it, or choose another engine with --engine; `embedded` needs no account."),
            )
        path = os.path.abspath(path)
        inspect(self.program, path, self.environ).refuse()
        question = prompt.question(request)
        kept = {name: self.environ[name] for name in (*NEEDED, *self.program.keep) if name in self.environ}
        said = call(self.program.line(path, question), question, kept, self.seconds)
        return prompt.answer(said)
