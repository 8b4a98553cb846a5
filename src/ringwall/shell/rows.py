"""One knowledge row, compiled from its TOML form.

Invariant: a row that compiles names only options, operands and effects that exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ringwall.model.effects import EFFECTS
from ringwall.model.errors import RingwallError
from ringwall.model.text import msg
from ringwall.shell.conditions import Condition, ConditionError, compile_condition
from ringwall.shell.operands import Operands, read_operands
from ringwall.shell.options import Options, read_options

ACCESS = {
    "list": "list",
    "read": "read",
    "write": "write",
    "delete": "delete",
    "delete.recursive": "delete",
    "git.merge.protected": "branch",
}
"""Effects that depend on more than argv: on where a path lies, or on the branch that is checked out."""
_LOOKING = frozenset(("list", "read"))
VERB_EFFECTS = {"read": "cloud.read", "write": "cloud.write", "destroy": "data.destroy"}
KINDS = frozenset(("argv", "shell", "code", "file", "task", "stdin", "config"))
COMMAND_KEYS = frozenset(
    [
        "names",
        "options",
        "bundle",
        "posix",
        "before",
        "dashless",
        "skip",
        "operands",
        "holes",
        "stop",
        "effects",
        "always",
        "named_by_command",
        "runs",
        "verbs",
        "verb_effects",
        "match",
        "no_match",
    ]
)
SUB_KEYS = frozenset(
    [
        "names",
        "options",
        "bundle",
        "posix",
        "operands",
        "holes",
        "stop",
        "effects",
        "runs",
        "match",
        "no_match",
    ]
)
_HARMLESS = frozenset(("-h", "--help", "--dry-run"))


class KnowledgeError(RingwallError):
    """A knowledge row that cannot be used; `where` names its file and row."""


class Line(NamedTuple):
    """An effect: `target` is an operand (`kind` `operand`), an option, a `literal`, or empty."""

    name: str
    access: str
    kind: str
    target: str
    deep: bool
    condition: Condition | None
    each: bool  # the condition is asked of every value of the target


class Run(NamedTuple):
    """Something that the command runs: see `Carry`."""

    kind: str
    language: str
    target: str
    is_option: bool
    condition: Condition | None
    remote: bool = False
    extra: bool = False
    possible: bool = False
    cwd: str = ""
    env: str = ""
    then: str = ""  # an operand whose words follow those of the target


class Row:
    """A program or a subcommand of it."""

    __slots__ = (
        "always", "before", "dashless", "effects", "holes", "marks", "named_by_command", "names",
        "operands", "options", "posix", "runs", "skip", "stop", "stop_options", "verb_effects",
        "verbs", "where",
    )  # fmt: skip

    def __init__(
        self, raw: Mapping[str, Any], where: str, parent: Row | None = None, has_subs: bool = False
    ) -> None:
        unknown = raw.keys() - (COMMAND_KEYS if parent is None else SUB_KEYS) - {"sub"}
        if unknown:
            raise row_error("knowledge.unknown_key", where, f"key {min(unknown)!r}")
        self.where = where
        self.names: tuple[str, ...] = tuple(raw["names"])
        self.options = _options(raw, parent, has_subs)
        self.posix = int(raw.get("posix", 0))
        self.before: bool = raw.get("before", False)
        self.dashless: bool = raw.get("dashless", False)
        self.skip: str = raw.get("skip", "")
        self.holes: bool = raw.get("holes", "options") == "options"
        self.verbs: str = raw.get("verbs", "")
        self.verb_effects: Mapping[str, str] = {**VERB_EFFECTS, **raw.get("verb_effects", {})}
        try:
            self._compile(raw, has_subs, parent)
        except ConditionError as problem:
            raise row_error("knowledge.bad_row", where, str(problem)) from problem
        for name in self.verb_effects.values():
            if name not in EFFECTS:
                raise row_error("knowledge.unknown_effect", where, f"effect {name!r}")

    def _compile(self, raw: Mapping[str, Any], has_subs: bool, parent: Row | None) -> None:
        spec = raw.get("operands", "")
        self.operands = tuple(self._operands(one) for one in ([spec] if isinstance(spec, str) else spec))
        self.marks = frozenset(mark for _, operands in self.operands for mark, _ in operands.after)
        names = frozenset().union(*(operands.names for _, operands in self.operands))
        has_command = has_subs or self.verbs != "" or parent is not None
        self.named_by_command = has_command and "command" not in names
        if self.named_by_command:
            names |= {"command"}
        self.stop = self._stop(raw.get("stop", self._stop_of(parent)), raw, names, has_subs)
        stop = raw.get("stop", "")
        self.stop_options = () if "!" in stop else tuple(stop.replace(" ", "|").split("|"))
        self.effects = tuple(self._line(text, names) for text in raw.get("effects", ()))
        self.always = tuple(self._line(text, names) for text in raw.get("always", ()))
        self.runs = tuple(self._run(text, names) for text in raw.get("runs", ()))

    def _operands(self, spec: str) -> tuple[Condition | None, Operands]:
        text, _, condition = spec.partition(" if ")
        return (compile_condition(condition, self.options, ()) if condition else None), read_operands(text)

    def _stop_of(self, parent: Row | None) -> str:
        """Help and dry runs of a program are those of its subcommands, where the options mean the same."""
        if parent is None or parent.before:
            return ""
        same = [
            name
            for name in _HARMLESS.intersection(parent.stop_options)
            if self.options.canonical(name) == parent.options.canonical(name)
        ]
        return "|".join(sorted(same))

    def _stop(
        self, text: str, raw: Mapping[str, Any], names: frozenset[str], has_subs: bool
    ) -> Condition | None:
        for name in ("--help", "--version"):
            option = self.options.names.get(name)
            if (
                option is not None
                and not option.takes
                and (name == "--help" or ("names" in raw and not has_subs))
            ):
                text = f"{text}|{name}" if text else name
        if not text:
            return None
        alternatives = " ".join(part.strip("|") for part in text.split())
        return compile_condition(alternatives, self.options, names)

    def _line(self, text: str, names: frozenset[str]) -> Line:
        body, _, conditions = text.partition(" if ")
        words = re.findall(r"'[^']*'|\S+", body)
        name, target, deep = words[0], "", False
        kind = ""
        for word in words[1:]:
            if word == "deep":
                deep = True
            elif word.startswith("'"):
                kind, target = "literal", word[1:-1]
            else:
                kind, target = self._named(word, names)
        if name not in EFFECTS and name not in _LOOKING:
            raise row_error("knowledge.unknown_effect", self.where, f"effect {name!r}")
        condition = compile_condition(conditions, self.options, names) if conditions.strip() else None
        each = condition is not None and target in condition.values
        access = ACCESS.get(name, "")
        return Line("observe" if name in _LOOKING else name, access, kind, target, deep, condition, each)

    def _named(self, word: str, names: Iterable[str]) -> tuple[str, str]:
        if word in names:
            return "operand", word
        canonical = self.options.canonical(word)
        if canonical is None:
            raise ConditionError(f"unknown operand or option {word!r}")
        return "option", canonical

    def _run(self, text: str, names: frozenset[str]) -> Run:
        body, _, conditions = text.partition(" if ")
        kind, *rest = body.split()
        kind, _, language = kind.partition(":")
        if kind not in KINDS:
            raise row_error("knowledge.bad_row", self.where, f"kind {kind!r}")
        target, is_option = "", False
        flags: dict[str, Any] = {}
        for word in rest:
            key, equals, value = word.partition("=")
            if key in ("remote", "extra", "possible") and not equals:
                flags[key] = True
            elif key in ("cwd", "env") and equals:
                flags[key] = self._named(value, names)[1]
            elif target:
                flags["then"] = self._named(word, names)[1]
            else:
                role, target = self._named(word, names)
                is_option = role == "option"
        condition = compile_condition(conditions, self.options, names) if conditions.strip() else None
        return Run(kind, language or "shell", target, is_option, condition, **flags)


def _options(raw: Mapping[str, Any], parent: Row | None, has_subs: bool) -> Options:
    """A row's options with those of its parent; every program is taken to know `--help`, and `--version`
    unless it has subcommands."""
    spec = raw.get("options", "")
    bundle = raw.get("bundle", parent.options.bundle if parent is not None else True)
    own = read_options(spec, bundle)
    offered = "--help" if parent is not None or has_subs else "--help --version"
    implicit = read_options(offered, bundle)
    if parent is not None and not parent.before:
        shared = {k: v for k, v in parent.options.names.items() if k != "--version"}
        own = own.with_others(Options(shared, bundle)) if spec else Options(shared, bundle)
    return own.with_others(implicit)


def row_error(code: str, where: str, what: str) -> KnowledgeError:
    return KnowledgeError(
        code,
        msg("A knowledge row has an unusable {what}.", what=what),
        msg("Correct the row as docs/knowledge.md describes."),
        where,
    )
