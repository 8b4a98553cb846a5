"""Options as programs read them: from argv words to options given and operands.

Invariant: a word is never lost. What cannot be told apart because part of it is unknown stands among
`holes`, so that each option it could be counts as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ringwall.model.analysis import HOLE

NONE, REQUIRED, TWO, OPTIONAL, REST = "", "=", "==", "?=", "=;"
NO_MARKS: frozenset[str] = frozenset()


class Option(NamedTuple):
    """`name` is canonical, the last alias. `takes` says what value: none, one, two words of which the first
    counts, an attached one, or all words up to `;`."""

    name: str
    takes: str = NONE


class Value(NamedTuple):
    """One occurrence of an option. `at` is the word that holds the value (or the option itself);
    `attached` when the value is only part of that word; `words` are those of a `REST` value."""

    text: str | None
    at: int
    attached: bool = False
    words: tuple[int, ...] = ()


class Options:
    """The options that a row understands, by every alias."""

    __slots__ = ("_longs", "bundle", "keyed", "names", "plus")

    def __init__(self, names: Mapping[str, Option], bundle: bool = True) -> None:
        self.names = names
        self.bundle = bundle
        self._longs: tuple[str, ...] | None = None
        self.keyed = any(name[:1] not in "-+" for name in names)
        self.plus = any(name[:1] == "+" for name in names)

    @property
    def longs(self) -> tuple[str, ...]:
        """The long options that a beginning may stand for."""
        if self._longs is None:
            self._longs = tuple(n for n in self.names if n[:2] == "--" and n not in ("--help", "--version"))
        return self._longs

    def with_others(self, others: Options) -> Options:
        """These options, and those of `others` where these do not speak."""
        taken = {option.name for option in self.names.values()}
        merged = {
            alias: option
            for alias, option in others.names.items()
            if alias not in self.names and option.name not in taken
        }
        return Options({**merged, **self.names}, self.bundle)

    def canonical(self, alias: str) -> str | None:
        option = self.names.get(alias)
        return None if option is None else option.name

    def long(self, word: str) -> Option | None:
        """A long option by its name or by an unambiguous beginning of it; `--help` only in full, because it
        can make a command harmless."""
        option = self.names.get(word)
        if option is not None or len(word) < 3 or not self.bundle:
            return option if option is not None or self.bundle else self.names.get(word[1:])
        found = {self.names[name] for name in self.longs if name.startswith(word)}
        return found.pop() if len(found) == 1 else None

    def could_be(self, name: str, word: str) -> bool:
        """Whether `word`, which has a hole, could turn out to give the option called `name`."""
        known = word[: word.index(HOLE)]
        if known in ("", "-", "--"):
            return True
        if not known.startswith("--"):
            return (
                any(o.name == name and len(alias) == 2 for alias, o in self.names.items()) or not self.bundle
            )
        return any(o.name == name and alias.startswith(known) for alias, o in self.names.items())


def read_options(spec: str, bundle: bool = True) -> Options:
    """The options of a table's text: `-f,--force -o,--output= --color?= -exec=;`."""
    names: dict[str, Option] = {}
    for group in spec.split():
        aliases, takes = group, NONE
        for suffix in (OPTIONAL, REST, TWO, REQUIRED):
            if group.endswith(suffix):
                aliases, takes = group.removesuffix(suffix), suffix
                break
        each = aliases.split(",")
        option = Option(each[-1], takes)
        for alias in each:
            names[alias] = option
    return Options(names, bundle)


class Parsed:
    """`operands` are word indexes; `marks` are separators with the count of operands before them; `holes`
    are the words that could be options."""

    __slots__ = ("given", "holes", "marks", "operands", "options")

    def __init__(self, options: Options, given: dict[str, list[Value]]) -> None:
        self.options = options
        self.given = given
        self.operands: list[int] = []
        self.marks: list[tuple[str, int]] = []
        self.holes: list[str] = []

    def give(self, option: Option, value: Value) -> None:
        self.given.setdefault(option.name, []).append(value)


def parse(
    argv: Sequence[str],
    indexes: Iterable[int],
    options: Options,
    *,
    posix: int = 0,
    marks: frozenset[str] = NO_MARKS,
    given: dict[str, list[Value]] | None = None,
) -> Parsed:
    """Read the words at `indexes`. With `posix` = n options end at the n-th operand; `given` are options
    that were read before."""
    parsed = Parsed(options, {} if given is None else given)
    queue = list(indexes)
    queue.reverse()
    operands, ended = parsed.operands, False
    while queue:
        at = queue.pop()
        word = argv[at]
        if word in marks or (word == "--" and not ended):
            parsed.marks.append((word, len(operands)))
            ended = ended or word == "--"
        elif ended or _is_operand(word, options):
            if not ended and options.keyed and _keyed(parsed, word, at):
                continue
            if not ended and word and not word.strip(HOLE):
                parsed.holes.append(word)
            operands.append(at)
            ended = ended or (posix > 0 and len(operands) >= posix)
        elif word.startswith("--") or not options.bundle or word in options.names:
            _whole(parsed, argv, at, queue)
        elif word[0] == "+":
            _unset(parsed, argv, at, queue)
        else:
            _bundle(parsed, argv, at, queue)
    return parsed


def _is_operand(word: str, options: Options) -> bool:
    """Whether a word does not begin as options do; `+` begins one only where the row lists such."""
    if len(word) < 2:
        return True
    return word[0] != "-" and not (word[0] == "+" and options.plus)


def _keyed(parsed: Parsed, word: str, at: int) -> bool:
    """Options without a dash: `of=file`."""
    key, equals, value = word.partition("=")
    option = parsed.options.names.get(key) if equals else None
    if option is None:
        return False
    parsed.give(option, Value(value, at, attached=True))
    return True


def _whole(parsed: Parsed, argv: Sequence[str], at: int, queue: list[int]) -> None:
    """A long option, or one whole word after a single dash."""
    word = argv[at]
    name, equals, value = word.partition("=")
    if HOLE in name:
        parsed.holes.append(word)
        return
    option = parsed.options.long(name) if name.startswith("--") else parsed.options.names.get(name)
    if option is None and not parsed.options.bundle and name[1:2] != "-":
        option = parsed.options.names.get("-" + name)
        short = parsed.options.names.get(name[:2]) if option is None else None
        if short is not None and short.takes and len(word) > 2:
            parsed.give(short, Value(word[2:], at, attached=True))
            return
    if option is None:
        _unlisted(parsed, name, value if equals else None, at)
    elif equals:
        parsed.give(option, Value(value, at, attached=True))
    else:
        parsed.give(option, _value(option, argv, at, queue))


def _unlisted(parsed: Parsed, name: str, value: str | None, at: int) -> None:
    """An option that the row does not list: a negation of one that it does, or noted as written."""
    if name.startswith("--no-"):
        positive = parsed.options.long("--" + name[5:])
        if positive is not None:
            parsed.given.pop(positive.name, None)
            return
    candidates = {
        parsed.options.names[n] for n in parsed.options.longs if len(name) > 2 and n.startswith(name)
    }
    for option in candidates:
        parsed.give(option, Value(value, at, attached=value is not None))
    parsed.give(Option(name), Value(value, at, attached=value is not None))


def _value(option: Option, argv: Sequence[str], at: int, queue: list[int]) -> Value:
    """The value of an option that stands in words of its own."""
    if option.takes in (REQUIRED, TWO) and queue:
        index = queue.pop()
        if option.takes == TWO and queue:
            queue.pop()
        return Value(argv[index], index)
    if option.takes == REST:
        words: list[int] = []
        while queue:
            index = queue.pop()
            if argv[index] in (";", "\\;") or (argv[index] == "+" and words and argv[words[-1]] == "{}"):
                break
            words.append(index)
        return Value(" ".join(argv[i] for i in words), at, words=tuple(words))
    return Value(None, at)


def _bundle(parsed: Parsed, argv: Sequence[str], at: int, queue: list[int]) -> None:
    """Letters after a single dash; the first that takes a value takes the rest of the word."""
    word, names = argv[at], parsed.options.names
    for place in range(1, len(word)):
        letter = word[place]
        if letter == HOLE:
            parsed.holes.append(word)
            return
        option = names.get("-" + letter) or Option("-" + letter)
        rest = word[place + 1 :]
        if option.takes == NONE or (option.takes != REST and not rest):
            parsed.give(option, _value(option, argv, at, queue))
        elif option.takes == REST:
            parsed.give(option, _value(option, argv, at, queue))
            return
        else:
            parsed.give(
                option, Value(rest.removeprefix("=") if option.takes == OPTIONAL else rest, at, attached=True)
            )
            return


def _unset(parsed: Parsed, argv: Sequence[str], at: int, queue: list[int]) -> None:
    """Letters after a plus sign (`bash +ex`): each takes back the option of that letter."""
    for letter in argv[at][1:]:
        if letter == HOLE:
            parsed.given.clear()
            parsed.holes.append(argv[at])
            return
        parsed.given.pop("-" + letter, None)
        option = parsed.options.names.get("+" + letter) or Option("+" + letter)
        parsed.give(option, _value(option, argv, at, queue))


def parse_dashless(argv: Sequence[str], options: Options, given: dict[str, list[Value]]) -> int:
    """Read a first word of letters without a dash (`tar xzf a.tar`); the index of the first word not used.

    Values stand in the words that follow, in the order of their letters.
    """
    after = 2
    if len(argv) < 2 or not argv[1].isalpha():
        return 1
    found = [options.names.get("-" + letter) for letter in argv[1]]
    for option in found:
        if option is None:
            return 1
    for option in found:
        if option is not None and option.takes == REQUIRED and after < len(argv):
            given.setdefault(option.name, []).append(Value(argv[after], after))
            after += 1
        elif option is not None:
            given.setdefault(option.name, []).append(Value(None, 1))
    return after
