"""Items of ours in the lists of a JSON file, beside what others put there.

Invariant: only items whose command or plug-in is Ringwall's, and members that are exactly ours, are ever
added, replaced or taken out; every other byte stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ringwall.hosts.installation import command_of, is_ours
from ringwall.model.errors import PolicyError
from ringwall.model.json_tree import Array, Node, Object, read, where
from ringwall.model.text import Text, msg
from ringwall.setup.json_edit import add_item, add_member, remove_child

Keys = tuple[str, ...]
_HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class Item:
    """A hook or a plug-in in its file: `keys` lead to its list, `entry` is what stands in the list, `node`
    the hook itself (which may stand in a group), and `chain` the containers from the root down to it, each
    with the place of the next."""

    keys: Keys
    entry: Node
    node: Node
    chain: tuple[tuple[Object | Array, int], ...]

    @property
    def value(self) -> Any:
        return plain(self.node)

    @property
    def command(self) -> str:
        return command_of(self.value)

    @property
    def ours(self) -> bool:
        return is_ours(self.command)


def root_of(text: str, path: str) -> Object:
    """The object that the file is. Raises `PolicyError` for anything else, with file:line:column."""
    root = read(text, path)
    if not isinstance(root, Object):
        _misshapen(text, path, root, msg("The settings are not an object."))
    return root


def items(text: str, path: str, plugins: str = "") -> Iterator[Item]:
    """The hooks in a settings file, and the items of the list of plug-ins called `plugins`."""
    root = root_of(text, path)
    for at, member in enumerate(root.members):
        if member.key == plugins and isinstance(member.value, Array):
            for index, node in enumerate(member.value.items):
                yield Item((member.key,), node, node, ((root, at), (member.value, index)))
        elif member.key == _HOOKS:
            yield from _hooks(text, path, root, at, member.value)


def with_items(text: str, path: str, wanted: Mapping[Keys, Any]) -> str:
    """`text` with exactly one item of ours in each of the wanted lists, and none in others."""
    plugins = _plugins(wanted)
    for keys in {item.keys for item in items(text, path, plugins) if item.ours} - wanted.keys():
        text = without_items(text, path, plugins, keys)
    for keys, value in wanted.items():
        ours = [item for item in items(text, path, plugins) if item.ours and item.keys == keys]
        if len(ours) == 1 and plain(ours[0].entry) == value:
            continue
        text = without_items(text, path, plugins, keys)
        text = _with_item(text, path, keys, value)
    return text


def without_items(text: str, path: str, plugins: str = "", keys: Keys | None = None) -> str:
    """`text` without any item of ours (in the list at `keys`), and without the lists and objects that this
    leaves empty."""
    while True:
        found = next(
            (item for item in items(text, path, plugins) if item.ours and keys in (None, item.keys)), None
        )
        if found is None:
            return text
        text = _cut(text, found.chain)


def with_members(text: str, path: str, wanted: Mapping[Keys, Any]) -> str:
    """`text` with the wanted members, but where a value of the person's stands already."""
    for keys, value in wanted.items():
        text = _with_member(text, path, keys, value)
    return text


def without_members(text: str, path: str, wanted: Mapping[Keys, Any]) -> str:
    """`text` without those of the members that are exactly ours."""
    for keys, value in wanted.items():
        chain = _chain(root_of(text, path), keys)
        if chain is not None and plain(_at(chain)) == value:
            text = _cut(text, chain)
    return text


def unmet_members(text: str, path: str, wanted: Mapping[Keys, Any]) -> Iterator[str]:
    """The places at which something of the person's stands instead of a wanted member."""
    for keys, value in wanted.items():
        root = root_of(text, path)
        chain = _chain(root, keys)
        if chain is None or plain(_at(chain)) != value:
            at = next((member.start for member in root.members if member.key == keys[0]), root.start)
            yield where(text, at, path)


def plain(node: Node) -> Any:
    """The value of a node without its places."""
    if isinstance(node, Object):
        return {member.key: plain(member.value) for member in node.members}
    if isinstance(node, Array):
        return [plain(item) for item in node.items]
    return node.value


def _plugins(wanted: Mapping[Keys, Any]) -> str:
    return next((keys[0] for keys in wanted if len(keys) == 1), "")


def _hooks(text: str, path: str, root: Object, at: int, hooks: Node) -> Iterator[Item]:
    if not isinstance(hooks, Object):
        _misshapen(text, path, hooks, msg("`hooks` is not an object."))
    for event_at, member in enumerate(hooks.members):
        entries = member.value
        if not isinstance(entries, Array):
            _misshapen(text, path, entries, msg("The hooks of {event} are not a list.", event=member.key))
        for index, entry in enumerate(entries.items):
            chain = ((root, at), (hooks, event_at), (entries, index))
            yield from _entry(text, path, (_HOOKS, member.key), entry, chain)


def _entry(
    text: str, path: str, keys: Keys, entry: Node, chain: tuple[tuple[Object | Array, int], ...]
) -> Iterator[Item]:
    if not isinstance(entry, Object):
        _misshapen(text, path, entry, msg("A hook is not an object."))
    group = entry.get(_HOOKS)
    if group is None:
        if not command_of(plain(entry)):
            _misshapen(text, path, entry, msg("A group of hooks is not an object with a list `hooks`."))
        yield Item(keys, entry, entry, chain)
        return
    if not isinstance(group, Array):
        _misshapen(text, path, entry, msg("A group of hooks is not an object with a list `hooks`."))
    for index, node in enumerate(group.items):
        if not isinstance(node, Object):
            _misshapen(text, path, node, msg("A hook is not an object."))
        yield Item(keys, entry, node, (*chain, (group, index)))


def _with_item(text: str, path: str, keys: Keys, value: Any) -> str:
    node = root_of(text, path)
    for depth, key in enumerate(keys):
        found = node.get(key)
        last = depth == len(keys) - 1
        if last and isinstance(found, Array):
            return add_item(text, found, value)
        if last or not isinstance(found, Object):
            if found is not None:
                _misshapen(text, path, found, msg("`{key}` is not of the known shape.", key=key))
            return add_member(text, node, key, _nested(keys[depth + 1 :], [value]))
        node = found
    return text


def _with_member(text: str, path: str, keys: Keys, value: Any) -> str:
    node = root_of(text, path)
    for depth, key in enumerate(keys):
        found = node.get(key)
        if found is None:
            return add_member(text, node, key, _nested(keys[depth + 1 :], value))
        if not isinstance(found, Object):
            return text
        node = found
    return text


def _nested(keys: Keys, value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _chain(root: Object, keys: Keys) -> tuple[tuple[Object | Array, int], ...] | None:
    chain: list[tuple[Object | Array, int]] = []
    node: Node = root
    for key in keys:
        if not isinstance(node, Object):
            return None
        at = next((at for at, member in enumerate(node.members) if member.key == key), None)
        if at is None:
            return None
        chain.append((node, at))
        node = node.members[at].value
    return tuple(chain)


def _at(chain: tuple[tuple[Object | Array, int], ...]) -> Node:
    container, at = chain[-1]
    return container.members[at].value if isinstance(container, Object) else container.items[at]


def _cut(text: str, chain: tuple[tuple[Object | Array, int], ...]) -> str:
    """Take out the largest part of the tree that holds nothing but the end of `chain`."""
    for container, at in reversed(chain):
        held = container.members if isinstance(container, Object) else container.items
        if len(held) > 1 or container is chain[0][0]:
            return remove_child(text, container, at)
    return text


def _misshapen(text: str, path: str, node: Node, what: Text) -> NoReturn:
    repair = msg("Correct it as the documentation of the host's hooks shows, and run the command again.")
    raise PolicyError("settings.shape", what, repair, where(text, node.start, path))
