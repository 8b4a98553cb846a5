"""`ringwall replay --policy DIR`: what a changed policy would have decided differently.

Invariant: nothing is changed: no state, no journal, and nothing of a call is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ringwall.cli.catalogue import _, show
from ringwall.cli.group import Verb
from ringwall.cli.main import NEGATIVE, OK
from ringwall.cli.options import as_json, policy, preset
from ringwall.cli.output import (
    Line,
    Part,
    line,
    page_width,
    paragraph,
    print_json,
    print_lines,
    styled_verdict,
)
from ringwall.cli.past_calls import (
    Source,
    bench,
    faults_row,
    faults_shown,
    past_options,
    rule_row,
    shown_call,
)
from ringwall.cli.visible import visible_line, wrap
from ringwall.judge.replay import Change, Replay, Turn
from ringwall.model.errors import UsageError
from ringwall.model.text import msg

_INDENT = 15


@click.command(
    cls=Verb,
    help=_(
        "Judge the calls of the journal, or of transcripts (PATH), again by another policy, and show each "
        "that would be decided differently. Changes nothing, runs nothing."
    ),
    epilog=_("Exit status 0; with --fail-on-looser 1 when the other policy loosens anything."),
)
@past_options
@policy
@preset
@click.option("--fail-on-looser", is_flag=True, help=_("Exit status 1 when anything would be looser."))
@as_json
def command(
    policy_dir: str | None, preset: str | None, fail_on_looser: bool, as_json: bool, **where: Any
) -> int:
    """Judge again, and tell what differs."""
    if policy_dir is None and preset is None:
        raise UsageError(
            "cli.no_policy",
            msg("Nothing says by which policy to judge."),
            msg("Name its folder with --policy DIR, or a preset with --preset."),
        )
    source = Source(**where)
    replay = _replayed(source, policy_dir, preset)
    if as_json:
        print_json({**_row(replay), **faults_row(source)})
    else:
        print_lines(_shown(replay))
        print_lines(faults_shown(source))
    return NEGATIVE if fail_on_looser and replay.loosened else OK


def _replayed(source: Source, policy_dir: str | None, preset: str | None) -> Replay:
    changed, present = bench(policy_dir, preset), bench()
    replay = Replay()
    for past, judged in source.judged(changed):
        after = judged.decision
        if past.before is after.verdict:
            replay.add(past, "", past.before, after, after.verdict)
            continue
        now = present.judge(past.call).decision.verdict
        replay.add(past, shown_call(past), past.before or now, after, now)
    return replay


def _row(replay: Replay) -> dict[str, Any]:
    return {
        "calls": replay.calls,
        **{way.value: replay.counts[way] for way in Turn},
        "loosened": replay.loosened,
        "changes": [
            {
                "before": each.before.value, "after": each.after.value, "turn": each.turn.value,
                "tool": each.tool, "call": each.shown, "code": each.code, "rule": rule_row(each.rule),
                "elsewhere": each.elsewhere, "count": each.count, "where": each.where,
            }
            for each in replay.changes()
        ],
        "unlisted": replay.unlisted,
    }  # fmt: skip


def _shown(replay: Replay) -> Iterator[Line]:
    changes = replay.changes()
    for each in changes:
        yield from _change(each)
    if replay.unlisted:
        yield from paragraph(msg("More calls that differ, not listed: {count}", count=replay.unlisted))
    if changes:
        yield ()
    yield from paragraph(
        msg(
            "Calls: {calls}. As before: {same}; looser: {looser}; stricter: {stricter}.",
            calls=replay.calls,
            **{way.value: replay.counts[way] for way in Turn},
        )
    )
    if any(each.elsewhere for each in changes):
        told = msg("* The present policy decides so as well: something else has changed since.")
        yield from paragraph(told, 0, "dim")


def _change(change: Change) -> Iterator[Line]:
    mark = "*" if change.elsewhere else " "
    head = (styled_verdict(change.before.value), " → ", styled_verdict(change.after.value), mark)
    times = f"{change.count}× " if change.count > 1 else ""
    rows = wrap(times + change.shown, page_width() - _INDENT)
    yield line(*head, " ", rows[0])
    for rest in rows[1:]:
        yield line(" " * _INDENT, rest)
    why = show(msg("rule: {rule}", rule=visible_line(str(change.rule)))) if change.rule else change.code
    yield line(" " * _INDENT, Part(why, "dim"))
