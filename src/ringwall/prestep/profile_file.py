"""Profiles as TOML: the shipped ones, and a project's own.

Invariant: a file is a whole profile or an error with its place; nothing of a faulty file is used.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, NoReturn

import msgspec

from ringwall.model.errors import PolicyError
from ringwall.model.step import PROFILES
from ringwall.model.text import Text, msg
from ringwall.model.toml_places import Path, key_lines, line_of
from ringwall.prestep.profile import (
    MISSING,
    ROLE,
    ROOT,
    HarnessCheck,
    Keyword,
    Profile,
    Role,
    RoleHint,
    Signal,
)

MOST_BYTES = 65_536

_Said = Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_LINE = re.compile(r"\(at line (\d+), column (\d+)\)$")
_PLACE = re.compile(r" - at `\$(?P<path>[^`]*)`$")
_STEP = re.compile(r"\.?(?P<key>[^.\[\]]+)|\[(?P<index>\d+)\]")
_BRACES = re.compile(r"\{\w*\}")


class _Signal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    missing: _Word
    directory: _Word | None = None
    file: _Word | None = None
    heading: _Word | None = None


class _Harness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: _Said
    signals: Annotated[list[_Signal], msgspec.Meta(min_length=1, max_length=32)]
    separator: str = "; "


class _Keyword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    word: _Word


class _Role(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: _Word
    keywords: Annotated[list[_Word | _Keyword], msgspec.Meta(min_length=1, max_length=200)]


class _RoleHint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hint: _Said
    question: _Said
    roles: Annotated[list[_Role], msgspec.Meta(min_length=1, max_length=32)]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    extends: str | None = None
    signs: list[_Word] | None = None
    harness: _Harness | None = None
    role: _RoleHint | None = None


@lru_cache(maxsize=len(PROFILES))
def shipped(name: str) -> Profile:
    """A profile of the package. Raises `PolicyError` for a name that is none of `PROFILES`."""
    if name not in PROFILES:
        raise PolicyError(
            "prestep.unknown_profile",
            msg("There is no profile {name}.", name=repr(name)),
            msg("Profiles are {names}.", names=", ".join(PROFILES)),
        )
    content = files("ringwall.prestep").joinpath("profiles", f"{name}.toml").read_bytes()
    return read_profile(f"profiles/{name}.toml", content, name)


def read_profile(path: str, content: bytes, name: str = "own") -> Profile:
    """The profile in a file. Raises `PolicyError` with `path:line`; parts that are not there are taken from
    the shipped profile that it `extends`."""
    return _Reader(path, content).profile(name)


def told_by(profile: Profile) -> tuple[str, ...]:
    """Every text of a profile that an agent may be told, with the parts that are put into it."""
    harness, role = profile.harness, profile.role
    missing = harness.separator.join(signal.missing for signal in harness.signals)
    names = ", ".join(each.name for each in role.roles)
    return (harness.text, missing, role.hint, names, role.question)


class _Reader:
    def __init__(self, path: str, content: bytes) -> None:
        self._path = path
        if len(content) > MOST_BYTES:
            self._refuse("too_long", msg("A profile has at most {most} bytes.", most=MOST_BYTES), ())
        try:
            self._text = content.decode("utf-8")
        except UnicodeDecodeError:
            self._refuse("not_utf8", msg("The file is not UTF-8."), ())
        self._lines = key_lines(self._text)

    def profile(self, name: str) -> Profile:
        given = self._read()
        base = self._base(given.extends)
        harness = self._harness(given.harness) if given.harness else base.harness if base else None
        role = self._role(given.role) if given.role else base.role if base else None
        if harness is None or role is None:
            what = msg("The table [{name}] is missing.", name="role" if harness else "harness")
            self._refuse("incomplete", what, (), msg('Write it, or begin with: extends = "en"'))
        signs = tuple(given.signs) if given.signs is not None else base.signs if base else ()
        return Profile(name, signs, harness, role)

    def _read(self) -> _File:
        try:
            values = tomllib.loads(self._text.replace("\r\n", "\n"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            found = _LINE.search(str(error))
            where = f"{self._path}:{found[1]}:{found[2]}" if found else self._path
            what = msg("This is not TOML: {why}.", why=_LINE.sub("", str(error)).strip())
            raise PolicyError("prestep.toml_syntax", what, _MEND, where) from error
        try:
            return msgspec.convert(values, _File)
        except msgspec.ValidationError as error:
            found = _PLACE.search(str(error))
            path = _path(found["path"]) if found else ()
            told = msg("{key}: {why}.", key=".".join(path) or "profile", why=_PLACE.sub("", str(error)))
            self._refuse("wrong_shape", told, path)

    def _base(self, name: str | None) -> Profile | None:
        if name is None:
            return None
        if name not in PROFILES:
            what = msg("There is no profile {name} to extend.", name=repr(name))
            self._refuse("unknown_profile", what, ("extends",),
                         msg("Profiles are {names}.", names=", ".join(PROFILES)))  # fmt: skip
        return shipped(name)

    def _harness(self, given: _Harness) -> HarnessCheck:
        self._placeholders(given.text, (ROOT, MISSING), ("harness", "text"))
        signals = [self._signal(signal, at) for at, signal in enumerate(given.signals)]
        return HarnessCheck(given.text, given.separator, tuple(signals))

    def _signal(self, given: _Signal, at: int) -> Signal:
        place = ("harness", "signals", str(at))
        if given.directory is not None and given.file is None and given.heading is None:
            path, heading = given.directory, ""
        elif given.directory is None and given.file is not None and given.heading is not None:
            path, heading = given.file, given.heading
        else:
            self._refuse("signal", msg("A signal is a `directory`, or a `file` with a `heading`."), place)
        inner = path.rstrip("/")
        if not inner or inner.startswith("/") or "\0" in inner or ".." in inner.split("/"):
            self._refuse("signal", msg("A signal lies below the project's root."), place)
        if heading and (not heading.startswith("#") or "\n" in heading):
            self._refuse("signal", msg("A heading is one line that begins with `#`."), place)
        return Signal(inner, given.missing, heading)

    def _role(self, given: _RoleHint) -> RoleHint:
        self._placeholders(given.hint, (ROLE,), ("role", "hint"))
        self._placeholders(given.question, (), ("role", "question"))
        names = [role.name for role in given.roles]
        twice = next((at for at, name in enumerate(names) if name in names[:at]), None)
        if twice is not None:
            what = msg("The role {name} is there twice.", name=repr(names[twice]))
            self._refuse("role", what, ("role", "roles", str(twice)))
        roles = tuple(Role(role.name, tuple(map(_keyword, role.keywords))) for role in given.roles)
        return RoleHint(given.hint, given.question, roles)

    def _placeholders(self, text: str, wanted: tuple[str, ...], path: Path) -> None:
        """Exactly the placeholders that belong there, so that a slip of the pen is not told to an agent."""
        found = set(_BRACES.findall(text))
        if found != set(wanted):
            names = " ".join(wanted) or "-"
            what = msg("The text must have these placeholders and no other: {names}.", names=names)
            self._refuse("placeholder", what, path)

    def _refuse(self, code: str, what: Text, path: Path, repair: Text | None = None) -> NoReturn:
        where = f"{self._path}:{line_of(self._lines, path)}" if path else self._path
        raise PolicyError(f"prestep.{code}", what, repair or _MEND, where)


_MEND = msg("See docs/prestep.md for a whole profile.")


def _keyword(given: str | _Keyword) -> Keyword:
    if isinstance(given, _Keyword):
        return Keyword(given.word.lower(), alone=True)
    return Keyword(given.lower())


def _path(text: str) -> Path:
    """`.role.roles[2].name` as a key path."""
    return tuple(found["key"] or found["index"] for found in _STEP.finditer(text))
