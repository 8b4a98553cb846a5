"""A host's own plan as the draft of a plan file.

Invariant: a draft holds the host's text whole, and as steps only what names a file or a command in code marks
after a verb that says what is done with it. It is a person who completes and seals it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ringwall.model.visible import hidden

_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?P<words>\S.*?)\s*$")
_HEADING = re.compile(r"^#{1,6}\s+(?:Plan:\s*)?(?P<title>.*?)\s*#*\s*$", re.IGNORECASE)
_CODE = re.compile(r"`([^`\n]+)`")
_ENDS = re.compile(r"\r\n?")
_FENCE = re.compile(r"^(\s{0,3})(`{3,}|~{3,})", re.MULTILINE)
_VERBS = {
    "Write": {"create", "add", "write", "generate"},
    "Edit": {"edit", "change", "update", "modify", "extend", "fix", "refactor", "adapt", "adjust"},
    "Delete": {"delete", "remove", "drop"},
    "Move": {"move", "rename"},
    "Bash": {"run", "execute", "call", "test", "verify", "check", "build", "commit", "install"},
}
_OPS = {verb: op for op, verbs in _VERBS.items() for verb in verbs}
_FILE = re.compile(r"[\w@.+-]+(?:/[\w@.+\[\]-]+)*\.?[\w-]+")


def plan_text(given: str) -> str | None:
    """The plan in what a host gave: Markdown, the input or payload of Claude Code's `ExitPlanMode`, or the
    arguments of Codex's `update_plan`; None where there is none."""
    try:
        value = json.loads(given)
    except (ValueError, RecursionError):
        return given if given.strip() else None
    return _from_json(value)


def _from_json(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("arguments"), str):
        return plan_text(value["arguments"]) if value["arguments"].lstrip().startswith("{") else None
    for wrapper in ("tool_input", "input", "arguments"):
        if isinstance(value.get(wrapper), dict):
            return _from_json(value[wrapper])
    plan = value.get("plan")
    if isinstance(plan, str):
        return plan if plan.strip() else None
    if not isinstance(plan, list):
        return None
    steps = [one["step"] for one in plan if isinstance(one, dict) and isinstance(one.get("step"), str)]
    if not steps:
        return None
    numbered = "\n".join(f"{number}. {' '.join(step.split())}" for number, step in enumerate(steps, 1))
    why = value.get("explanation")
    return f"{why}\n\n{numbered}" if isinstance(why, str) and why.strip() else numbered


def draft_of(text: str) -> str:
    """A plan file for the text of a plan. Its steps are a guess that lint and a person look at."""
    text = _ENDS.sub("\n", text)
    items = [*_items(text)]
    steps = [step for words in items if (step := _step(words)) is not None]
    others = [words for words in items if _step(words) is None]
    parts = [f"# {_title(text)}", _indented(text).strip("\n")]
    if others:
        parts.append("Not a step yet:\n\n" + "\n".join(f"- {words}" for words in others))
    written = ",\n".join(f"  {json.dumps(step, ensure_ascii=False)}" for step in steps)
    parts.append(f"```steps-json\n[\n{written}\n]\n```" if steps else "```steps-json\n[]\n```")
    parts.append("```skills-json\n[]\n```")
    return "\n\n".join(parts) + "\n"


def _items(text: str) -> Iterator[str]:
    inside = ""
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if fence and (not inside or fence[2].startswith(inside)):
            inside = "" if inside else fence[2]
        elif not inside and (item := _ITEM.match(line)):
            yield "".join(letter for letter in item["words"] if not hidden(letter))


def _step(words: str) -> dict[str, str] | None:
    plain = words.lstrip("*_ ")
    verb = re.match(r"[A-Za-z]+", plain)
    op = _OPS.get(verb[0].lower()) if verb else None
    named = _CODE.findall(words)
    if op is None or not named:
        return None
    if op == "Bash":
        return {"op": op, "object": named[0], "note": words}
    if not _FILE.fullmatch(named[0]):
        return None
    if op == "Move":
        if len(named) < 2 or not _FILE.fullmatch(named[1]):
            return None
        return {"op": op, "object": named[0], "to": named[1], "note": words}
    return {"op": op, "object": named[0], "note": words}


def _title(text: str) -> str:
    found = next((match["title"] for line in text.splitlines() if (match := _HEADING.match(line))), "")
    return "".join(letter for letter in found if not hidden(letter)).strip() or "Draft"


def _indented(text: str) -> str:
    """The text with its fences made harmless: only the blocks that we write are read."""
    return _FENCE.sub(lambda fence: f"{fence[1]}    {fence[2]}", text)
