"""Whether a rule speaks about a part of a call, and what it then says.

Invariant: doubt never helps. An `allow` needs a match that is sure; a `deny` that is not sure becomes `ask`.
"""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

from ringwall.model.analysis import HOLE, Command
from ringwall.model.effects import Effect
from ringwall.model.verdict import Verdict
from ringwall.policy.fit import Fit
from ringwall.policy.globs import overlap
from ringwall.policy.match_command import command_fit
from ringwall.policy.names import OBSERVE
from ringwall.policy.patterns import CommandPattern, DomainPattern, EffectPattern, PathPattern, Rule

_GLOB = frozenset("*?[" + HOLE)
_TREES = frozenset({"delete.recursive", "delete.lost", "delete.outside"})  # may take all that lies beneath


def said_of_command(rule: Rule, command: Command, root: str) -> Verdict | None:
    """What a Bash rule says about one simple command; None where it does not match."""
    if not isinstance(rule.pattern, CommandPattern):
        return None
    fit = command_fit(rule.pattern, command, root, allowing=rule.verdict is Verdict.ALLOW)
    return _said(rule.verdict, fit, command.certain)


def said_of_effect(rule: Rule, effect: Effect, paths: tuple[str, ...] = ()) -> Verdict | None:
    """What a rule on paths, hosts or effects says about one effect that is about `paths`; None where it does
    not match."""
    allowing = rule.verdict is Verdict.ALLOW
    match rule.pattern:
        case PathPattern():
            fit = _paths_fit(rule.pattern, effect, paths, allowing)
        case DomainPattern():
            fit = _domain_fit(rule.pattern, effect.target)
        case EffectPattern():
            fit = _effect_fit(rule.pattern, effect, paths, allowing)
        case _:
            return None
    return _said(rule.verdict, fit, effect.certain)


def _said(verdict: Verdict, fit: Fit, certain: bool) -> Verdict | None:
    if fit is Fit.NO:
        return None
    if verdict is Verdict.ALLOW:
        return verdict if fit is Fit.YES else None
    if verdict is Verdict.DENY and fit is Fit.YES and certain:
        return verdict
    return Verdict.ASK


def _paths_fit(pattern: PathPattern, effect: Effect, paths: tuple[str, ...], allowing: bool) -> Fit:
    if not paths:
        looks = effect.name == OBSERVE
        if not pattern.glob:
            return Fit.NO if looks else Fit.YES
        return Fit.of(not looks)
    if not pattern.glob:
        return Fit.YES
    fits = [_path_fit(pattern, effect, path) for path in paths]
    return min(fits) if allowing else max(fits)


def _path_fit(pattern: PathPattern, effect: Effect, path: str) -> Fit:
    if not _GLOB & set(path):
        if pattern.regex.fullmatch(path):
            return Fit.YES
        return Fit.of(effect.name in _TREES and _beneath(pattern, path))
    if HOLE not in path and not pattern.glob.strip("*/") and pattern.regex.fullmatch(path):
        return Fit.YES
    return Fit.of(overlap(pattern.absolute, path) or overlap(pattern.absolute + "/**", path))


def _beneath(pattern: PathPattern, folder: str) -> bool:
    """Whether a tree that vanishes may hold what the pattern names."""
    return overlap(pattern.absolute, folder.rstrip("/") + "/**")


def _effect_fit(pattern: EffectPattern, effect: Effect, paths: tuple[str, ...], allowing: bool) -> Fit:
    if not pattern.target:
        return Fit.YES
    if pattern.path is not None:
        return _paths_fit(pattern.path, effect, paths, allowing)
    if not effect.target:
        return Fit.MAYBE
    if HOLE not in effect.target:
        return Fit.YES if pattern.regex.fullmatch(effect.target) else Fit.NO
    return Fit.of(overlap(pattern.target.replace("*", "**"), effect.target))


def _domain_fit(pattern: DomainPattern, target: str) -> Fit:
    if not pattern.domain:
        return Fit.YES
    host = host_of(target)
    if host is None:
        return Fit.MAYBE
    if pattern.domain.startswith("*."):
        return Fit.YES if host.endswith(pattern.domain[1:]) else Fit.NO
    return Fit.YES if host == pattern.domain else Fit.NO


def host_of(target: str) -> str | None:
    """The host of a URL or of `host[:port][/path]`, in lower case; None where it is not plain."""
    if not target or any(char in "\\\x00*{" or char.isspace() for char in target):
        return None
    try:
        host = urlsplit(target if "://" in target else f"//{target}").hostname
    except ValueError:
        return None
    if not host or "%" in host:
        return None
    return unicodedata.normalize("NFKC", host).replace("\u3002", ".").rstrip(".").lower()
