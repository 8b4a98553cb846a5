"""What a power cut may leave of a run.

The model is the weakest that POSIX allows: the data of a file is there after its own sync only, and before it
in any part from the front; an entry of a folder (made, renamed, removed) is there after the folder's sync
only, and before it the entries of one folder in their order up to any point, those of two folders
independently. From a list of changes every such state is made.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harvest.crash.disk import Op

Name = str
Tree = dict[str, "int | str"]  # entry -> number of a file, or "folder"
FOLDER = "folder"


@dataclass
class Disk:
    """What is durable and what is not yet, below some roots."""

    roots: tuple[str, ...]
    content: dict[int, bytes] = field(default_factory=dict)
    durable: dict[str, Tree] = field(default_factory=dict)
    live: dict[str, Tree] = field(default_factory=dict)
    data: dict[int, list[Op]] = field(default_factory=dict)
    entries: dict[str, list[tuple[str, str, int | str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, *roots: str) -> Disk:
        """All of it durable, as it stands on the real disk."""
        made = cls(roots)
        for root in roots:
            for folder, folders, files in os.walk(root):
                tree: Tree = dict.fromkeys(folders, FOLDER)
                for name in files:
                    number = len(made.content) + 1
                    made.content[number] = Path(folder, name).read_bytes()
                    tree[name] = number
                made.durable[folder] = tree
        made.live = {folder: dict(tree) for folder, tree in made.durable.items()}
        return made

    def apply(self, op: Op) -> None:
        if not any(op.path == root or op.path.startswith(f"{root}/") for root in self.roots):
            return  # the folder above, which stands before
        folder, name = os.path.split(op.path)
        if op.kind == "sync":
            self._sync(op.path)
        elif op.kind in ("write", "cut"):
            self.data.setdefault(self._number(op.path), []).append(op)
        elif op.kind == "create":
            number = max(self.content, default=0) + 1
            self.content[number] = b""
            self._enter(folder, "add", name, number)
        elif op.kind == "mkdir":
            self._enter(folder, "add", name, FOLDER)
            self.live[op.path] = {}
            self.durable[op.path] = {}
        elif op.kind == "unlink":
            self._enter(folder, "drop", name, "")
        else:
            self._carry(op, folder, name)

    def choices(self) -> list[tuple[tuple[str, str | int], int]]:
        """What is undecided: for each folder how many entries, for each file how much data (in halves)."""
        folders = [((FOLDER, path), len(each) + 1) for path, each in self.entries.items() if each]
        files = [(("file", number), 3) for number, each in self.data.items() if each]
        return [*folders, *files]

    def states(self, most: int) -> Iterator[Mapping[tuple[str, str | int], int]]:
        """Choices; the extremes first, then each one thing alone lost or kept, then others by chance."""
        undecided = self.choices()
        names = [name for name, _count in undecided]
        lost, kept = [0] * len(undecided), [count - 1 for _name, count in undecided]
        wanted = [lost, kept]
        for place, (_name, count) in enumerate(undecided):
            for base in (lost, kept):
                wanted += [[*base[:place], value, *base[place + 1 :]] for value in range(count)]
        unique = list(dict.fromkeys(map(tuple, wanted)))
        every = itertools.product(*(range(count) for _name, count in undecided))
        others = [each for each in itertools.islice(every, 20_000) if each not in set(unique)]
        random.Random(len(undecided)).shuffle(others)
        for each in (unique + others)[:most]:
            yield dict(zip(names, each, strict=True))

    def write(self, choice: Mapping[tuple[str, str | int], int]) -> None:
        """Put the state on the real disk; the roots are empty."""
        trees = {
            path: _entered(tree, self.entries.get(path, [])[: choice.get((FOLDER, path), 0)])
            for path, tree in self.durable.items()
        }
        content = {
            number: _written(before, self.data.get(number, []), choice.get(("file", number), 0))
            for number, before in self.content.items()
        }
        for root in self.roots:
            self._put(root, trees, content)

    def _put(self, path: str, trees: Mapping[str, Tree], content: Mapping[int, bytes]) -> None:
        os.makedirs(path, exist_ok=True)
        for name, what in trees.get(path, {}).items():
            inner = f"{path}/{name}"
            if isinstance(what, int):
                Path(inner).write_bytes(content[what])
            else:
                self._put(inner, trees, content)

    def _number(self, path: str) -> int:
        folder, name = os.path.split(path)
        number = self.live[folder][name]
        assert isinstance(number, int)
        return number

    def _enter(self, folder: str, how: str, name: str, what: int | str) -> None:
        self.entries.setdefault(folder, []).append((how, name, what))
        if how == "add":
            self.live[folder][name] = what
        else:
            self.live[folder].pop(name, None)

    def _carry(self, op: Op, folder: str, name: str) -> None:
        """A rename within one folder is one change: the old name never stands beside the new one."""
        target, new = os.path.split(op.to)
        assert target == folder, "only within one folder"
        what = self.live[folder][name]
        if op.kind == "rename":
            self.live[folder].pop(name)
            self.entries.setdefault(folder, []).append((f"rename {name}", new, what))
            self.live[folder][new] = what
        else:
            self._enter(folder, "add", new, what)

    def _sync(self, path: str) -> None:
        if path in self.live:
            self.durable[path] = _entered(self.durable[path], self.entries.pop(path, []))
        else:
            number = self._number(path)
            self.content[number] = _written(self.content[number], self.data.pop(number, []), 2)


def _entered(tree: Tree, entries: list[tuple[str, str, int | str]]) -> Tree:
    made = dict(tree)
    for how, name, what in entries:
        if how == "drop":
            made.pop(name, None)
            continue
        if how.startswith("rename "):
            made.pop(how.removeprefix("rename "), None)
        made[name] = what
    return made


def _written(before: bytes, ops: list[Op], halves: int) -> bytes:
    """The data with none, some or all of what was not synced; of the last change a half."""
    if halves == 0:
        return before
    after = before
    for place, op in enumerate(ops):
        last = place == len(ops) - 1 and halves == 1
        if op.kind == "cut":
            after = after[: op.size] if not last else after
        else:
            after += op.data[: len(op.data) // 2] if last else op.data
    return after
