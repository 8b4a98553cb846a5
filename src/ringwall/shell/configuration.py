"""Commands that stand in settings: git configuration and environment variables.

Invariant: which settings hold commands is data (`knowledge/settings.toml`); a setting that is not listed
carries nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

from ringwall.model.analysis import HOLE
from ringwall.shell.meaning import Carry
from ringwall.shell.tables import family_text

_WORTHLESS = frozenset(("", "true", "false", "0", "1", "yes", "no", "on", "off"))


_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,"


class Settings(NamedTuple):
    """`config` are patterns of git settings with the kind of their value; `variables` likewise by name."""

    config: tuple[tuple[re.Pattern[str], str, str], ...]
    variables: dict[str, tuple[str, str]]


@lru_cache(maxsize=1)
def settings() -> Settings:
    raw = tomllib.loads(family_text("settings"))
    config: list[tuple[re.Pattern[str], str, str]] = []
    for row in raw["config"]:
        kind, _, language = row["runs"].partition(":")
        config.extend((re.compile(translate(name.lower())), kind, language) for name in row["names"])
    variables: dict[str, tuple[str, str]] = {}
    for row in raw["variable"]:
        kind, _, language = row["runs"].partition(":")
        variables.update(dict.fromkeys(row["names"], (kind, language)))
    return Settings(tuple(config), variables)


def config_carries(setting: str, argv: Sequence[str], at: int, certain: bool = True) -> Iterator[Carry]:
    """What `name=value`, given to `git -c` or standing in a variable, makes git run."""
    name, _, value = setting.partition("=")
    lower = name.lower()
    if HOLE in name:
        yield Carry("shell", words=(at,), text=HOLE, certain=False)
    elif lower.startswith("alias."):
        yield from _alias(name[6:], value, argv, at, certain)
    else:
        for pattern, kind, language in settings().config:
            if pattern.match(lower):
                yield from _setting(kind, language, value, at)
                return


def _alias(name: str, value: str, argv: Sequence[str], at: int, certain: bool) -> Iterator[Carry]:
    """An alias runs when its name is the subcommand."""
    used = next((i for i, word in enumerate(argv) if i > at and word.lower() == name.lower()), None)
    rest = " ".join(quoted(word) for word in argv[used + 1 :]) if used is not None else ""
    text = value[1:] if value.startswith("!") else f"git {value}"
    words = (at,) if 0 <= at < len(argv) else ()
    yield Carry("shell", words=words, text=f"{text} {rest}".rstrip(), certain=certain and used is not None)


def _setting(kind: str, language: str, value: str, at: int) -> Iterator[Carry]:
    words = (at,) if at >= 0 else ()
    if value.strip().lower() not in _WORTHLESS:
        yield Carry(kind, language or "shell", words, value.removeprefix("!"), certain=False)


def environment_carries(
    assignments: Iterable[tuple[str, str]], argv: Sequence[str] = ()
) -> tuple[Carry, ...]:
    """What variables make programs run: editors, pagers, start files, preloaded libraries, git settings.

    `argv` is the command that they are set for, where there is one; it decides which git alias is used.
    """
    known = settings().variables
    values = dict(assignments)
    carries: list[Carry] = []
    for name, value in values.items():
        kind, language = known.get(name, ("", ""))
        if kind:
            carries.extend(_setting(kind, language, value, -1))
        elif name.startswith("GIT_CONFIG_KEY_"):
            setting = f"{value}={values.get('GIT_CONFIG_VALUE_' + name[15:], HOLE)}"
            carries.extend(config_carries(setting, argv, -1))
        elif name == "GIT_CONFIG_PARAMETERS":
            for quoted in re.findall(r"'([^']*)'", value) or [HOLE]:
                carries.extend(config_carries(quoted, argv, -1))
    return tuple(carries)


def quoted(word: str) -> str:
    """A word as shell text; plain words stay as they are."""
    if word and not word.strip(_PLAIN):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
