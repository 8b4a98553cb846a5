"""What setup writes for a host and what doctor tries, as data and pure functions.

Invariant: nothing here touches the disk. A host's module says where its hooks stand and in which form;
`setup/` writes it, shows it first, and takes it out again.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ringwall.hosts.protocol import HookReply
from ringwall.model.text import Text

CLIENT_PROGRAM = "ringwall-hook"
CLIENT_SCRIPT = "ringwall/daemon/client.py"
PLUGIN_PREFIX = "ringwall-"

DECIDING_TIMEOUT = 60
"""Seconds that a host shall wait for a verdict; the client gives up at 58 by itself."""
NOTIFYING_TIMEOUT = 10


class Scope(StrEnum):
    """Whose settings: everybody's in the project, one's own in the project, or one's own everywhere."""

    PROJECT = "project"
    LOCAL = "local"
    USER = "user"


class Form(StrEnum):
    """How Ringwall's part stands in a file."""

    LISTS = "lists"  # items of lists in a JSON file, beside what others put there
    BLOCK = "block"  # lines between two marks, in a file with `#` comments
    OWN = "own"  # the whole file


@dataclass(frozen=True, slots=True)
class Site:
    """A file in which hooks can stand. `folder` begins with `~/`, or lies in the project; the environment
    variable `variable`, where it is set, names that folder instead. `name` may hold one `*`: each file that
    is there."""

    scope: Scope
    folder: str
    name: str
    variable: str = ""


def folder_of(site: Site, project: str, env: Mapping[str, str]) -> str | None:
    """The absolute folder of a site; None where the environment does not tell."""
    chosen = env.get(site.variable, "") if site.variable else ""
    if chosen:
        return chosen if posixpath.isabs(chosen) else None
    if site.scope is not Scope.USER:
        return posixpath.join(project, site.folder) if site.folder else project
    home = env.get("HOME")
    if not site.folder or not home:
        return None
    return posixpath.join(home, site.folder.removeprefix("~/"))


@dataclass(frozen=True, slots=True)
class Planned:
    """What is known when a host's files are written: the client's argv, Ringwall's own folder for plug-ins,
    the host's own folder of this user, and the file that registers, with its text after that."""

    client: tuple[str, ...]
    plugins: str
    home: str = ""
    path: str = ""
    text: str = ""

    def command(self, *words: str) -> str:
        return shlex.join([*self.client, *words])


@dataclass(frozen=True, slots=True)
class Extra:
    """A further file of a host. `text` makes our part of it from the rest and from our part as it stands;
    `left` is what of our part stays where only this place of hooks goes. `consent` is a question that only a
    person answers, `--yes` does not."""

    path: str
    form: Form
    text: Callable[[str, str], str]
    why: Text
    left: Callable[[str], str] = lambda ours: ""
    consent: Text | None = None


@dataclass(frozen=True, slots=True)
class Holds:
    """What this host can and cannot enforce, in the words of doctor's table."""

    asks: Text
    subagents: Text
    crash: Text
    timeout: Text
    unloaded: Text
    holes: tuple[Text, ...] = ()


def no_lists(planned: Planned) -> Mapping[tuple[str, ...], Any]:
    return {}


def no_text(planned: Planned) -> str:
    return ""


def no_extras(planned: Planned) -> tuple[Extra, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """How Ringwall gets in front of a host.

    `usual` is the scope where nobody says otherwise. `lists`: for each list in the JSON file, by its keys,
    the item that shall stand in it; `members`: values that shall stand by their keys, where nothing of the
    person's does; `text`: the lines of a block or a file. `plugin` is the file of `hosts/plugins/` that is
    put into Ringwall's own folder. `guards` are further files and folders of the host that decide whether
    its hooks run; `session_variables` are set in everything that runs in its sessions.

    `sample` is a payload for a command in the host's own shape, and `answer` the verdict in a reply to it,
    empty where there is none. `starts` are the host's arguments that load plug-ins and end, and `started`
    tells from what they print whether ours was. `unhooks` are arguments under which the host runs no hooks;
    `run` are those by which one session gets the hooks of a file, `{}` standing for it.
    """

    title: str
    program: str
    least: tuple[int, ...]
    sites: tuple[Site, ...]
    form: Form
    holds: Holds
    sample: Callable[[str, str], Mapping[str, Any]]
    answer: Callable[[HookReply], str]
    usual: Scope = Scope.USER
    home: Site | None = None
    guards: tuple[Site, ...] = ()
    session_variables: tuple[str, ...] = ()
    seed: str = "{}\n"
    lists: Callable[[Planned], Mapping[tuple[str, ...], Any]] = no_lists
    members: Callable[[Planned], Mapping[tuple[str, ...], Any]] = no_lists
    text: Callable[[Planned], str] = no_text
    extras: Callable[[Planned], tuple[Extra, ...]] = no_extras
    plugin: str = ""
    starts: tuple[str, ...] = ()
    started: Callable[[str], bool] = bool
    unhooks: tuple[str, ...] = ()
    run: tuple[str, ...] = ()


def command_of(item: Any) -> str:
    """The command or the plug-in that an item of a list of hooks names."""
    if isinstance(item, str):
        return item
    if isinstance(item, Mapping):
        found = item.get("command", item.get("bash"))
        return found if isinstance(found, str) else ""
    return ""


def is_ours(command: str) -> bool:
    """Whether a hook command runs Ringwall's client, or a plug-in is Ringwall's."""
    if command.startswith("file://"):
        return posixpath.basename(command).startswith(PLUGIN_PREFIX)
    try:
        words: Sequence[str] = shlex.split(command)
    except ValueError:
        return False
    return any(
        posixpath.basename(word) == CLIENT_PROGRAM or word.endswith(f"/{CLIENT_SCRIPT}") for word in words
    )


def closed(command: str) -> str:
    """`command` for a host that takes other failures than exit status 2 for no opinion: whatever goes wrong
    with the client, a signal and a missing file included, becomes that status."""
    return f"{command} || exit 2"
