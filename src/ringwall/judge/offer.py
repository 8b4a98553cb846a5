"""Which permission rule would have spared a question, or why none may.

Invariant: a rule is offered only where it says precisely what runs, never for what limits, floor or selfguard
keep, and never for what `pattern_for.refusal` refuses, as at the console. What else such commands might do
stays asked about, by rules that go with it; what is not known is offered word for word.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from ringwall.gate.limits import LIMITS
from ringwall.gate.situation import Situation
from ringwall.model.action import Kind
from ringwall.model.analysis import HOLE, Analysis, Command
from ringwall.model.decision import Decision
from ringwall.model.effects import EFFECTS, Effect, covers
from ringwall.model.text import Text, msg
from ringwall.model.verdict import Verdict
from ringwall.policy.autonomy import autonomy_of
from ringwall.policy.match import host_of
from ringwall.policy.model import Approval, LayerName
from ringwall.policy.names import OBSERVE, WRITES
from ringwall.policy.pattern_for import NEVER, refusal
from ringwall.policy.patterns import EffectPattern
from ringwall.shell.reach import reach

WORD_FOR_WORD = ("git.skip_hooks", "install.global", "process.kill", "tool.unknown")
"""Effects of which no rule covers more than the very command."""

_NEVER_LIFTED = ("catastrophic", "write.governor", *LIMITS)
"""What no rule lifts anyway, so that nothing need be said about it."""

_KEEPING = ("selfguard", "roles", "floor", "wall", "limits")
_OWN_LAYERS = (LayerName.PROJECT.value, LayerName.USER.value, LayerName.SESSION.value)
_MOST_KEPT = 6
_MOST_RULES = 3
_LONGEST = 160
_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules for `permissions.json`: `allow` spares the question, `ask` goes with it, so that what such
    commands might do besides is asked about as before."""

    allow: tuple[str, ...]
    ask: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """Why no rule is offered. `code` is stable; `about` tells refusals of one code apart."""

    code: str
    why: Text
    about: str = ""


def offer_for(decision: Decision, situation: Situation) -> Offer | Refusal:
    """The rule that would have spared the question of this decision, or why there is none."""
    try:
        _refuse_kept(decision)
        _refuse_always(decision.analysis)
        return _offer(decision.analysis, situation)
    except Refusal as refusal:
        return refusal


def _refuse_kept(decision: Decision) -> None:
    deciding = decision.deciding
    if deciding.stage in _KEEPING or deciding.binding:
        raise Refusal(deciding.code, msg("{why}; no rule lifts it", why=deciding.reason))
    if deciding.stage == "permissions" and deciding.rule and deciding.rule.layer in _OWN_LAYERS:
        why = msg("your own rule wants it: {rule}", rule=deciding.rule)
        raise Refusal("learn.own_rule", why, str(deciding.rule))


def _refuse_always(analysis: Analysis) -> None:
    refused = refusal(analysis)
    if refused is not None:
        raise Refusal(f"learn.{refused.code.replace('.', '_')}", refused.reason)


def _offer(analysis: Analysis, situation: Situation) -> Offer:
    by_command: dict[int, list[Effect]] = {}
    for effect in analysis.effects:
        if effect.name != OBSERVE:
            by_command.setdefault(effect.command, []).append(effect)
    offers: list[Offer] = []
    for index, effects in by_command.items():
        names = {effect.name for effect in effects}
        if 0 <= index < len(analysis.commands):
            offers.append(_of_command(analysis.commands[index], names, situation))
        else:
            offers.extend(_of_call(analysis, effect, situation) for effect in effects)
    if not offers:
        raise Refusal("learn.no_rule", msg("there is no form of rule for it"))
    allow = tuple(dict.fromkeys(rule for offer in offers for rule in offer.allow))
    if len(allow) > _MOST_RULES:
        raise Refusal("learn.many_parts", msg("it would take {count} rules at once", count=len(allow)))
    return Offer(allow, tuple(dict.fromkeys(rule for offer in offers for rule in offer.ask)))


# ---- commands


def _of_command(command: Command, seen: set[str], situation: Situation) -> Offer:
    argv = command.argv
    if not argv or HOLE in argv[0]:
        raise Refusal("learn.unknown_words", msg("the program is not known beforehand"))
    found = reach(argv)
    kept = _kept(found.effects - seen, situation)
    final = any(covers(name, effect) for name in WORD_FOR_WORD for effect in seen)
    if found.anything or not found.bounded or final or len(kept) > _MOST_KEPT or "/" in argv[0]:
        return Offer((_exact(argv),))
    return Offer((f"Bash({_plain(found.words)}:*)",), kept)


def _kept(names: Iterable[str], situation: Situation) -> tuple[str, ...]:
    """Rules that go on asking about what the seen commands did not do, where it is asked about today."""
    lifted = [name for name in names if not any(covers(kept, name) for kept in _NEVER_LIFTED)]
    known = (*NEVER, *WORD_FOR_WORD)
    found = {name for name in lifted if any(covers(general, name) for general in known)}
    return tuple(f"Effect({name})" for name in EFFECTS if name in found and _asked(name, situation))


def _asked(name: str, situation: Situation) -> bool:
    """Whether the policy asks about an effect, or refuses it, as far as it speaks of effects alone."""
    line = autonomy_of(situation.policy, situation.principal, name)
    if line is not None and line.approval is not Approval.AUTO_APPROVE:
        return True
    return any(
        isinstance(rule.pattern, EffectPattern) and rule.verdict is not Verdict.ALLOW
        for layer in situation.policy.speaking
        for rule in layer.book.effects.get(name, ())
    )


def _exact(argv: tuple[str, ...]) -> str:
    if any(HOLE in word for word in argv):
        raise Refusal("learn.unknown_words", msg("a word is not known beforehand"))
    text = _plain(argv)
    if len(text) > _LONGEST:
        raise Refusal("learn.too_long", msg("it is too long for a rule"))
    return f"Bash({text})"


def _plain(words: tuple[str, ...]) -> str:
    """Words as a rule has them. Raises where a rule would read them otherwise than they are."""
    text = shlex.join(words)
    if _GLOB & set(text) or not text.isprintable():
        raise Refusal("learn.pattern", msg("its words would be read as a pattern"))
    return text


# ---- other calls


def _of_call(analysis: Analysis, effect: Effect, situation: Situation) -> Offer:
    action = analysis.action
    if effect.name in WRITES:
        return _of_edit(effect, action.cwd, situation)
    if effect.name == "network.read" and action.kind is Kind.WEB:
        host = host_of(effect.target)
        if host is not None:
            return Offer((f"WebFetch(domain:{host})",))
    if action.kind is Kind.MCP and not covers("tool.unknown", effect.name):
        return Offer((action.tool,))
    raise Refusal("learn.no_rule", msg("there is no form of rule for it"))


def _of_edit(effect: Effect, cwd: str, situation: Situation) -> Offer:
    """A rule for the folder of a written file; for the file itself at the top of the project."""
    path = posixpath.normpath(posixpath.join(cwd, effect.target)) if effect.target else ""
    root = situation.places.root.rstrip("/") + "/"
    if (_GLOB | {HOLE, "{"}) & set(path) or not path.startswith(root) or not path.isprintable():
        raise Refusal("learn.unknown_words", msg("the path is not known beforehand"))
    inside = path.removeprefix(root)
    folder = posixpath.dirname(inside)
    rule = f"Edit(/{folder}/**)" if folder else f"Edit(/{inside})"
    return Offer((rule,), _kept(("write.hook", "delete.lost"), situation))
