"""The knowledge tables: which row speaks about a program.

Invariant: a row is parsed and compiled when its name is first asked for, and once. The index is made from
the `names` lines alone, because reading all of TOML takes longer than judging a command.
"""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ringwall.shell.conditions import whole
from ringwall.shell.rows import KnowledgeError, Row, row_error

FAMILIES = (
    "git", "files", "text", "privilege", "wrappers", "shells", "interpreters", "system", "packages",
    "build", "agents", "archive", "backup", "cloud_aws", "cloud_azure", "cloud_google", "cloud_more",
    "containers", "data", "databases", "deploy", "editors_and_terminals", "forges", "infrastructure",
    "kubernetes", "lint", "macos", "media", "network", "observability", "queues", "remote", "secrets",
)  # fmt: skip
_NAMES = r'\s*\nnames = \[((?:\s*"[^"]*"\s*,?)*)\s*\]'
_COMMAND = re.compile(r"^\[\[command\]\]" + _NAMES, re.MULTILINE)
_SUB = re.compile(r"^\[\[command\.sub\]\]" + _NAMES, re.MULTILINE)
_NAME = re.compile(r'"([^"]+)"')
_GLOB = re.compile(r"[*?[]")
_EXAMPLES = re.compile(r"^(?:no_)?match = \[(?:\n(?:  .*\n)*\]|.*\])$", re.MULTILINE)


class Program:
    """A `[[command]]` with its subcommands, each compiled when first asked for."""

    def __init__(self, text: str, where: str) -> None:
        heads = list(_SUB.finditer(text))
        ends = _ends(heads, text)
        own = text[: heads[0].start()] if heads else text
        self.has_subs = bool(heads)
        self.row = Row(_row(own, where), where, has_subs=self.has_subs)
        self._texts = [text[head.start() : end] for head, end in zip(heads, ends, strict=True)]
        self._rows: dict[int, Row] = {}
        self._subs: dict[str, int] = {}
        self._globs: list[tuple[str, int]] = []
        self.deep: set[str] = set()
        self.problems: list[KnowledgeError] = []
        self.fallback: int | None = None
        for number, head in enumerate(heads):
            self._note(_NAME.findall(head[1]), number)

    def _note(self, names: list[str], number: int) -> None:
        for name in names:
            if name == "*":
                self.fallback = number
            elif _GLOB.search(name):
                self._globs.append((name, number))
            elif name in self._subs:
                where = f"{self.row.where} {name}"
                self.problems.append(row_error("knowledge.duplicate", where, f"second row for {name!r}"))
            else:
                self._subs[name] = number
            if " " in name:
                self.deep.add(name.partition(" ")[0])

    def sub(self, name: str) -> Row | None:
        """The row of a subcommand by its whole name."""
        number = self._subs.get(name)
        if number is None:
            number = next((n for glob, n in self._globs if whole(glob)(name)), None)
        return None if number is None else self._compiled(number)

    def any_sub(self) -> Row | None:
        """The row for subcommands that have none of their own."""
        return None if self.fallback is None else self._compiled(self.fallback)

    def all_subs(self) -> Iterator[Row]:
        for number in range(len(self._texts)):
            yield self._compiled(number)

    def _compiled(self, number: int) -> Row:
        row = self._rows.get(number)
        if row is None:
            text = self._texts[number]
            names = _NAME.search(text)
            where = f"{self.row.where} {names[1] if names else number}"
            row = self._rows[number] = Row(_row(text, where), where, self.row)
        return row


class Tables:
    """All programs of the given family texts, by name."""

    def __init__(self, families: dict[str, str]) -> None:
        self._texts: list[tuple[str, str]] = []
        self._programs: dict[int, Program] = {}
        self._names: dict[str, int] = {}
        self._globs: list[tuple[str, int]] = []
        self.problems: list[KnowledgeError] = []
        for family, text in families.items():
            heads = list(_COMMAND.finditer(text))
            for head, end in zip(heads, _ends(heads, text), strict=True):
                self._texts.append((text[head.start() : end], family))
                self._note(_NAME.findall(head[1]), len(self._texts) - 1, family)

    def _note(self, names: list[str], number: int, family: str) -> None:
        for name in names:
            if _GLOB.search(name) and name != "[":
                self._globs.append((name, number))
            elif self._names.setdefault(name, number) != number:
                other = self._texts[self._names[name]][1]
                what = f"second row for {name!r} (the first, in {other}.toml, is used)"
                self.problems.append(row_error("knowledge.duplicate", f"{family}.toml {name}", what))

    def program(self, name: str) -> Program | None:
        """The program called `name`, a base name."""
        number = self._names.get(name)
        if number is None:
            number = next((n for glob, n in self._globs if whole(glob)(name)), None)
        return None if number is None else self._compiled(number)

    def __iter__(self) -> Iterator[Program]:
        return map(self._compiled, range(len(self._texts)))

    def _compiled(self, number: int) -> Program:
        program = self._programs.get(number)
        if program is None:
            text, family = self._texts[number]
            name = _NAME.search(text)
            program = self._programs[number] = Program(text, f"{family}.toml {name[1] if name else number}")
        return program


def _ends(heads: list[re.Match[str]], text: str) -> list[int]:
    """Where each table that begins at `heads` ends."""
    return [head.start() for head in heads[1:]] + [len(text)][: len(heads)]


def _row(text: str, where: str) -> dict[str, Any]:
    """A row's keys. Its names are those of the index, and its examples, which only tests read, are left out:
    together they are most of the text."""
    names = re.match(r"\[\[[a-z.]+\]\]" + _NAMES, text)
    try:
        keys = tomllib.loads(_EXAMPLES.sub("", text[names.end() :] if names else text))
    except tomllib.TOMLDecodeError as problem:
        raise row_error("knowledge.not_toml", where, f"form: {problem}") from problem
    return {"names": _NAME.findall(names[1]) if names else [], **keys}


def family_text(family: str) -> str:
    """The text of one knowledge file of the package."""
    content = pkgutil.get_data("ringwall.shell", f"knowledge/{family}.toml")
    return (content or b"").decode()


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables of the package."""
    return Tables({family: family_text(family) for family in FAMILIES})


__all__ = ["FAMILIES", "KnowledgeError", "Program", "Tables", "family_text", "tables"]
