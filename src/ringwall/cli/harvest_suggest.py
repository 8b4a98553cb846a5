"""`ringwall harvest suggest KEY CANDIDATE`: the permission rule that a candidate speaks for.

Invariant: nothing is written; a person takes the rule over or leaves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ringwall.cli.catalogue import _
from ringwall.cli.group import Verb
from ringwall.cli.harvest_options import candidate, key, state
from ringwall.cli.journal import opened
from ringwall.cli.options import as_json
from ringwall.cli.output import Line, Part, line, paragraph, print_json, print_lines, styled_verdict
from ringwall.cli.past_calls import bench
from ringwall.cli.visible import visible_line
from ringwall.harvest.brief import evidence
from ringwall.harvest.decide import named
from ringwall.harvest.key import read_key
from ringwall.harvest.mask import mask
from ringwall.harvest.shelf import shelf
from ringwall.judge.replay import Turn
from ringwall.judge.suggest import Suggestion, suggestions
from ringwall.model.text import msg

_SHOWN = 20


@click.command(
    cls=Verb,
    help=_(
        "Show which permission rule a candidate speaks for: where its corrections are about a tool call that "
        "the gate saw, the rule and the past calls that it would have changed. Writes nothing."
    ),
)
@key
@candidate
@as_json
def suggest(key: str, candidate: str, as_json: bool) -> None:
    """Rules, each tried on the newest calls of the project."""
    with shelf(state(), read_key(key)) as found:
        one = named(found, candidate).candidate
        rows = evidence(one, {row.id: row for row in found.corrections()})
        project = found.project
    made: list[Suggestion] = []
    with opened() as store:
        if store is not None:
            with store.reading() as connection:
                made = suggestions(connection, bench(), rows, project)
    if as_json:
        print_json([_row(each) for each in made])
    elif not made:
        print_lines(paragraph(_("None of its corrections is about a tool call that the gate let pass.")))
    else:
        print_lines(each for suggestion in made for each in _shown(suggestion))


def _row(made: Suggestion) -> dict[str, Any]:
    return {
        "rule": made.rule, "list": made.verdict.value, "corrections": list(made.corrections),
        "calls": made.replay.calls, "changed": made.replay.counts[Turn.STRICTER],
        "changes": [
            {"before": each.before.value, "after": each.after.value, "call": mask(each.shown),
             "count": each.count, "where": each.where}
            for each in made.replay.changes()
        ],
    }  # fmt: skip


def _shown(made: Suggestion) -> Iterator[Line]:
    yield line(styled_verdict(made.verdict.value), "  ", Part(made.rule, "bold"))
    where = msg(
        "For the list `{list}` in .ringwall/permissions.json; {count} corrections speak for it.",
        list=made.verdict.value, count=len(made.corrections),
    )  # fmt: skip
    yield from paragraph(where, 2, "dim")
    stricter = made.replay.counts[Turn.STRICTER]
    tried = msg(
        "Of the newest {calls} calls here it would have changed {changed}:",
        calls=made.replay.calls,
        changed=stricter,
    )
    yield from paragraph(tried, 2)
    for each in made.replay.changes()[:_SHOWN]:
        times = f"{each.count}× " if each.count > 1 else ""
        yield line(
            "    ", styled_verdict(each.before.value), " → ", styled_verdict(each.after.value), "  ",
            times, visible_line(mask(each.shown))[:200],
        )  # fmt: skip
