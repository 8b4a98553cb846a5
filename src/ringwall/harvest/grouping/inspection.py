"""Whether an agent program keeps to what it is told when it groups corrections.

Invariant: the program runs in a home made for this, with a scripted model on the loopback and canaries in all
places where it looks for memory, hooks, servers and skills; it is good only if it was seen to ask the model,
no canary was sent or run, no tool was offered to the model, and its answer came through. The person's own
home is not read.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringwall.harvest.grouping.bounded import EngineError, call
from ringwall.harvest.grouping.program import Program
from ringwall.harvest.grouping.scripted_model import Heard, scripted_model
from ringwall.model.text import Text, msg

SECONDS = 60.0
_ANSWER = '{"clusters": []}'


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found of one program; no faults: it may be used."""

    program: str
    faults: tuple[Text, ...]
    requests: int

    def refuse(self) -> None:
        """Raise `EngineError` where there is a fault."""
        if self.faults:
            raise EngineError(
                "harvest.engine.leaks",
                msg(
                    "{program} may not group corrections: {fault}", program=self.program, fault=self.faults[0]
                ),
                msg("Run `ringwall harvest doctor`, or choose another engine with --engine."),
            )


def inspect(program: Program, path: str, environ: Mapping[str, str], seconds: float = SECONDS) -> Inspection:
    """Run `program` (found at `path`) on a question without corrections."""
    with tempfile.TemporaryDirectory(prefix="ringwall-inspection-") as home, scripted_model(_ANSWER) as model:
        sprung = Path(home) / "sprung"
        canaries = _plant(program, Path(home), model.url, sprung)
        told = {name: environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in environ}
        told |= {"HOME": home, **{k: _filled(v, model.url, home) for k, v in program.point.items()}}
        question = b'{"minimum": 2, "rejected": [], "remarks": []}'
        answer, fault = b"", None
        try:
            answer = call(program.line(path, question), question, told, seconds, f"{home}/work")
        except EngineError as error:
            fault = error.what
        return Inspection(
            program.name, tuple(_faults(canaries, sprung, model.heard, answer, fault)), len(model.heard)
        )


def _plant(program: Program, home: Path, url: str, sprung: Path) -> Mapping[str, str]:
    """Lay the canaries out; which word lies in which file."""
    (home / "work").mkdir()
    words: dict[str, str] = {}
    for place, content in program.plant.items():
        word = f"canary-{secrets.token_hex(8)}"
        words[word] = place
        file = home / place
        file.parent.mkdir(parents=True, exist_ok=True)
        trap = f"/usr/bin/touch {sprung}"
        file.write_text(
            content.replace("{canary}", word).replace("{trap}", trap).replace("{url}", url), encoding="utf-8"
        )
    return words


def _faults(
    canaries: Mapping[str, str], sprung: Path, heard: Sequence[Heard], answer: bytes, fault: Text | None
) -> list[Text]:
    found = [
        msg("what stands in {place} reaches the model.", place=place)
        for word, place in canaries.items()
        if any(word in each.text for each in heard)
    ]
    if sprung.exists():
        found.append(msg("it runs the hooks or servers of its user's settings."))
    tools = sorted({name for each in heard for name in _tools(each.body)})
    if tools:
        shown = ", ".join(tools[:6]) + (" …" if tools[6:] else "")
        found.append(msg("it offers tools to the model: {tools}.", tools=shown))
    if fault is not None:
        found.append(fault)
    elif not heard:
        found.append(msg("it did not ask the scripted model."))
    elif _ANSWER.encode() not in answer:
        found.append(msg("the model's answer did not come through as it was."))
    return found


def _tools(body: Any) -> list[str]:
    """The names of the tools that a request to a model offers, in any dialect."""
    offered = body.get("tools") if isinstance(body, dict) else None
    found: list[Any] = []
    for tool in offered if isinstance(offered, list) else []:
        found += (tool.get("functionDeclarations") or [tool]) if isinstance(tool, dict) else [tool]
    return [_name(each) for each in found]


def _name(tool: Any) -> str:
    if not isinstance(tool, dict):
        return "?"
    inner = tool.get("function", tool)
    return str(inner.get("name") or inner.get("type") or "?") if isinstance(inner, dict) else "?"


def _filled(value: str, url: str, home: str) -> str:
    return value.replace("{url}", url).replace("{home}", home)


def as_json(found: Inspection) -> dict[str, object]:
    """The inspection for programs."""
    return {
        "engine": found.program,
        "good": not found.faults,
        "faults": [str(fault) for fault in found.faults],
        "requests": found.requests,
    }
