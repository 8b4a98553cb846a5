"""Environment variables that programs take commands, files or options from.

Invariant: a value that some program will run is walked where it is assigned, as possible.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ringwall.model.analysis import HOLE
from ringwall.shell import carriers
from ringwall.shell.ast import Span
from ringwall.shell.environment import Value
from ringwall.shell.expand import Field
from ringwall.shell.streams import EMPTY

if TYPE_CHECKING:
    from ringwall.shell.evaluate import Walk

OPTIONS = {"tar": "TAR_OPTIONS", "gtar": "TAR_OPTIONS", "git": "GIT_CONFIG_COUNT", "grep": "GREP_OPTIONS"}
"""Programs that read more options from a variable."""
HOOKS = (
    "HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR",
    "XDG_CONFIG_HOME", "XDG_STATE_HOME", "RINGWALL_HOME",
)  # fmt: skip
"""Variables that say where an agent's hooks are registered, or where they keep their state."""
_COMMAND_VARIABLES = frozenset(
    ("BROWSER", "EDITOR", "GIT_ASKPASS", "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND",
     "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "LESSCLOSE", "LESSOPEN", "MANPAGER", "PAGER",
     "PROMPT_COMMAND", "RSYNC_RSH", "RUSTC", "RUSTC_WRAPPER", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR",
     "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "VISUAL")
)  # fmt: skip
_FILE_VARIABLES = frozenset(("BASH_ENV", "ENV", "PYTHONSTARTUP", "PERL5DB"))
_CODE_VARIABLES = frozenset(("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PERL5OPT", "RUBYOPT"))


def open_variables(walk: Walk, assigned: Mapping[str, Value], span: Span) -> None:
    """Variables whose value some program will run: `PAGER`, `GIT_SSH_COMMAND`, `BASH_ENV`, …"""
    for name, value in assigned.items():
        if name in _COMMAND_VARIABLES:
            _open_variable(walk, name, value, span)
        elif name in _FILE_VARIABLES and value.text:
            before, walk.env = walk.env, walk.env.fork()
            carriers.run_file(walk, "shell", Field(value.text, span), name, EMPTY, 0, -1)
            walk.env = before
        elif name in _CODE_VARIABLES and value.text:
            walk.emit("code.opaque", name, certain=False, span=span)
        elif name == "PATH" and any(_within_reach(walk, folder) for folder in value.text.split(":")):
            walk.emit("code.run", name, certain=False, span=span)


def exported(assigned: Mapping[str, Value]) -> Mapping[str, Value]:
    """Those that programs see without an `export`, for every shell starts with them."""
    return {name: value for name, value in assigned.items() if name == "PATH"}


def _within_reach(walk: Walk, folder: str) -> bool:
    """Whether programs are looked for where an agent may have put them: `ls` may then be anything."""
    places = walk.env.surroundings.places
    if not folder.startswith("/"):
        return not folder.startswith(HOLE)
    near = (places.root, *places.worktrees, *places.scratch)
    return f"{posixpath.normpath(folder)}/".startswith(tuple(f"{place}/" for place in near))


def misled(walk: Walk, assigned: Mapping[str, Value]) -> str:
    """The variable by which the text leads an agent that it starts away from its hooks, or nothing."""
    known = walk.env.variables | dict(assigned)
    given = (name for name in HOOKS if name in known)
    return next((name for name in given if known[name].text != walk.env.surroundings.env(name)), "")


def _open_variable(walk: Walk, name: str, value: Value, span: Span) -> None:
    text = value.text.strip().lstrip("|").lstrip("-") if name.startswith("LESS") else value.text
    if not text.strip():
        return
    if text == HOLE:
        walk.emit("code.opaque", name, certain=False, span=span)
        return
    frame, env = walk.frame, walk.env
    deeper = frame._replace(
        via=(*frame.via, name), certain=False, span=frame.span or span, depth=frame.depth + 1, label=""
    )
    walk.env = env.fork()
    walk.text(text, deeper)
    walk.env = env


def with_options(
    walk: Walk, argv: tuple[str, ...], fields: list[Field], assigned: Mapping[str, Value]
) -> tuple[tuple[str, ...], list[Field]]:
    """The words of a program with those that it takes from its variable, where the text set it."""
    known = walk.env.variables | dict(assigned)
    given = known.get(OPTIONS[argv[0]])
    if given is None or not given.text or argv[0] in walk.frame.via:
        return argv, fields
    first = fields[0]
    words = _configured(known) if argv[0] == "git" else given.text.split()
    more = [first._replace(text=word, loose=HOLE in word, filled=given.filled) for word in words]
    fields = [first, *more, *fields[1:]]
    return tuple([field.text for field in fields]), fields


def _configured(known: Mapping[str, Value]) -> list[str]:
    """`GIT_CONFIG_KEY_n` and `GIT_CONFIG_VALUE_n` as `-c` options."""
    words: list[str] = []
    count = known["GIT_CONFIG_COUNT"].text
    for name, key in known.items():
        number = name.removeprefix("GIT_CONFIG_KEY_")
        if number != name and number.isdigit() and not (count.isdigit() and int(number) >= int(count)):
            value = known.get("GIT_CONFIG_VALUE_" + number)
            words += ("-c", f"{key.text}={value.text if value else HOLE}")
    return words
