"""Bash rules against parsed commands.

Invariant: options match in any order; words match in order; an `allow` never rests on a word that is not
known, nor on a program of another place than the rule's.
"""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from ringwall.model.analysis import HOLE, Command, Invocation
from ringwall.policy.fit import Fit
from ringwall.policy.globs import overlap, text_regex
from ringwall.policy.patterns import CommandPattern

SYSTEM_FOLDERS = frozenset(
    {
        "/bin",
        "/sbin",
        "/usr/bin",
        "/usr/sbin",
        "/usr/local/bin",
        "/usr/local/sbin",
        "/opt/homebrew/bin",
        "/opt/local/bin",
        "/snap/bin",
    }
)
HARMLESS_GLOBALS = frozenset(
    {"-C", "--no-pager", "--no-optional-locks", "--color", "--no-color", "--directory"}
)
"""Global options that an `allow` skips where the rule does not name them; `deny` and `ask` skip all."""

Option = tuple[str, str | None]


def command_fit(pattern: CommandPattern, command: Command, root: str, allowing: bool) -> Fit:
    """How `command` fits; `allowing` is the reading for rules that loosen."""
    wanted = pattern.invocation
    if wanted is None:
        return Fit.YES
    fit = _program_fit(pattern, wanted, command, root, allowing)
    if fit is not Fit.NO:
        fit = min(fit, _rest_fit(pattern, wanted, command, allowing))
    if fit is Fit.YES or allowing or not command.via:
        return fit
    return max(fit, _wrapper_fit(pattern, wanted, command))


def _program_fit(
    pattern: CommandPattern, invocation: Invocation, command: Command, root: str, allowing: bool
) -> Fit:
    wanted = pattern.words[0] if pattern.words else invocation.program
    written = command.argv[0] if command.argv else command.invocation.program
    if HOLE in written:
        return Fit.NO if allowing else word_fit(posixpath.basename(wanted), posixpath.basename(written))
    fit = word_fit(posixpath.basename(wanted), command.invocation.program.rpartition("/")[2])
    if fit is Fit.NO:
        fit = word_fit(invocation.program, command.invocation.program)
    if allowing and ("/" in wanted or "/" in written):
        return fit if _same_place(wanted, written, command.cwd, root) else Fit.NO
    return fit


def _same_place(wanted: str, written: str, cwd: str, root: str) -> bool:
    if "/" not in wanted:
        return posixpath.dirname(written) in SYSTEM_FOLDERS
    if "/" not in written:
        return False
    there = posixpath.normpath(posixpath.join(root, wanted))
    here = posixpath.normpath(posixpath.join(cwd or root, written))
    return word_fit(there, here) is Fit.YES


def _rest_fit(pattern: CommandPattern, wanted: Invocation, command: Command, allowing: bool) -> Fit:
    if not command.known:
        return words_fit(pattern.words[1:], command.argv[1:], pattern.prefix, allowing)
    found = command.invocation
    words = words_fit(wanted.path + wanted.operands, found.path + found.operands, pattern.prefix, allowing)
    if words is Fit.NO:
        return words
    return min(words, _options_fit(wanted.options, command, pattern.prefix, allowing))


def _options_fit(wanted: tuple[Option, ...], command: Command, prefix: bool, allowing: bool) -> Fit:
    found = command.invocation.options
    fit = Fit.YES
    left = list(found)
    for option in wanted:
        best = max(left, key=lambda given: _option_fit(option, given), default=None)
        this = Fit.NO if best is None else _option_fit(option, best)
        if best is not None and this is not Fit.NO:
            left.remove(best)
        elif not allowing and HOLE in command.invocation.operands:
            this = Fit.MAYBE
        fit = min(fit, this)
    if prefix or not left:
        return fit
    leading = found[: _leading_options(command)]
    skipped = [o for o in leading if not allowing or o[0] in HARMLESS_GLOBALS]
    return fit if all(option in skipped for option in left) else Fit.NO


def _option_fit(wanted: Option, given: Option) -> Fit:
    if wanted[0] != given[0]:
        return Fit.NO
    if wanted[1] is None:
        return Fit.YES
    return word_fit(wanted[1], given[1] or "")


def _leading_options(command: Command) -> int:
    """How many options stand before the subcommand."""
    if not command.invocation.path:
        return 0
    count = 0
    for word in command.argv[1:]:
        if word == command.invocation.path[0]:
            return count
        count += word.startswith("-")
    return 0


def _wrapper_fit(pattern: CommandPattern, wanted: Invocation, command: Command) -> Fit:
    """`Bash(sudo rm:*)` against `rm` that was found inside `sudo`."""
    names = {entry.split(" ")[0].rpartition("/")[2] for entry in command.via}
    if wanted.program not in names:
        return Fit.NO
    words = tuple(word for word in pattern.words[1:] if not word.startswith("-"))
    if not words:
        return Fit.YES if pattern.prefix else Fit.NO
    inner = (command.argv[0].rpartition("/")[2], *command.argv[1:]) if command.argv else ()
    return words_fit(words, inner, pattern.prefix, allowing=False)


def words_fit(wanted: tuple[str, ...], found: tuple[str, ...], prefix: bool, allowing: bool) -> Fit:
    """Words in order. `*` as a word of its own stands for one or more words; with `prefix` further words may
    follow. A word that is wholly unknown may be any number of words."""
    doubtful = False
    reached = {0: Fit.YES}  # how many of the found words are used up, and how well
    for head in wanted:
        if not allowing:
            doubtful = doubtful or any(at < len(found) and found[at] == HOLE for at in reached)
        reached = _spans(reached, len(found)) if head == "*" else _next(reached, head, found, allowing)
        if not reached:
            break
    fit = Fit.NO
    if reached and prefix:
        fit = max(reached.values())
    elif reached:
        fit = reached.get(len(found), Fit.NO)
        doubtful = doubtful or (not allowing and any(set(found[at:]) == {HOLE} for at in reached))
    return max(fit, Fit.of(doubtful))


def _spans(reached: dict[int, Fit], length: int) -> dict[int, Fit]:
    spans: dict[int, Fit] = {}
    best = Fit.NO
    for end in range(1, length + 1):
        best = max(best, reached.get(end - 1, Fit.NO))
        if best is not Fit.NO:
            spans[end] = best
    return spans


def _next(reached: dict[int, Fit], head: str, found: tuple[str, ...], allowing: bool) -> dict[int, Fit]:
    following: dict[int, Fit] = {}
    for at, so_far in reached.items():
        fit = word_fit(head, found[at]) if at < len(found) else Fit.NO
        if fit is Fit.YES or (fit is Fit.MAYBE and not allowing):
            following[at + 1] = min(so_far, fit)
    return following


def word_fit(wanted: str, found: str) -> Fit:
    """One word against one word of a rule, globs allowed in the rule."""
    if HOLE in found:
        return Fit.of(overlap(wanted.replace("*", "**"), found))
    if wanted == found:
        return Fit.YES
    if "*" in wanted or "?" in wanted or "[" in wanted:
        return Fit.YES if _regex(wanted).fullmatch(found) else Fit.NO
    return Fit.NO


@lru_cache(maxsize=1024)
def _regex(glob: str) -> re.Pattern[str]:
    return re.compile(text_regex(glob), re.DOTALL)
