"""What the script of a workflow will start.

Invariant: an identifier that starts agents or runs them side by side is found wherever it stands as code,
however it is called; a script that may build code from text is opaque.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ringwall.model.analysis import Doubt
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Surroundings
from ringwall.model.text import msg

_MAX_SCRIPT = 262_144

_DATA = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
_TEMPLATE_TEXT = re.compile(r"(?:\\.|(?!\$\{)[^\\`])*", re.DOTALL)
_STARTS = re.compile(r"\b(?:agent|workflow)\b")
_SIDE_BY_SIDE = re.compile(r"\b(?:parallel|pipeline|Promise)\b")
_REPEATS = re.compile(r"\b(?:for|while|do|map|flatMap|forEach|reduce)\b")
_OPAQUE = re.compile(
    r"\\|\b(?:eval|Function|constructor|import|require|process|globalThis|global|self|window|fetch|Reflect)\b"
    r"|\b(?:this)\s*\["
)


def workflow_effects(values: Mapping[str, Any], surroundings: Surroundings) -> Iterator[Effect | Doubt]:
    """The effects of a `Workflow` call: its script, a script file, or a workflow that is only named."""
    script, path, name = (values.get(key) for key in ("script", "scriptPath", "name"))
    if isinstance(script, str):
        yield from _script_effects(script, "script")
    elif isinstance(path, str) and (text := surroundings.read(path, _MAX_SCRIPT)) is not None:
        yield from _script_effects(text, "scriptPath")
    elif isinstance(path, str) or isinstance(name, str):
        target = path if isinstance(path, str) else str(name)
        yield Effect("code.opaque", target, field="name")
        yield Effect("agent.spawn", target, field="name")
        yield Effect("agents.parallelize", target, certain=False, field="name")
    else:
        yield Doubt("unreadable", msg("Workflow has no script that can be read."))


def _script_effects(script: str, field: str) -> Iterator[Effect | Doubt]:
    if len(script) > _MAX_SCRIPT:
        yield Doubt("too_long", msg("The script is longer than {limit} characters.", limit=_MAX_SCRIPT))
        return
    code = _code_only(script)
    span = (0, len(script)) if field == "script" else (0, 0)
    yield Effect("code.run", "workflow", span=span, field=field)
    if code is None or _OPAQUE.search(code):
        yield Effect("code.opaque", "workflow", span=span, field=field)
        yield Effect("agents.parallelize", "workflow", certain=False, span=span, field=field)
        return
    if found := _STARTS.search(code):
        yield Effect("agent.spawn", "workflow", span=_at(found, span), field=field)
    if found := _SIDE_BY_SIDE.search(code):
        yield Effect("agents.parallelize", "workflow", span=_at(found, span), field=field)
    elif _STARTS.search(code) and (found := _REPEATS.search(code)):
        yield Effect("agents.parallelize", "workflow", certain=False, span=_at(found, span), field=field)


def _at(found: re.Match[str], whole: tuple[int, int]) -> tuple[int, int]:
    return found.span() if whole != (0, 0) else whole


def _code_only(script: str) -> str | None:
    """The script with comments and text blanked, every other character in its place; None when quotes do
    not close."""
    kept: list[str] = []
    position, templates = 0, [0]  # open braces within each open `${`; the first is the script itself
    while position < len(script):
        character = script[position]
        end = position + 1
        if found := _DATA.match(script, position):
            end = found.end()
            character = " " * (end - position)
        elif character in "\"'":
            return None
        elif character == "`" or (character == "}" and len(templates) > 1 and templates[-1] == 0):
            if character == "}":
                templates.pop()
            text = _TEMPLATE_TEXT.match(script, end)
            end = text.end() if text else end
            if end >= len(script):
                return None
            if script[end] == "`":
                end += 1
            else:
                templates.append(0)
                end += 2
            character = " " * (end - position)
        elif character in "{}":
            templates[-1] += 1 if character == "{" else -1
        kept.append(character)
        position = end
    return "".join(kept) if len(templates) == 1 else None
