"""`[deploy]` and `[notify]` of `ringwall.toml`: commands that a person may let Ringwall run, and where it
tells a person that something waits.

Invariant: both loosen (a command is run, words leave the machine), so only trusted layers count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import urlsplit

from ringwall.model.decision import RuleRef
from ringwall.model.text import Text, msg
from ringwall.model.toml_places import Path

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_KEYS = frozenset({"desktop", "webhook", "ntfy"})
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Outlets:
    """`deploy` holds (name, argv). `webhook` and `ntfy` are URLs, empty for none; `desktop`: show it there.
    `refs` are the lines that set any of it."""

    deploy: tuple[tuple[str, tuple[str, ...]], ...] = ()
    desktop: bool = False
    webhook: str = ""
    ntfy: str = ""
    refs: tuple[RuleRef, ...] = ()


NO_OUTLETS = Outlets()


class _Reader(Protocol):
    def ref(self, path: Path, text: str) -> RuleRef: ...
    def problem(self, code: str, what: Text, repair: Text, path: Path) -> None: ...
    def unknown(self, path: Path, known: frozenset[str]) -> None: ...
    def wrong(self, path: Path, wanted: Text) -> None: ...
    def texts(self, value: object, path: Path) -> Iterator[str]: ...


def read_outlets(values: Mapping[str, object], reader: _Reader) -> Outlets:
    """What one file says; what is wrong with it becomes problems of the reader."""
    deploy = tuple(_commands(values.get("deploy", {}), reader))
    refs = [reader.ref(("deploy", name), f"deploy.{name}") for name, _ in deploy]
    notify = values.get("notify", {})
    if not isinstance(notify, Mapping):
        reader.wrong(("notify",), msg("a table"))
        return Outlets(deploy, refs=tuple(refs))
    for key in notify:
        if key not in _KEYS:
            reader.unknown(("notify", key), _KEYS)
        else:
            refs.append(reader.ref(("notify", key), f"notify.{key}"))
    desktop = notify.get("desktop", False)
    if not isinstance(desktop, bool):
        reader.wrong(("notify", "desktop"), msg("true or false"))
        desktop = False
    webhook, ntfy = (_url(notify.get(key, ""), ("notify", key), reader) for key in ("webhook", "ntfy"))
    return Outlets(deploy, desktop, webhook, ntfy, tuple(refs))


def merged(tables: Iterable[Outlets]) -> Outlets:
    """The tables of trusted layers, weakest first; each key by the strongest that names it."""
    found = NO_OUTLETS
    for table in tables:
        deploy = tuple({**dict(found.deploy), **dict(table.deploy)}.items())
        named = {ref.text for ref in table.refs}
        desktop = table.desktop if "notify.desktop" in named else found.desktop
        found = replace(
            found, deploy=deploy, desktop=desktop,
            webhook=table.webhook or found.webhook, ntfy=table.ntfy or found.ntfy,
        )  # fmt: skip
    return found


def _commands(table: object, reader: _Reader) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not isinstance(table, Mapping):
        reader.wrong(("deploy",), msg("a table"))
        return
    for name, words in table.items():
        path: Path = ("deploy", name)
        if not NAME.fullmatch(name):
            what = msg("{name} is no name for a deployment.", name=repr(name))
            reader.problem("deploy_name", what, msg("Use letters, digits, hyphens and underscores."), path)
        elif not isinstance(words, list) or not words:
            reader.wrong(path, msg("a list of texts: a program and its words"))
        else:
            argv = tuple(reader.texts(words, path))
            if len(argv) == len(words):
                yield name, argv


def _url(value: object, path: Path, reader: _Reader) -> str:
    """An address that the words of a notification may go to: TLS, or this machine."""
    if value == "":
        return ""
    wanted = msg("an address that begins with https://, or with http:// on this machine")
    if isinstance(value, str):
        try:
            parts = urlsplit(value)
            host = parts.hostname or ""
        except ValueError:
            parts, host = urlsplit(""), ""
        plain = parts.scheme == "http" and host in _LOOPBACK
        if host and (plain or parts.scheme == "https") and value.isprintable() and " " not in value:
            return value
    reader.wrong(path, wanted)
    return ""
