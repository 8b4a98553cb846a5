"""`ringwall learn`: which questions a rule could spare, and which rules decide nothing.

Invariant: nothing is changed; a person puts an offered rule into a file, or does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.options import as_json, policy, preset
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines
from ringwall.cli.past_calls import (
    Source,
    bench,
    faults_row,
    faults_shown,
    past_options,
    rule_row,
    shown_call,
)
from ringwall.cli.visible import visible_line
from ringwall.judge.learn import Idle, Lesson, Lessons
from ringwall.judge.offer import Offer, Refusal
from ringwall.model.text import msg


@click.command(
    cls=Verb,
    help=_(
        "Look through the journal, or through transcripts (PATH), for questions that a rule could spare and "
        "for rules that decide nothing. Changes nothing, runs nothing."
    ),
    epilog=_("PATH is a transcript of Claude Code or Codex, an export of the journal, or a folder of them."),
)
@past_options
@policy
@preset
@as_json
def command(policy_dir: str | None, preset: str | None, as_json: bool, **where: Any) -> None:
    """Look, and tell."""
    source, present, lessons = Source(**where), bench(policy_dir, preset), Lessons()
    for past, judged in source.judged(present):
        lessons.add(
            past,
            shown_call(past),
            judged.decision,
            judged.situation,
            partial(present.spares, judged),
        )
    if as_json:
        print_json({**_row(lessons), **faults_row(source)})
    else:
        print_lines(_shown(lessons))
        print_lines(faults_shown(source))


def _offers(lessons: Lessons) -> list[tuple[Offer, Lesson]]:
    return sorted(lessons.offers.items(), key=lambda each: (-each[1].count, each[0].allow))


def _refusals(lessons: Lessons) -> list[tuple[Refusal, Lesson]]:
    return sorted(lessons.refusals.values(), key=lambda each: (-each[1].count, each[0].code, each[0].about))


def _row(lessons: Lessons) -> dict[str, Any]:
    return {
        "calls": lessons.calls,
        "asked": lessons.asked,
        "spared": lessons.spared,
        "asks": lessons.asks,
        "offers": [
            {"allow": offer.allow, "ask": offer.ask, **_counts(lesson)} for offer, lesson in _offers(lessons)
        ],
        "refusals": [
            {"code": refusal.code, "why": refusal.why, **_counts(lesson)}
            for refusal, lesson in _refusals(lessons)
        ],
        "unlisted": lessons.unlisted,
        "idle": [
            {"rule": rule_row(idle.ref), "shadowed_by": rule_row(idle.shadowed_by)} for idle in lessons.idle()
        ],
    }


def _counts(lesson: Lesson) -> dict[str, Any]:
    examples = [{"call": call, "count": count} for call, count in lesson.examples.items()]
    return {"count": lesson.count, "asked": lesson.asked, "examples": examples, "more": lesson.more}


def _shown(lessons: Lessons) -> Iterator[Line]:
    yield from paragraph(
        msg(
            "Calls: {calls}. Questions then: {asked}, of which the present policy lets {spared} pass. "
            "Questions that the present policy puts: {asks}.",
            calls=lessons.calls,
            asked=lessons.asked,
            spared=lessons.spared,
            asks=lessons.asks,
        )
    )
    if lessons.offers:
        yield from _head(_("Rules that would spare questions (.ringwall/permissions.json)"))
        for offer, lesson in _offers(lessons):
            yield from _offer(offer, lesson)
    if lessons.refusals:
        yield from _head(_("Questions for which no rule is offered"))
        for refusal, lesson in _refusals(lessons):
            yield line(Part(f"{lesson.count:5} ", "bold"), refusal.code)
            yield from paragraph(refusal.why, 6)
            yield from _examples(lesson)
    if lessons.unlisted:
        yield from paragraph(msg("More questions, not listed: {count}", count=lessons.unlisted))
    idle = lessons.idle()
    if idle:
        yield from _head(_("Rules that decided nothing"))
        for each in idle:
            yield from _idle(each)


def _head(words: str) -> Iterator[Line]:
    yield ()
    yield line(Part(words, "bold"))


def _offer(offer: Offer, lesson: Lesson) -> Iterator[Line]:
    count = f"{lesson.count:5} "
    for rule in offer.allow:
        yield line(Part(count, "bold"), Part("allow ", "green"), visible_line(rule))
        count = " " * 6
    for rule in offer.ask:
        yield line(" " * 6, Part("ask   ", "yellow"), visible_line(rule))
    yield from _examples(lesson)


def _examples(lesson: Lesson) -> Iterator[Line]:
    for call, count in lesson.examples.items():
        times = f"{count}× " if count > 1 else ""
        yield from paragraph(times + call, 12, "dim")
    if lesson.more:
        yield from paragraph(show(msg("and {count} more", count=lesson.more)), 12, "dim")


def _idle(idle: Idle) -> Iterator[Line]:
    if idle.shadowed_by is None:
        yield from paragraph(msg("{rule}: matched no call", rule=idle.ref), 2)
    else:
        told = msg("{rule}: always behind {other}", rule=idle.ref, other=idle.shadowed_by)
        yield from paragraph(told, 2)
