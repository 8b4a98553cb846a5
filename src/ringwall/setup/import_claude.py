"""`ringwall import claude`: takes over Claude Code's permission rules into `.ringwall/permissions.json`.

Invariant: existing rules stay as they are, none is added twice, and a rule that Ringwall would read
otherwise than the host did is not added but named.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ringwall.model.errors import PolicyError
from ringwall.model.json_tree import Array, Node, Object, Scalar, read, where
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.policy.permissions import LISTS
from ringwall.policy.rule_text import RuleFault, read_rule
from ringwall.setup.change import Change, decoded, read_file
from ringwall.setup.claude_settings import locations
from ringwall.setup.json_edit import add_item, add_member
from ringwall.shell.analyse import command_pattern

EMPTY = json.dumps({"permissions": {"allow": [], "ask": [], "deny": []}}, indent=2) + "\n"


@dataclass(frozen=True, slots=True)
class _Found:
    """One rule in a settings file: its list, its text, the scope of the file and the place in it."""

    word: str
    text: str
    scope: str
    place: str


def plan_import(project: str, env: Mapping[str, str]) -> Change:
    """The change to the project's permission file; `notices` name rules that were not taken over, and why.
    Raises `PolicyError` for a file that is not JSON, with file:line:column."""
    path = posixpath.join(project, ".ringwall", "permissions.json")
    before = read_file(path)
    text = EMPTY if before is None or not before.strip() else decoded(before, path)
    places = Places(root=project, home=env.get("HOME", "/"))
    notices: list[Text] = []
    added = False
    for rule in _rules(project, env, notices):
        present = _present(text, path)
        if rule.text in present.get(rule.word, ()):
            continue
        refusal = _refusal(rule, places, present)
        if refusal is not None:
            notices.append(refusal)
            continue
        text = _with_rule(text, path, rule)
        added = True
    return Change(path, before, text.encode("utf-8") if added else before, tuple(notices))


def _rules(project: str, env: Mapping[str, str], notices: list[Text]) -> Iterator[_Found]:
    """The rules of all settings files; what else stands beside them is named in `notices`."""
    for scope, path in locations(project, env).items():
        content = read_file(path)
        if content is None or not content.strip():
            continue
        text = decoded(content, path)
        permissions = _object(text, path, read(text, path)).get("permissions")
        if permissions is None:
            continue
        for member in _object(text, path, permissions).members:
            place = where(text, member.start, path)
            if member.key not in LISTS:
                notices.append(
                    msg("{where}: {key} is no rule and stays with the host.", where=place, key=member.key)
                )
                continue
            for item in _array(text, path, member.value).items:
                yield _Found(member.key, _text(text, path, item), scope, where(text, item.start, path))


def _refusal(rule: _Found, places: Places, present: Mapping[str, tuple[str, ...]]) -> Text | None:
    other = next((word for word, texts in present.items() if rule.text in texts), None)
    if other is not None:
        return msg(
            "{where}: {rule} stands under {other} already and was not taken over under {word}.",
            where=rule.place, rule=rule.text, other=other, word=rule.word,
        )  # fmt: skip
    if rule.scope == "user" and _from_settings_folder(rule.text):
        return msg(
            "{where}: {rule} counts from the folder of the user settings and was not taken over.",
            where=rule.place, rule=rule.text,
        )  # fmt: skip
    try:
        read_rule(rule.text, places, command_pattern, rule.word == "allow")
    except RuleFault as fault:
        return msg(
            "{where}: {rule} was not taken over. {what} {repair}",
            where=rule.place, rule=rule.text, what=fault.what, repair=fault.repair,
        )  # fmt: skip
    return None


def _from_settings_folder(rule: str) -> bool:
    inside = rule.partition("(")[2]
    return inside.startswith("/") and not inside.startswith("//")


def _with_rule(text: str, path: str, rule: _Found) -> str:
    root = _object(text, path, read(text, path))
    permissions = root.get("permissions")
    if permissions is None:
        return add_member(text, root, "permissions", {rule.word: [rule.text]})
    held = _object(text, path, permissions)
    rules = held.get(rule.word)
    if rules is None:
        return add_member(text, held, rule.word, [rule.text])
    return add_item(text, _array(text, path, rules), rule.text)


def _present(text: str, path: str) -> dict[str, tuple[str, ...]]:
    permissions = _object(text, path, read(text, path)).get("permissions")
    if permissions is None:
        return {}
    return {
        member.key: tuple(_text(text, path, item) for item in _array(text, path, member.value).items)
        for member in _object(text, path, permissions).members
        if member.key in LISTS
    }


def _object(text: str, path: str, node: Node) -> Object:
    if isinstance(node, Object):
        return node
    raise _misshapen(text, path, node, msg("An object is expected here."))


def _array(text: str, path: str, node: Node) -> Array:
    if isinstance(node, Array):
        return node
    raise _misshapen(text, path, node, msg("A list of rules is expected here."))


def _text(text: str, path: str, node: Node) -> str:
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return node.value
    raise _misshapen(text, path, node, msg("A rule is a text in quotation marks."))


def _misshapen(text: str, path: str, node: Node, what: Text) -> PolicyError:
    repair = msg('Write {"permissions": {"allow": [], "ask": [], "deny": []}} with rules as texts.')
    return PolicyError("settings.shape", what, repair, where(text, node.start, path))
