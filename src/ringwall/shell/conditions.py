"""Conditions of knowledge rows, compiled once.

Invariant: an answer is `YES` or `NO` only where it holds whatever the unknown parts of the words are; else
it is `MAYBE`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

from ringwall.model.analysis import HOLE
from ringwall.shell.options import Options, Value

NO, MAYBE, YES = 0, 1, 2
_GLOB = re.compile(r"[*?[]")


class Facts:
    """What a condition is asked of: one command line as read by its row. `bound` narrows an operand or
    option to one of its values."""

    __slots__ = ("argv", "bound", "bound_text", "fields", "given", "holes", "options")

    def __init__(
        self,
        argv: Sequence[str],
        given: dict[str, list[Value]],
        fields: dict[str, tuple[int, ...]],
        options: Options,
        holes: Sequence[str],
    ) -> None:
        self.argv = argv
        self.given = given
        self.fields = fields
        self.options = options
        self.holes = holes
        self.bound = ""
        self.bound_text = ""


Test = Callable[[Facts], int]


class Condition(NamedTuple):
    """`ask` answers; `needs` are options of which one must be given (empty: none must); `values` are the
    names whose values matter."""

    ask: Test
    needs: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


class ConditionError(ValueError):
    """A condition that names what its row does not have."""


def compile_condition(text: str, options: Options, operands: Iterable[str]) -> Condition:
    """`-r !-n path=*.py|path=*.pyi`: blanks mean and, `|` or, `!` not."""
    known = frozenset(operands)
    groups: list[Test] = []
    needs: frozenset[str] = frozenset()
    values: set[str] = set()
    for group in text.split():
        tests: list[Test] = []
        wanted: set[str] = set()
        positive = True
        for alternative in group.split("|"):
            negated = alternative.startswith("!")
            name, equals, glob = alternative.removeprefix("!").partition("=")
            is_option = not name[:1].isalpha() or name in options.names
            if is_option:
                canonical = options.canonical(name)
                if canonical is None:
                    raise ConditionError(f"unknown option {name!r}")
                name = canonical
            elif name not in known:
                raise ConditionError(f"unknown operand {name!r}")
            if equals:
                values.add(name)
                test = _valued(name, glob, is_option)
            else:
                test = _given(name) if is_option else _present(name)
            tests.append(_negation(test) if negated else test)
            wanted.add(name)
            positive = positive and is_option and not negated
        groups.append(tests[0] if len(tests) == 1 else _any(tuple(tests)))
        if positive and not needs:
            needs = frozenset(wanted)
    ask = groups[0] if len(groups) == 1 else _all(tuple(groups))
    return Condition(ask, needs, frozenset(values))


def _given(name: str) -> Test:
    def test(facts: Facts) -> int:
        if name in facts.given:
            return YES
        return MAYBE if facts.holes and _could_be(facts, name) else NO

    return test


def _could_be(facts: Facts, name: str) -> bool:
    return any(facts.options.could_be(name, word) for word in facts.holes)


def _present(name: str) -> Test:
    return lambda facts: YES if name in facts.fields else NO


def _valued(name: str, glob: str, is_option: bool) -> Test:
    matches = _matcher(glob)

    def option(facts: Facts) -> int:
        if facts.bound == name:
            return matches(facts.bound_text)
        answer = NO
        for value in facts.given.get(name, ()):
            answer = max(answer, matches(value.text or ""))
        if answer == NO and facts.holes and name not in facts.given and _could_be(facts, name):
            return MAYBE
        return answer

    def operand(facts: Facts) -> int:
        if facts.bound == name:
            return matches(facts.bound_text)
        answer = NO
        for at in facts.fields.get(name, ()):
            answer = max(answer, matches(facts.argv[at]))
        return answer

    return option if is_option else operand


@lru_cache(maxsize=4096)
def whole(glob: str) -> Callable[[str], object]:
    """What tells whether a glob matches a text as a whole, made when first asked for. One with a `*` at an
    end alone needs no pattern."""
    inner = glob.strip("*")
    if _GLOB.search(inner) is None and glob in ("*" + inner, inner + "*", "*" + inner + "*"):
        if not glob.startswith("*"):
            return lambda text: text.startswith(inner)
        return (lambda text: inner in text) if glob.endswith("*") else (lambda text: text.endswith(inner))
    return re.compile(translate(glob)).match


def _matcher(glob: str) -> Callable[[str], int]:
    """How a value that may have holes stands to a glob."""
    literal = _GLOB.search(glob) is None
    start = _GLOB.split(glob, maxsplit=1)[0]

    def matches(text: str) -> int:
        if HOLE not in text:
            return YES if (text == glob if literal else whole(glob)(text)) else NO
        if not literal and whole(glob)(text):
            return YES
        known = text[: text.index(HOLE)]
        shorter = min(len(known), len(start))
        if known[:shorter] != start[:shorter]:
            return NO
        end = text[text.rindex(HOLE) + 1 :]
        return NO if literal and not glob.endswith(end) else MAYBE

    return matches


def _negation(test: Test) -> Test:
    return lambda facts: YES - test(facts)


def _any(tests: tuple[Test, ...]) -> Test:
    def test(facts: Facts) -> int:
        answer = NO
        for each in tests:
            one = each(facts)
            if one == YES:
                return YES
            answer = max(answer, one)
        return answer

    return test


def _all(tests: tuple[Test, ...]) -> Test:
    def test(facts: Facts) -> int:
        answer = YES
        for each in tests:
            one = each(facts)
            if one == NO:
                return NO
            answer = min(answer, one)
        return answer

    return test
