"""`ringwall.toml`: preset, autonomy, roles, limits, protected branches.

Invariant: each entry that could be read is returned, each that could not is a problem with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ringwall.model.decision import RuleRef
from ringwall.model.text import Text, msg
from ringwall.model.toml_places import Path, key_lines, line_of
from ringwall.policy.model import MOST_WAIT, Approval, Autonomy, LayerName, Prompting
from ringwall.policy.names import ANY, KNOWN
from ringwall.policy.outlets import NO_OUTLETS, Outlets, read_outlets
from ringwall.policy.permissions import text_of
from ringwall.policy.prestep import OWN, SILENT, PrestepTable, read_prestep
from ringwall.policy.problems import Problems
from ringwall.policy.roles import ROLES
from ringwall.policy.rule_text import nearest
from ringwall.policy.source import PolicyFile
from ringwall.policy.wall import NOTHING, WallTable, read_wall

PARTS = ("deploy", "notify", "wall", "prestep", "reading")
RESERVED = ("harvest",)
"""Tables of parts that are not there yet: accepted, told of, and without effect."""

KEYS = ("preset", "autonomy", "roles", "limits", "protected_branches", "approvals", *PARTS, *RESERVED)
APPROVALS = frozenset(approval.value for approval in Approval)
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")


@dataclass(frozen=True, slots=True)
class Settings:
    """What one `ringwall.toml` says."""

    preset: str = ""
    preset_ref: RuleRef | None = None
    autonomy: tuple[Autonomy, ...] = ()
    roles: tuple[tuple[str, str, RuleRef], ...] = ()
    limits: tuple[tuple[str, RuleRef], ...] = ()
    protected: tuple[str, ...] = ()
    prompt: Prompting | None = None
    wait: int | None = None
    wall: WallTable = NOTHING
    prestep: PrestepTable = SILENT
    outlets: Outlets = NO_OUTLETS
    own_profile: tuple[RuleRef, ...] = ()  # the line that names one
    reserved: tuple[RuleRef, ...] = ()


def read_toml(file: PolicyFile, problems: Problems) -> tuple[dict[str, Any], dict[Path, int]]:
    """The file as plain values and the line of each key."""
    text = text_of(file, problems)
    if text is None:
        return {}, {}
    try:
        return tomllib.loads(text.replace("\r\n", "\n")), key_lines(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        line, column = (found[1], found[2]) if found else _end(text)
        where = f"{file.name}:{line}:{column}"
        what = msg("This is not TOML: {why}.", why=_PLACE.sub("", str(error)).strip())
        problems.add("toml_syntax", what, msg("Mend the file at this place."), where)
    except RecursionError:
        problems.add("too_deep", msg("It is nested too deep."), msg("Flatten it."), file.name)
    return {}, {}


def _end(text: str) -> tuple[int, int]:
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def read_settings(
    file: PolicyFile,
    layer: LayerName,
    presets: frozenset[str],
    problems: Problems,
    extra: tuple[str, ...] = (),
) -> Settings:
    """The settings of a file. `extra` are further keys that somebody else reads."""
    values, lines = read_toml(file, problems)
    reader = _Reader(file, layer, lines, problems)
    for key in values:
        if key not in KEYS and key not in extra:
            reader.unknown((key,), frozenset(KEYS))
    preset = reader.preset(values, presets)
    prompt, wait = reader.approvals(values.get("approvals", {}))
    return Settings(
        preset=preset,
        preset_ref=reader.ref(("preset",), f'preset = "{preset}"') if preset else None,
        autonomy=tuple(reader.autonomy(values.get("autonomy", {}))),
        roles=tuple(reader.roles(values.get("roles", {}))),
        limits=tuple(reader.limits(values.get("limits", {}))),
        protected=tuple(reader.texts(values.get("protected_branches", []), ("protected_branches",))),
        prompt=prompt,
        wait=wait,
        wall=read_wall(values.get("wall", {}), reader),
        prestep=read_prestep(values.get("prestep", {}), reader),
        outlets=read_outlets(values, reader),
        own_profile=reader.own_profile(values),
        reserved=tuple(reader.reserved(values)),
    )


class _Reader:
    def __init__(
        self, file: PolicyFile, layer: LayerName, lines: dict[Path, int], problems: Problems
    ) -> None:
        self.file = file
        self.layer = layer
        self.lines = lines
        self.problems = problems

    def ref(self, path: Path, text: str) -> RuleRef:
        return RuleRef(text, self.file.name, line_of(self.lines, path), self.layer.value)

    def problem(self, code: str, what: Text, repair: Text, path: Path) -> None:
        self.problems.add(code, what, repair, f"{self.file.name}:{line_of(self.lines, path)}")

    def unknown(self, path: Path, known: frozenset[str]) -> None:
        what = msg("The key {key} is not known.", key=repr(".".join(path)))
        self.problem("unknown_key", what, nearest(path[-1], known), path)

    def wrong(self, path: Path, wanted: Text) -> None:
        what = msg("{key} must be {wanted}.", key=".".join(path), wanted=wanted)
        self.problem("wrong_type", what, msg("See docs/policy.md for an example."), path)

    def preset(self, values: Mapping[str, Any], presets: frozenset[str]) -> str:
        value = values.get("preset", "")
        if not isinstance(value, str):
            self.wrong(("preset",), msg("a text"))
            return ""
        if "preset" in values and value not in presets:
            what = msg("There is no preset {name}.", name=repr(value))
            repair = msg("Presets are {names}.", names=", ".join(sorted(presets)))
            self.problem("unknown_preset", what, repair, ("preset",))
            return ""
        return value

    def entries(
        self, table: object, path: Path, skip: tuple[str, ...] = ()
    ) -> Iterator[tuple[str, str, Path]]:
        """Effect names with their words; `git.push = …` and `"git.push" = …` are the same."""
        if not isinstance(table, dict):
            self.wrong(path, msg("a table"))
            return
        for key, value in table.items():
            if not skip or key not in skip:
                yield from self.entry(key, value, (*path, key))

    def entry(self, name: str, value: object, path: Path) -> Iterator[tuple[str, str, Path]]:
        if isinstance(value, dict) and name != ANY:
            for key, inner in value.items():
                yield from self.entry(f"{name}.{key}", inner, (*path, key))
        elif not isinstance(value, str):
            self.wrong(path, msg("a text"))
        elif name != ANY and name not in KNOWN:
            what = msg("There is no effect {name}.", name=repr(name))
            self.problem("unknown_effect", what, nearest(name, KNOWN), path)
        else:
            yield name, value, path

    def autonomy(self, table: object) -> Iterator[Autonomy]:
        path: Path = ("autonomy",)
        yield from self.lines_of(table, path, "*", "*", ("roles", "agents"))
        if not isinstance(table, dict):
            return
        for role, inner in self.tables(table, (*path, "roles")):
            if role not in ROLES:
                what = msg("There is no role {name}.", name=repr(role))
                repair = msg("Roles are {names}.", names=", ".join(ROLES))
                self.problem("unknown_role", what, repair, (*path, "roles", role))
            else:
                yield from self.lines_of(inner, (*path, "roles", role), role, "*")
        for agent, inner in self.tables(table, (*path, "agents")):
            yield from self.lines_of(inner, (*path, "agents", agent), "*", agent)

    def tables(self, table: Mapping[str, Any], path: Path) -> Iterator[tuple[str, object]]:
        inner = table.get(path[-1], {})
        if not isinstance(inner, dict):
            self.wrong(path, msg("a table"))
            return
        yield from inner.items()

    def lines_of(
        self, table: object, path: Path, role: str, agent: str, skip: tuple[str, ...] = ()
    ) -> Iterator[Autonomy]:
        for effect, word, place in self.entries(table, path, skip):
            if word not in APPROVALS:
                what = msg("{word} is no approval.", word=repr(word))
                repair = msg("Write auto_approve, require_approval or deny.")
                self.problem("unknown_approval", what, repair, place)
                continue
            yield Autonomy(effect, Approval(word), self.ref(place, f'{effect} = "{word}"'), role, agent)

    def roles(self, table: object) -> Iterator[tuple[str, str, RuleRef]]:
        for effect, role, place in self.entries(table, ("roles",)):
            if role not in ROLES:
                what = msg("There is no role {name}.", name=repr(role))
                repair = msg("Roles are {names}.", names=", ".join(ROLES))
                self.problem("unknown_role", what, repair, place)
                continue
            yield effect, role, self.ref(place, f'{effect} = "{role}"')

    def limits(self, table: object) -> Iterator[tuple[str, RuleRef]]:
        if not isinstance(table, dict):
            self.wrong(("limits",), msg("a table"))
            return
        for key in table:
            if key != "add":
                self.unknown(("limits", key), frozenset({"add"}))
        path: Path = ("limits", "add")
        for name in self.texts(table.get("add", []), path):
            if name in KNOWN:
                yield name, self.ref(path, f"limits.add {name}")
            else:
                what = msg("There is no effect {name}.", name=repr(name))
                self.problem("unknown_effect", what, nearest(name, KNOWN), path)

    def approvals(self, table: object) -> tuple[Prompting | None, int | None]:
        """`prompt` and `wait`, each None where it is not there or not right."""
        path: Path = ("approvals",)
        if not isinstance(table, dict):
            self.wrong(path, msg("a table"))
            return None, None
        for key in table:
            if key not in ("prompt", "wait"):
                self.unknown((*path, key), frozenset({"prompt", "wait"}))
        prompt, wait = table.get("prompt"), table.get("wait")
        if prompt is not None and prompt not in tuple(Prompting):
            self.wrong((*path, "prompt"), msg("auto, host or wait"))
            prompt = None
        if wait is not None and (type(wait) is not int or not 0 <= wait <= MOST_WAIT):
            self.wrong((*path, "wait"), msg("a number of seconds from 0 to {most}", most=MOST_WAIT))
            wait = None
        return (Prompting(prompt) if prompt is not None else None), wait

    def own_profile(self, values: Mapping[str, Any]) -> tuple[RuleRef, ...]:
        table = values.get("prestep")
        if isinstance(table, dict) and table.get("profile") == OWN:
            return (self.ref(("prestep", "profile"), f'prestep.profile = "{OWN}"'),)
        return ()

    def texts(self, value: object, path: Path) -> Iterator[str]:
        if not isinstance(value, list):
            self.wrong(path, msg("a list of texts"))
            return
        for item in value:
            if isinstance(item, str) and item.strip():
                yield item
            else:
                self.wrong(path, msg("a list of texts"))

    def reserved(self, values: Mapping[str, Any]) -> Iterator[RuleRef]:
        for name in RESERVED:
            if name not in values:
                continue
            if isinstance(values[name], dict):
                yield self.ref((name,), f"[{name}]")
            else:
                self.wrong((name,), msg("a table"))
