"""A small world for rules: a project, a home, a handful of known programs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Iterable

from ringwall.gate.decide import decide
from ringwall.gate.situation import Situation
from ringwall.model.action import Action, Kind, Principal
from ringwall.model.analysis import Analysis, Command, Doubt, Invocation
from ringwall.model.decision import Decision
from ringwall.model.effects import Effect
from ringwall.model.surroundings import Places
from ringwall.policy.load import NO_FILES, LayerFiles, Loaded, load
from ringwall.policy.model import CommandPattern, Policy
from ringwall.policy.source import PolicyFile

PLACES = Places(
    root="/p",
    home="/home/u",
    governor=("/home/u/.local/state/ringwall", "/home/u/.config/ringwall"),
    private=("/home/u/.local/state/ringwall",),
    registrations=("/home/u/.claude/settings.json", "/p/.claude/settings.json"),
    endpoints=("127.0.0.1:7411",),
    pids=(4711,),
)
WORKER = Principal()
SUBCOMMANDS = {"git": 1, "npm": 1, "gh": 2, "ringwall": 1, "docker": 1}
LONG = {
    "rm": {"-r": "--recursive", "-R": "--recursive", "-f": "--force"},
    "git": {"-f": "--force", "-C": "-C"},
    "ls": {},
    "cat": {},
}
VALUED = {"-C", "-c", "-m"}
KNOWN = {*SUBCOMMANDS, *LONG, "sudo", "curl", "cp", "make", "python3", "mkdir"}


def invocation(argv: tuple[str, ...]) -> Invocation:
    """Options apart from words; bundled letters opened; the canonical name of each."""
    program = argv[0].rpartition("/")[2]
    names = LONG.get(program, {})
    options: list[tuple[str, str | None]] = []
    words: list[str] = []
    waiting = list(argv[1:])
    while waiting:
        word = waiting.pop(0)
        if word.startswith("--"):
            name, _, value = word.partition("=")
            options.append((names.get(name, name), value or None))
        elif word.startswith("-") and len(word) > 1:
            for letter in word[1:]:
                name = names.get(f"-{letter}", f"-{letter}")
                options.append((name, waiting.pop(0) if name in VALUED and waiting else None))
        else:
            words.append(word)
    depth = SUBCOMMANDS.get(program, 0)
    return Invocation(program, tuple(words[:depth]), tuple(options), tuple(words[depth:]))


def read_command(text: str) -> CommandPattern:
    return CommandPattern(text, invocation(tuple(shlex.split(text))), False)


def command(
    text: str | tuple[str, ...], via: tuple[str, ...] = (), certain: bool = True, cwd: str = "/p"
) -> Command:
    argv = tuple(shlex.split(text)) if isinstance(text, str) else text
    read = invocation(argv)
    return Command(argv, read, (0, 0), cwd, via, read.program in KNOWN, certain)


def effect(name: str, target: str = "", certain: bool = True, command: int = 0) -> Effect:
    return Effect(name, target, certain, command=command)


def shell(*parts: tuple[Command | str, Iterable[Effect | str]], doubts: tuple[Doubt, ...] = ()) -> Analysis:
    """A shell call of simple commands, each with its effects."""
    commands: list[Command] = []
    effects: list[Effect] = []
    for index, (what, has) in enumerate(parts):
        commands.append(command(what) if isinstance(what, str) else what)
        for one in has:
            made = effect(one) if isinstance(one, str) else one
            effects.append(Effect(made.name, made.target, made.certain, command=index))
    text = " ; ".join(" ".join(one.argv) for one in commands)
    action = Action(Kind.SHELL, "Bash", {"command": text}, "/p")
    return Analysis(action, tuple(effects), tuple(commands), doubts)


def tool(name: str, *effects: Effect | str, kind: Kind = Kind.MCP) -> Analysis:
    made = tuple(
        Effect(one, command=-1) if isinstance(one, str) else Effect(one.name, one.target, one.certain)
        for one in effects
    )
    return Analysis(Action(kind, name, {}, "/p"), made)


def permissions(
    allow: Iterable[str] = (),
    ask: Iterable[str] = (),
    deny: Iterable[str] = (),
    name: str = "permissions.json",
) -> PolicyFile:
    rules = {"allow": list(allow), "ask": list(ask), "deny": list(deny)}
    return PolicyFile(name, json.dumps({"permissions": rules}, indent=1).encode())


def settings(text: str, name: str = "ringwall.toml") -> PolicyFile:
    return PolicyFile(name, text.encode())


def loaded(
    *,
    project: LayerFiles = NO_FILES,
    user: LayerFiles = NO_FILES,
    session: LayerFiles = NO_FILES,
    trusted: bool | Collection[str] = True,
    preset: str = "",
) -> Loaded:
    return load(
        places=PLACES,
        read_command=read_command,
        project=project,
        user=user,
        session=session,
        trusted=trusted,
        preset=preset,
    )


def policy(**files: object) -> Policy:
    """Like `loaded`, without problems."""
    result = loaded(**files)  # type: ignore[arg-type]
    assert not result.problems, [str(problem) for problem in result.problems]
    return result.policy


def user(**rules: Iterable[str]) -> LayerFiles:
    return LayerFiles(permissions=permissions(name="~/.config/ringwall/permissions.json", **rules))


def project(**rules: Iterable[str]) -> LayerFiles:
    return LayerFiles(permissions=permissions(name=".ringwall/permissions.json", **rules))


def judged(
    analysis: Analysis,
    rules: Policy | None = None,
    principal: Principal = WORKER,
    escapes: frozenset[str] = frozenset(),
) -> Decision:
    return decide(analysis, Situation(principal, PLACES, rules or policy(), escapes))
