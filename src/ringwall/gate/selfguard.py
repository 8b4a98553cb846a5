"""Ringwall's own state, policy, endpoints, processes and verbs are not an agent's to change.

Invariant: looking at policy is free, looking into the state is not; whatever would change the governor or
speak to its servers is denied, by whichever tool. Where the same act is a catastrophe besides, that is said
first.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ringwall.gate.endpoints import authority_of, is_own, names_own
from ringwall.gate.situation import Situation
from ringwall.model.analysis import HOLE, Analysis, Command
from ringwall.model.decision import Opinion
from ringwall.model.effects import EFFECTS, Effect, covers
from ringwall.model.surroundings import Places
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.names import DELETES, HOSTS, READS, WRITES
from ringwall.policy.paths import paths_of

STAGE = "selfguard"
FREE_VERBS = frozenset({"status", "why", "check", "explain", "propose"})
FREE_PLAN_VERBS = frozenset({"lint", "status", "show"})
"""What an agent may ask about plans: whether its draft is well formed, and what it is to do."""
_CHANGES = frozenset((*WRITES, *DELETES))
_TREES = frozenset(DELETES)
_REACHES = ("network", "remote", "tool.unknown")
_USES = (*_REACHES, "code.run")
_CONNECTS = frozenset((*HOSTS, "remote.write", "network.listen", "network.listen.public"))
PROGRAMS = frozenset({"ringwall", "ringwall-hook"})


def opinion(analysis: Analysis, situation: Situation, so_far: Verdict | None) -> Opinion | None:
    """Deny for an agent; ask where the call only may touch the governor; silent for a person."""
    if situation.principal.human:
        return None
    doubtful: Opinion | None = None
    own = _own_paths(situation.places)
    for effect in analysis.effects:
        found = _of_effect(effect, paths_of(effect, analysis), own, situation.places)
        if found is not None and found.verdict is Verdict.DENY:
            return _catastrophe_first(found, effect, analysis)
        doubtful = doubtful or found
    reaching = {one.command for one in analysis.effects if any(covers(name, one.name) for name in _REACHES)}
    using = {one.command for one in analysis.effects if any(covers(name, one.name) for name in _USES)}
    for index, command in enumerate(analysis.commands):
        found = _of_command(command)
        if index in reaching and names_own(command.argv, situation.places.endpoints):
            found = _opinion("endpoint", msg("it reaches Ringwall's own server"), None, command.certain)
        if index in using and any(_is_private(path, situation.places) for path in _named(command)):
            found = _opinion("private", msg("it is given what is for a person's eyes"), None, command.certain)
        if found is not None and found.verdict is Verdict.DENY:
            return found
        doubtful = doubtful or found
    return doubtful


def _catastrophe_first(found: Opinion, effect: Effect, analysis: Analysis) -> Opinion:
    """The opinion in the words of the greater loss, where the same act is one."""
    for other in analysis.effects:
        if other.name == "catastrophic" and (other.command, other.target) == (effect.command, effect.target):
            reason = msg(
                "it {meaning}: {target}, and Ringwall's own files with it.",
                meaning=EFFECTS[other.name].meaning,
                target=effect.target or "?",
            )
            advice = msg("Name exactly the files that are meant, below the project folder.")
            return replace(found, reason=reason, advice=advice)
    return found


@lru_cache(maxsize=64)
def _own_paths(places: Places) -> tuple[str, ...]:
    """With a slash at the end, in small letters where the disk does not tell them apart."""
    own = (*places.governor, *places.registrations, f"{places.root}/.ringwall")
    return tuple(f"{path.casefold() if places.fold_case else path}/" for path in own)


def _of_effect(
    effect: Effect, paths: tuple[str, ...], own: tuple[str, ...], places: Places
) -> Opinion | None:
    name, target = effect.name, effect.target
    if name == "write.governor":
        return _opinion("governor", msg("{target} belongs to Ringwall itself", target=target or "it"), effect)
    if name in _CHANGES and any(_own_path(path, name, own, places.fold_case) for path in paths):
        return _opinion("governor", msg("{target} belongs to Ringwall itself", target=target), effect)
    if name in READS and any(_is_private(path, places) for path in paths):
        return _opinion("private", msg("{target} is for a person's eyes", target=target), effect)
    if name == "process.kill" and target and _own_process(target, places):
        return _opinion("process", msg("{target} is Ringwall's own process", target=target), effect)
    if name in _CONNECTS and (
        is_own(authority_of(target), places.endpoints) or _own_path(target, name, own, places.fold_case)
    ):
        return _opinion("endpoint", msg("{target} is Ringwall's own server", target=target), effect)
    return None


def _own_path(target: str, name: str, own: tuple[str, ...], fold_case: bool) -> bool:
    folder = f"{target.casefold() if fold_case else target}".rstrip("/") + "/"
    if folder.startswith(own):
        return True
    return name in _TREES and any(path.startswith(folder) for path in own)


def _named(command: Command) -> list[str]:
    """The absolute paths among a command's words, also as the value of an option (`--profile=/…`)."""
    values = (
        word.partition("=")[2] if word.startswith("-") and "=" in word else word for word in command.argv
    )
    return [value for value in values if value.startswith("/")]


def _is_private(path: str, places: Places) -> bool:
    folder = f"{path.casefold() if places.fold_case else path}".rstrip("/") + "/"
    return folder.startswith(_private_paths(places))


@lru_cache(maxsize=64)
def _private_paths(places: Places) -> tuple[str, ...]:
    return tuple(f"{path.casefold() if places.fold_case else path}/" for path in places.private)


def _own_process(target: str, places: Places) -> bool:
    if target.isdigit():
        return int(target) in places.pids
    return "ringwall" in target.lower()


def _of_command(command: Command) -> Opinion | None:
    words = _own_words(command)
    if words is None:
        return None
    named = [word for word in words if not word.startswith("-")]
    verb = named[0] if named else ""
    if verb in FREE_VERBS or (not verb and command.invocation.program == "ringwall"):
        return None
    if words[:1] == ("plan",) and len(words) > 1 and words[1] in FREE_PLAN_VERBS:
        return None
    certain = command.certain and HOLE not in verb
    return _opinion("verb", msg("`ringwall {verb}` is for a person", verb=verb), None, certain)


def _own_words(command: Command) -> tuple[str, ...] | None:
    """The words after `ringwall`, or None where this is not Ringwall."""
    if command.invocation.program in PROGRAMS:
        return command.argv[1:]
    if command.invocation.program.startswith("python") and "-m" in command.argv:
        module = command.argv.index("-m") + 1
        if command.argv[module : module + 1] and command.argv[module].partition(".")[0] == "ringwall":
            return command.argv[module + 1 :]
    return None


def _opinion(what: str, reason: Text, effect: Effect | None, certain: bool = True) -> Opinion:
    sure = certain and (effect is None or effect.certain)
    return Opinion(
        stage=STAGE,
        verdict=Verdict.DENY if sure else Verdict.ASK,
        code=f"{STAGE}.{what}",
        reason=reason,
        effect=effect,
        advice=msg("Ask the person to do it in a terminal of their own."),
        binding=True,
    )
