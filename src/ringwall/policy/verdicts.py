"""What the layers together say about one part of a call: one effect of one simple command.

Invariant: inside a layer deny > ask > allow; a stronger layer replaces a weaker one's word, but nothing
lifts what a person's own deny rule said, a layer that is not trusted only tightens, and a yes to a whole
tool lifts no ask.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ringwall.model.analysis import HOLE, Analysis, Command
from ringwall.model.effects import Effect
from ringwall.model.verdict import Verdict
from ringwall.policy.book import RuleBook
from ringwall.policy.match import said_of_command, said_of_effect
from ringwall.policy.model import Layer, LayerName
from ringwall.policy.paths import paths_of
from ringwall.policy.patterns import Rule, ToolPattern

Said = tuple[Verdict, Rule]


@dataclass(frozen=True, slots=True)
class Word:
    """The rule that speaks for a part, what it says, and the rules that it shadows."""

    verdict: Verdict
    rule: Rule
    shadowed: tuple[Rule, ...] = ()
    final: bool = False  # said by a person's own deny rule


def of_tool(layer: Layer, tool: str) -> tuple[Said, ...]:
    """What a layer's rules on tool names say about the call as a whole."""
    return tuple(
        (rule.verdict, rule)
        for rule in layer.book.tools
        if isinstance(rule.pattern, ToolPattern) and rule.pattern.regex.fullmatch(tool)
    )


def of_command(layer: Layer, command: Command, root: str) -> tuple[Said, ...]:
    """What a layer's Bash rules say about one simple command."""
    book = layer.book
    if not book.commands:
        return ()
    said: list[Said] = []
    for rule in _candidates(book, command):
        verdict = said_of_command(rule, command, root)
        if verdict is not None:
            said.append((verdict, rule))
    return tuple(said)


def word_on(
    layers: tuple[Layer, ...], said: list[tuple[Said, ...]], effect: Effect, analysis: Analysis
) -> Word | None:
    """One word about one effect, out of what each layer said of its command and says of the effect itself."""
    paths: tuple[str, ...] | None = None
    word: Word | None = None
    for layer, here in zip(layers, said, strict=True):
        rules = layer.book.effects.get(effect.name)
        if rules:
            if paths is None:
                paths = paths_of(effect, analysis)
            here = here + _of_effect(rules, effect, paths)
        if here:
            word = _over(word, _in_layer(layer, here), layer)
    return word


def _of_effect(rules: tuple[Rule, ...], effect: Effect, paths: tuple[str, ...]) -> tuple[Said, ...]:
    said: list[Said] = []
    for rule in rules:
        verdict = said_of_effect(rule, effect, paths)
        if verdict is not None:
            said.append((verdict, rule))
    return tuple(said)


def _candidates(book: RuleBook, command: Command) -> tuple[Rule, ...]:
    program = command.invocation.program
    if HOLE in program or (command.argv and HOLE in command.argv[0]):
        return book.commands
    found = book.programs.get(program.rpartition("/")[2], ()) + book.any_program
    if command.argv:
        written = command.argv[0].rpartition("/")[2]
        if written != program:
            found += book.programs.get(written, ())
    for entry in set(command.via):
        found += book.programs.get(entry.split(" ")[0].rpartition("/")[2], ())
    return found


def combined(layers: tuple[Layer, ...], said: list[tuple[Said, ...]]) -> Word | None:
    """One word out of what each layer said, weakest first; None where no rule spoke."""
    word: Word | None = None
    for layer, here in zip(layers, said, strict=True):
        if here:
            word = _over(word, _in_layer(layer, here), layer)
    return word


def _in_layer(layer: Layer, said: tuple[Said, ...]) -> Word:
    verdict, rule = said[0] if len(said) == 1 else max(said, key=lambda one: one[0].rank)
    final = layer.name is LayerName.USER and rule.verdict is Verdict.DENY
    others = tuple(other for _, other in said if other is not rule) if len(said) > 1 else ()
    return Word(verdict, rule, others, final)


def _over(weaker: Word | None, stronger: Word, layer: Layer) -> Word:
    if weaker is None:
        return stronger
    stricter = stronger.verdict.rank >= weaker.verdict.rank
    lifts = layer.trusted and not weaker.final and not _too_broad(stronger)
    if stricter or lifts:
        return replace(stronger, shadowed=_shadows(stronger, weaker))
    return replace(weaker, shadowed=_shadows(weaker, stronger))


def _too_broad(word: Word) -> bool:
    return word.verdict is Verdict.ALLOW and word.rule.broad


def _shadows(winner: Word, loser: Word) -> tuple[Rule, ...]:
    return (*winner.shadowed, loser.rule, *loser.shadowed)
