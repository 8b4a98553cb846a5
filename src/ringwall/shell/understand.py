"""What one simple command does, by the knowledge tables.

Invariant: made from argv alone. A word that could change what the command does but is not known makes the
effects that it could bring possible; it never takes one away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ringwall.model.analysis import HOLE, Invocation
from ringwall.shell.conditions import MAYBE, NO, YES, Facts
from ringwall.shell.configuration import config_carries, quoted
from ringwall.shell.meaning import Carry, Meaning, RawEffect
from ringwall.shell.operands import fill
from ringwall.shell.options import Parsed, Value, parse, parse_dashless
from ringwall.shell.rows import Line, Row, Run
from ringwall.shell.tables import Program, tables
from ringwall.shell.verbs import alarming, before_options, classify, could_be_a_noun, destroys, is_act

OBSERVE = RawEffect("observe")
_UNTOLD = f"{HOLE}./:"
_SUFFIXES = (".exe", ".cmd", ".bat", ".com", ".jar")
_MOST_SUB_WORDS = 4


@lru_cache(maxsize=2048)
def understand(argv: tuple[str, ...]) -> Meaning:
    """The meaning of a command. `argv[0]` is as written; words may contain `HOLE`."""
    name = base_name(argv[0])
    program = _find(name)
    if program is None:
        return _unknown(name, argv)
    row = program.row
    given: dict[str, list[Value]] = {}
    first = parse_dashless(argv, row.options, given) if row.dashless else 1
    indexes = range(first, len(argv))
    if not program.has_subs and not row.verbs:
        parsed = parse(argv, indexes, row.options, posix=row.posix, marks=row.marks, given=given)
        return _meaning(name, argv, row, parsed, parsed.operands)
    return _with_subs(name, argv, program, indexes)


def base_name(word: str) -> str:
    """The name that tables know a program by: no directory, no executable suffix."""
    name = word.replace("\\", "/").rpartition("/")[2] if "/" in word or "\\" in word else word
    if "." in name and name.lower().endswith(_SUFFIXES):
        return name[: name.rindex(".")].lower()
    return name


def _find(name: str) -> Program | None:
    program = tables().program(name)
    return program if program is not None or name.islower() else tables().program(name.lower())


# ---- subcommands


def _with_subs(name: str, argv: Sequence[str], program: Program, indexes: Sequence[int]) -> Meaning:
    row = program.row
    head = parse(argv, indexes, row.options, posix=1)
    words = head.operands
    if row.skip and words and argv[words[0]].startswith(row.skip):
        words = words[1:]
    if not words or _stopped(row, argv, head):
        return _meaning(name, argv, row, head, [])
    path = _path(argv, program, words)
    sub = program.sub(" ".join(argv[at] for at in path)) if path else None
    if sub is None or (row.verbs and _only_a_noun(argv, program, path, words)):
        return _without_row(name, argv, program, head, words)
    rest = [at for at in range(words[0] + 1, len(argv)) if at not in path]
    parsed = _after(argv, rest, sub, row, head)
    parsed.holes.extend(hole for hole in head.holes if hole not in parsed.holes)
    meaning = _meaning(name, argv, sub, parsed, parsed.operands, path, (row, head))
    return _with_acts(meaning, argv, parsed, sub, row) if row.verbs else meaning


def _with_acts(meaning: Meaning, argv: Sequence[str], parsed: Parsed, row: Row, program: Row) -> Meaning:
    """An unlisted option that is an act of loss (`verify --delete`) makes that loss possible."""
    given = parsed.given.items()
    acts = [(n, values[0].at) for n, values in given if is_act(n) and row.options.canonical(n) is None]
    if not acts or _stopped(row, argv, parsed):
        return meaning
    feared = (RawEffect(program.verb_effects["destroy"], name, certain=False, word=at) for name, at in acts)
    return Meaning(meaning.invocation, meaning.known, (*meaning.effects, *feared), meaning.carries)


def _after(argv: Sequence[str], rest: Iterable[int], sub: Row, row: Row, head: Parsed) -> Parsed:
    """The words of a subcommand. A program whose own options stand only before it (`git -C`) shares none."""
    given = {} if row.before else head.given
    return parse(argv, rest, sub.options, posix=sub.posix, marks=sub.marks, given=given)


def _only_a_noun(argv: Sequence[str], program: Program, path: Sequence[int], words: Sequence[int]) -> bool:
    """Whether a row names a thing and the words after it an act of loss that the row does not speak of."""
    if len(path) > 1 or not could_be_a_noun(argv[path[0]]):
        return False
    operands = parse(argv, range(words[0], len(argv)), program.row.options).operands
    return destroys([word for word in before_options(argv, operands) if word != argv[path[0]]])


def _path(argv: Sequence[str], program: Program, words: Sequence[int]) -> tuple[int, ...]:
    """The words that name the subcommand: as many as a row has."""
    if argv[words[0]] in program.deep:
        operands = parse(argv, range(words[0], len(argv)), program.row.options).operands
        for count in range(min(_MOST_SUB_WORDS, len(operands)), 1, -1):
            if program.sub(" ".join(argv[at] for at in operands[:count])) is not None:
                return tuple(operands[:count])
    return (words[0],) if program.sub(argv[words[0]]) is not None else ()


def _without_row(
    name: str, argv: Sequence[str], program: Program, head: Parsed, words: Sequence[int]
) -> Meaning:
    """A subcommand that has no row of its own."""
    row, word = program.row, argv[words[0]]
    rest = range(words[0], len(argv))
    fallback = program.any_sub()
    if fallback is not None and HOLE not in word:
        parsed = _after(argv, rest, fallback, row, head)
        return _meaning(name, argv, fallback, parsed, parsed.operands, (words[0],), (row, head))
    parsed = parse(argv, rest, row.options, posix=row.posix, marks=row.marks, given=head.given)
    if HOLE in word:
        facts = _facts(row, argv, parsed, parsed.operands)
        effects = (*_anything(program, name), *_effects(row.always, facts))
        carries = tuple(_carries((run for run in row.runs if run.is_option), facts))
        return Meaning(_invocation(name, argv, parsed, parsed.operands), True, effects, carries)
    meaning = _meaning(name, argv, row, parsed, parsed.operands, (words[0],))
    if row.verbs and not _stopped(row, argv, parsed):
        texts = before_options(argv, parsed.operands)
        role = classify(texts)
        effect = RawEffect(row.verb_effects[role or "write"], " ".join(texts[:3]), certain=role is not None)
        effects = (effect, *(e for e in meaning.effects if e is not OBSERVE))
        meaning = Meaning(meaning.invocation, True, effects, meaning.carries)
        return _with_acts(meaning, argv, parsed, row, row)
    if not row.effects and not meaning.carries and not row.operands[0][1].names and not row.verbs:
        known = (effect for effect in meaning.effects if effect is not OBSERVE)
        effects = (RawEffect("tool.unknown", f"{name} {word}"), *_alarms(argv), *known)
        return Meaning(meaning.invocation, True, effects)
    return meaning


def _anything(program: Program, name: str) -> Iterator[RawEffect]:
    """What a program may do when its subcommand is not known."""
    names = {line.name for row in program.all_subs() for line in row.effects if not line.access}
    yield RawEffect("tool.unknown", name)
    for effect in sorted(names - {"observe"}):
        yield RawEffect(effect, certain=False)


# ---- one row


def _meaning(
    name: str,
    argv: Sequence[str],
    row: Row,
    parsed: Parsed,
    words: Sequence[int],
    path: tuple[int, ...] = (),
    outer: tuple[Row, Parsed] | None = None,
) -> Meaning:
    """What a row says. `path` are the words that name the subcommand; `outer` is its program's row and the
    options that were given to the program."""
    invocation = _invocation(name, argv, parsed, words, path if outer else ())
    if outer is not None and outer[0].before:
        options = _options(outer[1].given) + invocation.options
        invocation = Invocation(name, invocation.path, options, invocation.operands)
    facts = _facts(row, argv, parsed, words)
    if path and row.named_by_command:
        facts.fields["command"] = path
    if row.stop is not None and row.stop.ask(facts) == YES:
        return Meaning(invocation, True, (OBSERVE,))
    effects = list(_effects(row.effects, facts))
    carries = list(_carries(row.runs, facts))
    if outer is None:
        effects.extend(_effects(row.always, facts))
    elif outer[0].always or outer[0].runs:
        around = Facts(argv, outer[1].given, {}, outer[0].options, outer[1].holes)
        effects.extend(_effects(outer[0].always, around))
        carries.extend(_carries((run for run in outer[0].runs if run.is_option), around))
    if not effects and not carries:
        effects.append(OBSERVE)
    return Meaning(invocation, True, tuple(effects), tuple(carries))


def _stopped(row: Row, argv: Sequence[str], parsed: Parsed) -> bool:
    return row.stop is not None and row.stop.ask(Facts(argv, parsed.given, {}, row.options, ())) == YES


def _facts(row: Row, argv: Sequence[str], parsed: Parsed, words: Sequence[int]) -> Facts:
    holes = parsed.holes if row.holes else [hole for hole in parsed.holes if hole[0] == "-"]
    facts = Facts(argv, parsed.given, {}, parsed.options, holes)
    for condition, operands in row.operands:
        if condition is None or condition.ask(facts) == YES:
            if operands.names and words:
                facts.fields = fill(operands, argv, words, parsed.marks)
            break
    return facts


def _invocation(
    name: str, argv: Sequence[str], parsed: Parsed, words: Sequence[int], path: tuple[int, ...] = ()
) -> Invocation:
    operands = tuple([argv[at] for at in words])
    return Invocation(name, tuple([argv[at] for at in path]), _options(parsed.given), operands)


def _options(given: dict[str, list[Value]]) -> tuple[tuple[str, str | None], ...]:
    return tuple([(option, value.text) for option, values in given.items() for value in values])


def _effects(lines: Iterable[Line], facts: Facts) -> Iterator[RawEffect]:
    given, holes = facts.given, facts.holes
    for line in lines:
        condition = line.condition
        answer = YES
        if condition is not None:
            if condition.needs and not holes and condition.needs.isdisjoint(given):
                continue
            if not line.each:
                answer = condition.ask(facts)
                if answer == NO:
                    continue
        yield from _line_effects(line, answer, facts)


def _line_effects(line: Line, answer: int, facts: Facts) -> Iterator[RawEffect]:
    access = "overwrite" if line.deep and line.access == "write" else line.access
    if access == "branch":
        answer = min(answer, MAYBE)
    kind, certain = line.kind, answer == YES
    if kind == "literal":
        yield RawEffect(line.name, line.target, access, certain)
        return
    if not kind:
        yield RawEffect(line.name, "." if access else "", access, certain)
        return
    found = False
    for text, at in _values(line, facts):
        found = True
        if line.each and line.condition is not None:
            facts.bound, facts.bound_text = line.target, text
            answer = line.condition.ask(facts)
            facts.bound = ""
            if answer == NO:
                continue
        if line.name == "read.secret" and answer == MAYBE and not text.strip(_UNTOLD):
            continue  # a name of which nothing is known is no more a secret than any other
        yield RawEffect(line.name, text, access, answer == YES, at)
    if not found and kind == "operand" and not access and not line.each:
        yield RawEffect(line.name, "", "", certain)


def _values(line: Line, facts: Facts) -> Iterator[tuple[str, int]]:
    if line.kind == "operand":
        for at in facts.fields.get(line.target, ()):
            yield facts.argv[at], at
    else:
        for value in facts.given.get(line.target, ()):
            if value.text is not None:
                yield value.text, value.at
            elif not line.access:
                yield "", value.at


# ---- carriers


def _carries(runs: Iterable[Run], facts: Facts) -> Iterator[Carry]:
    for run in runs:
        condition = run.condition
        answer = YES if condition is None else condition.ask(facts)
        if answer == NO:
            continue
        certain = answer == YES and not run.possible
        if run.is_option:
            for value in facts.given.get(run.target, ()):
                if value.text is not None:
                    yield from _option_carry(run, value, facts, certain)
            continue
        words = facts.fields.get(run.target, ())
        if run.then and words:
            words = (*words, *facts.fields.get(run.then, ()))
        if run.kind == "argv" and words and facts.argv[words[0]] == "--":
            words = words[1:]  # it ends the wrapper's options and is no program
        if run.kind == "file":
            for at in words:
                yield _carry(run, (at,), None, facts, certain)
        elif words or run.kind in ("task", "stdin"):
            yield _carry(run, words, None, facts, certain)


def _option_carry(run: Run, value: Value, facts: Facts, certain: bool) -> Iterator[Carry]:
    if run.kind == "config":
        yield from config_carries(value.text or "", facts.argv, value.at, certain)
    elif run.then:
        yield _followed(run, value, facts, certain)
    elif value.words:
        yield _carry(run, value.words, None, facts, certain)
    else:
        yield _carry(run, (value.at,), value.text if value.attached else None, facts, certain)


def _followed(run: Run, value: Value, facts: Facts, certain: bool) -> Carry:
    """An option whose value begins a command that the operands complete: `python -m pip install x`."""
    words = facts.fields.get(run.then, ())
    if not value.attached:
        return _carry(run, (value.at, *words), None, facts, certain)
    text = " ".join([value.text or "", *(quoted(facts.argv[at]) for at in words)])
    return Carry("shell", words=(value.at,), text=text, certain=certain)


def _carry(run: Run, words: tuple[int, ...], text: str | None, facts: Facts, certain: bool) -> Carry:
    cwd = facts.given.get(run.cwd) if run.cwd else None
    return Carry(
        run.kind,
        run.language,
        words,
        text,
        run.remote,
        run.extra,
        certain,
        cwd[-1].text if cwd else None,
        _environment(run, facts) if run.env else (),
    )


def _environment(run: Run, facts: Facts) -> tuple[tuple[str, str], ...]:
    pairs = (facts.argv[at].partition("=") for at in facts.fields.get(run.env, ()))
    return tuple((name, value) for name, _, value in pairs)


# ---- programs without a row


def _unknown(name: str, argv: Sequence[str]) -> Meaning:
    invocation = Invocation(name, operands=tuple(argv[1:]))
    if len(argv) == 2 and argv[1] in ("--version", "--help"):
        return Meaning(invocation, False, (OBSERVE,))
    return Meaning(invocation, False, (RawEffect("tool.unknown", name), *_alarms(argv)))


def _alarms(argv: Sequence[str]) -> Iterator[RawEffect]:
    """A verb of loss among the words of an unknown program makes its worst possible."""
    for at, effect in alarming(argv):
        yield RawEffect(effect, argv[at], certain=False, word=at)
