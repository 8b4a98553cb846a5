"""A machine that exists only in memory, and short ways to ask what a command line will do on it."""

from __future__ import annotations

import posixpath
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass, field
from functools import lru_cache

from ringwall.model.action import Action, Kind
from ringwall.model.analysis import Analysis
from ringwall.model.surroundings import Node, Places, Recovery
from ringwall.shell.analyse import analyse

ROOT = "/home/dev/app"
HOME = "/home/dev"


@dataclass
class World:
    """Surroundings with the given files (absolute path → text), git aliases and variables."""

    files: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    places: Places = field(default_factory=lambda: Places(root=ROOT, home=HOME))

    def resolve(self, path: str) -> str | None:
        return posixpath.normpath(path)

    def node(self, path: str) -> Node:
        if path in self.files:
            return Node.FILE
        return Node.DIRECTORY if any(name.startswith(path + "/") for name in self.files) else Node.ABSENT

    def names(self, directory: str) -> tuple[str, ...] | None:
        beginning = directory.rstrip("/") + "/"
        below = [path[len(beginning) :] for path in self.files if path.startswith(beginning)]
        return tuple(sorted({name.partition("/")[0] for name in below})) or None

    def read(self, path: str, limit: int = 262_144) -> str | None:
        text = self.files.get(path)
        return text if text is not None and len(text) <= limit else None

    def env(self, name: str) -> str | None:
        return ({"HOME": HOME, "USER": "dev"} | self.variables).get(name)

    def recovery(self, path: str) -> Recovery:
        return Recovery.UNKNOWN

    def branch(self, directory: str) -> str | None:
        return "feature"

    def git_alias(self, directory: str, name: str) -> str | None:
        return self.aliases.get(name)

    def second_reading(self, text: str) -> bytes | None:
        return second_reading(text)


@lru_cache(maxsize=4096)
def second_reading(text: str) -> bytes | None:
    """The second reader's answer, by the program itself."""
    program = shutil.which("shfmt", path=sysconfig.get_path("scripts")) or shutil.which("shfmt")
    if program is None or "\0" in text:
        return None
    sent = text.encode("utf-8", "surrogateescape")
    done = subprocess.run([program, "--to-json", "-ln", "bash"], input=sent, capture_output=True, timeout=20)
    return done.stdout if done.returncode == 0 else None


def analysed(text: str, world: World | None = None, cwd: str = ROOT) -> Analysis:
    return analyse(Action(Kind.SHELL, "Bash", {"command": text}, cwd), world or World())


def argvs(text: str, world: World | None = None) -> list[tuple[str, ...]]:
    """The commands that were found, in order."""
    return [command.argv for command in analysed(text, world).commands]


def effects(text: str, world: World | None = None) -> set[str]:
    """The names of the effects."""
    return {effect.name for effect in analysed(text, world).effects}


def targets(text: str, name: str, world: World | None = None) -> set[str]:
    """The targets of one effect."""
    return {effect.target for effect in analysed(text, world).effects if effect.name == name}
