"""What a command leaves on disk that a later command of the same text may run.

Invariant: a file that was written is known by its new content or as unknown, never by its old content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE
from ringwall.shell.meaning import Meaning
from ringwall.shell.streams import EMPTY, NETWORK, UNKNOWN, Stream, joined

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk


_WRITING = frozenset(("write", "overwrite"))


def remember(walk: Walk, argv: tuple[str, ...], meaning: Meaning, stdin: Stream, network: bool) -> None:
    """Note what `argv` writes."""
    program = argv[0].rpartition("/")[2]
    special = _SPECIAL.get(program)
    if special is not None:
        special(walk, argv, meaning, stdin)
        return
    for raw in meaning.effects:
        if raw.access in _WRITING and HOLE not in raw.target:
            walk.env.files[walk.env.absolute(raw.target)] = NETWORK if network or stdin.network else UNKNOWN


def _tee(walk: Walk, argv: tuple[str, ...], _: Meaning, stdin: Stream) -> None:
    append = any(word in ("-a", "--append") for word in argv)
    for word in argv[1:]:
        if not word.startswith("-") and HOLE not in word:
            path = walk.env.absolute(word)
            before = walk.settled(walk.content(word)) if append else EMPTY
            walk.env.files[path] = joined(before, walk.settled(stdin))


def _copied(walk: Walk, argv: tuple[str, ...], _: Meaning, __: Stream) -> None:
    """`cp`, `mv`, `ln`, `install`: the copy holds what the source held."""
    paths = [word for word in argv[1:] if not word.startswith("-")]
    if len(paths) < 2 or any(HOLE in path for path in paths):
        return
    *sources, target = paths
    for source in sources:
        content = walk.content(source)
        name = source.rstrip("/").rpartition("/")[2]
        if len(sources) == 1:
            walk.env.files[walk.env.absolute(target)] = content
        walk.env.files[walk.env.absolute(f"{target}/{name}")] = content


def _dd(walk: Walk, argv: tuple[str, ...], _: Meaning, stdin: Stream) -> None:
    """`dd if=source of=target`."""
    named = dict(word.partition("=")[::2] for word in argv[1:])
    target = named.get("of", "")
    if target and HOLE not in target:
        walk.env.files[walk.env.absolute(target)] = walk.content(named["if"]) if "if" in named else stdin


def _kept(_: Walk, __: tuple[str, ...], ___: Meaning, ____: Stream) -> None:
    """Changes nothing of a file's content."""


def _wget(walk: Walk, argv: tuple[str, ...], meaning: Meaning, _: Stream) -> None:
    """Downloads land under the name that an option gives, else under the last part of the URL."""
    named = [raw.target for raw in meaning.effects if raw.access in _WRITING]
    urls = [word for word in meaning.invocation.operands or argv[1:] if word[:1] != "-"]
    program = argv[0].rpartition("/")[2]
    if program == "wget" or any(_remote_name(word) for word in argv[1:]):
        named += [url.partition("?")[0].rstrip("/").rpartition("/")[2] for url in urls]
    for path in named:
        if path and HOLE not in path:
            walk.env.files[walk.env.absolute(path)] = NETWORK


def _remote_name(word: str) -> bool:
    return word == "--remote-name" or (word[:1] == "-" and word[1:2] != "-" and "O" in word)


_CREATING = frozenset(("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"))


def _npm(walk: Walk, argv: tuple[str, ...], _: Meaning, __: Stream) -> None:
    """`npm pkg set scripts.name=text`."""
    if argv[1:3] != ("pkg", "set"):
        return
    for word in argv[3:]:
        key, equals, text = word.partition("=")
        if equals and key.startswith("scripts."):
            walk.env.tasks["npm", key.removeprefix("scripts.").strip("[]\"'")] = text


def _git(walk: Walk, argv: tuple[str, ...], meaning: Meaning, __: Stream) -> None:
    """`git config [options] alias.name text`, `git switch branch`."""
    invocation = meaning.invocation
    if invocation.path in (("checkout",), ("switch",)) and "--" not in argv:
        created = [value for name, value in invocation.options if value and name in _CREATING]
        walk.env.branch = (created or [*invocation.operands, walk.env.branch])[0]
    if "config" not in argv:
        return
    words = [word for word in argv[argv.index("config") + 1 :] if not word.startswith("-")]
    if words and words[0] == "set":
        words = words[1:]
    if len(words) >= 2 and words[0].startswith("alias."):
        walk.env.tasks["git-alias", words[0].removeprefix("alias.")] = words[1]


Writer = Callable[["Walk", tuple[str, ...], Meaning, Stream], None]
_SPECIAL: Mapping[str, Writer] = MappingProxyType(
    {
        "chgrp": _kept,
        "chmod": _kept,
        "chown": _kept,
        "cp": _copied,
        "curl": _wget,
        "dd": _dd,
        "git": _git,
        "install": _copied,
        "ln": _copied,
        "mkdir": _kept,
        "mv": _copied,
        "npm": _npm,
        "pnpm": _npm,
        "rm": _kept,
        "rsync": _copied,
        "tee": _tee,
        "touch": _kept,
        "wget": _wget,
    }
)
