"""A gateway between lines that a test writes and a server that does what a test says, with verdicts from a
script instead of a daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

DRIVER = """
import os, sys
from ringwall.gateways.wrapping import wrap_acp, wrap_mcp
from ringwall.store.paths import StateDir
kind, state, client, *words = sys.argv[1:]
if kind == "mcp":
    sys.exit(wrap_mcp(words, "lab", os.getcwd(), os.environ, StateDir(state), [client]))
sys.exit(wrap_acp(words, os.getcwd(), os.environ, [client]))
"""
ANSWER = object()
"""Among the lines: read one message before the next line is written."""
ALLOWS = '{"verdict":"allow","reason":"fine","code":"x"}'


@dataclass(frozen=True)
class Exchange:
    """What came of it: messages to the client, lines at the server, what was said on standard error."""

    out: list[Any]
    arrived: list[Any]
    told: str
    status: int

    def answer(self, number: Any) -> Any:
        """The one answer to a request."""
        (found,) = [one for one in self.out if one.get("id") == number and "method" not in one]
        return found


def exchange(
    root: Path, lines: Sequence[Any], script: Mapping[str, Sequence[Any]],
    verdict: str = f"echo '{ALLOWS}'", kind: str = "mcp", waits: int = 0,
) -> Exchange:  # fmt: skip
    """Write `lines`, then read `waits` messages more, end the input, and read what is left."""
    client, said, log = root / "client", root / "script.json", root / "arrived"
    client.write_text(f"#!/bin/sh\ncat > {root}/asked.$$\n{verdict}\n")
    client.chmod(0o755)
    texts = {name: [one if isinstance(one, str) else json.dumps(one) for one in answers]
             for name, answers in script.items()}  # fmt: skip
    said.write_text(json.dumps(texts))
    log.write_text("")
    words = [sys.executable, "-S", str(HERE / "plain_server.py"), str(said), str(log)]
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER, kind, str(root / "state"), str(client), *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root,
        env={"PATH": os.environ["PATH"], "HOME": str(root)},
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    late = threading.Timer(30, process.kill)
    late.start()
    got: list[bytes] = []
    for one in (*lines, *[ANSWER] * waits):
        if one is ANSWER:
            got.append(process.stdout.readline())
        else:
            process.stdin.write(_line(one) + b"\n")
            process.stdin.flush()
    rest, told = process.communicate(timeout=60)
    late.cancel()
    out = [json.loads(line) for line in b"".join([*got, rest]).splitlines()]
    arrived = [json.loads(line) for line in log.read_text().splitlines()]
    return Exchange(out, arrived, told.decode(), process.returncode)


def _line(one: str | bytes | Mapping[str, Any]) -> bytes:
    if isinstance(one, bytes):
        return one
    return (one if isinstance(one, str) else json.dumps(one)).encode()
