"""Files that say what a task will run: their text → the commands of one task.

Invariant: pure text in, commands with their line numbers out; anything that cannot be read yields None,
which is not the same as a task that runs nothing.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ringwall.model.analysis import HOLE

MOST_LINES = 20_000
MOST_TARGETS = 200


class Step(NamedTuple):
    """One command of a task. `line` is where it stands in the file."""

    text: str
    line: int


# ---- make


class Makefile(NamedTuple):
    """Recipes and prerequisites by target, variables, and the target that runs when none is named."""

    recipes: dict[str, list[Step]]
    needs: dict[str, list[str]]
    variables: dict[str, str]
    first: str


def makefile(text: str) -> Makefile:
    """The rules of a makefile. Conditionals count as true; includes and functions are not followed."""
    recipes: dict[str, list[Step]] = {}
    needs: dict[str, list[str]] = {}
    variables: dict[str, str] = {}
    first = ""
    targets: list[str] = []
    for line, number in _joined(text):
        if line.startswith("\t"):
            for target in targets:
                recipes.setdefault(target, []).append(Step(line[1:], number))
            continue
        plain = line.partition("#")[0].rstrip()
        if not plain.strip():
            continue
        assigned = _assigned(plain)
        if assigned:
            name, op, value = assigned
            if op == "+":
                variables[name] = f"{variables.get(name, '')} {value}".strip()
            elif op != "?" or name not in variables:
                variables[name] = value
            continue
        head, colon, tail = plain.partition(":")
        if not colon or plain.startswith((" ", "ifeq", "ifneq", "ifdef", "ifndef")):
            continue
        prerequisites, semicolon, recipe = tail.lstrip(":").partition(";")
        targets = _names(substituted(head, variables))
        for target in targets:
            needs.setdefault(target, []).extend(
                name for name in _names(substituted(prerequisites, variables)) if name != "|"
            )
            if semicolon and recipe.strip():
                recipes.setdefault(target, []).append(Step(recipe.strip(), number))
            if not first and not target.startswith("."):
                first = target
    return Makefile(recipes, needs, variables, variables.get(".DEFAULT_GOAL", first))


def recipe_of(make: Makefile, target: str) -> list[Step] | None:
    """All that `make target` runs, prerequisites first; None for a target without a rule."""
    if target not in make.needs and _pattern(make, target) is None:
        return None
    steps: list[Step] = []
    done: set[str] = set()
    _collect(make, target, steps, done)
    return steps


def _collect(make: Makefile, target: str, steps: list[Step], done: set[str]) -> None:
    if target in done or len(done) > MOST_TARGETS:
        return
    done.add(target)
    rule = target if target in make.needs else _pattern(make, target)
    if rule is None:
        return
    stem = ""
    if "%" in rule:
        head, _, tail = rule.partition("%")
        stem = target[len(head) : len(target) - len(tail)]
    needs = [name.replace("%", stem) for name in make.needs.get(rule, ())]
    for name in needs:
        _collect(make, name, steps, done)
    automatic = {
        "@": target,
        "<": needs[0] if needs else "",
        "^": " ".join(needs),
        "*": stem,
        "@D": HOLE,
        "?": HOLE,
    }
    variables = make.variables | automatic
    steps.extend(Step(_recipe_text(text, variables), line) for text, line in make.recipes.get(rule, ()))


def _pattern(make: Makefile, target: str) -> str | None:
    for rule in make.needs:
        head, percent, tail = rule.partition("%")
        if percent and target.startswith(head) and target.endswith(tail) and len(target) >= len(rule):
            return rule
    return None


def _recipe_text(text: str, variables: dict[str, str]) -> str:
    return substituted(text.lstrip("@-+ \t"), variables)


def substituted(text: str, variables: dict[str, str], depth: int = 0) -> str:
    """Make's `$(name)`, `${name}` and `$x` replaced; what is not known becomes `HOLE`."""
    if "$" not in text or depth > 8:
        return text if depth <= 8 else HOLE
    out: list[str] = []
    at = 0
    while True:
        mark = text.find("$", at)
        if mark < 0 or mark + 1 >= len(text):
            out.append(text[at:])
            return "".join(out)
        out.append(text[at:mark])
        kind = text[mark + 1]
        if kind == "$":
            out.append("$")
            at = mark + 2
        elif kind in "({":
            end = _closing(text, mark + 1)
            out.append(_variable(text[mark + 2 : end], variables, depth))
            at = end + 1
        else:
            out.append(_variable(kind, variables, depth))
            at = mark + 2


def _closing(text: str, at: int) -> int:
    opening = text[at]
    closing = ")" if opening == "(" else "}"
    level = 0
    for index in range(at, len(text)):
        if text[index] == opening:
            level += 1
        elif text[index] == closing:
            level -= 1
            if level == 0:
                return index
    return len(text)


_MAKE_PROGRAMS = {"MAKE": "make", "RM": "rm -f", "CC": "cc", "CXX": "c++", "AR": "ar", "SHELL": "/bin/sh"}


def _variable(name: str, variables: dict[str, str], depth: int) -> str:
    if name in variables:
        return substituted(variables[name], variables, depth + 1)
    function, blank, rest = name.partition(" ")
    if blank and function == "shell":
        return "$(" + substituted(rest, variables, depth + 1) + ")"
    if name in ("CURDIR", "PWD"):
        return "."
    return _MAKE_PROGRAMS.get(name, HOLE)


def _joined(text: str) -> list[tuple[str, int]]:
    """Lines with continuations joined, each with the number of its first."""
    lines: list[tuple[str, int]] = []
    pending, start = "", 0
    for number, line in enumerate(text.splitlines()[:MOST_LINES], 1):
        if not pending:
            start = number
        if line.endswith("\\"):
            pending += line + "\n" if pending.startswith("\t") or line.startswith("\t") else line[:-1] + " "
            continue
        lines.append((pending + line, start))
        pending = ""
    if pending:
        lines.append((pending, start))
    return lines


def _assigned(line: str) -> tuple[str, str, str] | None:
    """`name = value` and its kin as name, the operator's first letter and value."""
    line = line.removeprefix("export ").removeprefix("override ").strip()
    name, equals, value = line.partition("=")
    if not equals:
        return None
    op = ""
    name = name.rstrip()
    while name and name[-1] in ":?+!":
        op, name = name[-1], name[:-1]
    name = name.strip()
    if not name or any(c in name for c in " :\t$(") or op == "!":
        return None if op != "!" else (name, op, HOLE)
    return name, op, value.strip()


def _names(text: str) -> list[str]:
    return text.split()


# ---- package.json


def package_script(text: str, name: str) -> list[Step] | None:
    """A script of package.json with its `pre` and `post`."""
    try:
        whole: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    scripts = whole.get("scripts") if isinstance(whole, dict) else None
    if not isinstance(scripts, dict) or not isinstance(scripts.get(name), str):
        return None
    steps = []
    for key in (f"pre{name}", name, f"post{name}"):
        script = scripts.get(key)
        if isinstance(script, str):
            steps.append(Step(script, _line_of(text, json.dumps(key))))
    return steps


def _line_of(text: str, needle: str) -> int:
    start = max(text.find('"scripts"'), 0)
    at = text.find(needle, start)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


# ---- justfile


def just_recipe(text: str, name: str) -> list[Step] | None:
    """A recipe of a justfile with its dependencies; interpolations become `HOLE`."""
    recipes: dict[str, list[Step]] = {}
    needs: dict[str, list[str]] = {}
    variables: dict[str, str] = {}
    current = first = ""
    for number, line in enumerate(text.splitlines()[:MOST_LINES], 1):
        if not line.strip() or (line.lstrip().startswith("#") and not current):
            continue
        if line[0] in " \t":
            if current:
                recipes[current].append(Step(line.strip(), number))
            continue
        current = ""
        if ":=" in line:
            key, _, value = line.partition(":=")
            value = value.strip()
            plain = value[:1] in "'\"" and value[-1:] == value[:1]
            variables[key.removeprefix("export ").strip()] = value[1:-1] if plain else HOLE
            continue
        head, colon, tail = line.partition(":")
        words = head.lstrip("@").split()
        if colon and words and not line.startswith(("set ", "import ", "mod ", "[")):
            current = words[0]
            first = first or current
            recipes[current] = []
            needs[current] = [word.strip("()&") for word in tail.partition("#")[0].split()]
    steps: list[Step] = []
    if not _just_collect(recipes, needs, name or first, steps, set()):
        return None
    return [Step(_interpolated(step.text.lstrip("@-"), variables), step.line) for step in steps]


def _just_collect(
    recipes: dict[str, list[Step]], needs: dict[str, list[str]], name: str, steps: list[Step], done: set[str]
) -> bool:
    if name not in recipes:
        return False
    if name in done or len(done) > MOST_TARGETS:
        return True
    done.add(name)
    for other in needs[name]:
        _just_collect(recipes, needs, other, steps, done)
    steps.extend(recipes[name])
    return True


def _interpolated(text: str, variables: dict[str, str]) -> str:
    out: list[str] = []
    while "{{" in text:
        before, _, rest = text.partition("{{")
        inside, _, text = rest.partition("}}")
        out += (before, variables.get(inside.strip(), HOLE))
    return "".join(out) + text
