"""A plan looked back at, as Markdown: how long steps took, what was read and clicked, where the wall said no.

Invariant: every line comes from the report; nothing is weighed against anybody.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ringwall.cli.catalogue import _, show
from ringwall.cli.visible import visible_line
from ringwall.judge.wall.quiet import Kind
from ringwall.judge.wall.report import Call, Report, Span
from ringwall.model.text import Text, msg
from ringwall.plan.words import short, step_line

SHOWN = 20
"""Lines of a list; the rest is counted. `--json` has all."""


def markdown(report: Report) -> Iterator[str]:
    """The report for a person, a line at a time."""
    plan = report.plan
    heading = msg(
        "Plan {number} ({plan}): {state}", number=plan.number, plan=short(plan.plan_id), state=plan.state
    )
    yield f"# {show(heading)}"
    yield ""
    if plan.because:
        yield visible_line(plan.because)
        yield ""
    counts = msg(
        "{done} of {count} steps done in {time}; {calls} calls, {denied} of them denied",
        done=sum(span.done for span in report.spans), count=len(report.spans),
        time=lasted(report.until - report.began), calls=len(report.calls), denied=len(report.denied),
    )  # fmt: skip
    yield show(counts)
    yield from _heading(_("Steps"))
    yield "| | " + " | ".join((_("step"), _("took"), _("tries"))) + " | |"
    yield "|---|---|---|---|---|"
    for span in report.spans:
        yield _row(span, report.until)
    for title, calls in (
        (_("Read and queried"), report.of_kind(Kind.LOOK, Kind.QUERY)),
        (_("Used in sessions"), report.of_kind(Kind.SESSION, Kind.OUTPUT)),
        (_("Skills"), report.of_kind(Kind.SKILL)),
    ):
        if calls:
            yield from _heading(title)
            yield from _counted(calls)
    if report.denied:
        yield from _heading(_("Where the wall or another stage said no"))
        for call in report.denied[:SHOWN]:
            at = show(msg("at step {step}", step=call.step))
            yield f"- {at}: {_code(_named(call))} — {visible_line(call.why)}"
        yield from _rest(len(report.denied))


def _heading(title: str) -> Iterator[str]:
    yield from ("", f"## {title}", "")


def lasted(microseconds: int) -> str:
    """A length of time in its two largest units."""
    seconds = max(0, microseconds) // 1_000_000
    if seconds < 1:
        return f"{max(0, microseconds) / 1_000_000:.1f} s"
    for size, unit, below, lower in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s")):
        if seconds >= size:
            rest = seconds % size // below
            return f"{seconds // size} {unit} {rest} {lower}" if rest else f"{seconds // size} {unit}"
    return f"{seconds} s"


def report_row(report: Report) -> dict[str, Any]:
    """The whole report for a program. Times are Unix microseconds."""
    plan = report.plan
    return {
        "number": plan.number, "plan_id": plan.plan_id, "state": plan.state, "because": plan.because,
        "began": report.began, "until": report.until,
        "steps": [_step_row(span) for span in report.spans],
        "calls": [{name: getattr(call, name) for name in Call.__dataclass_fields__} for call in report.calls],
    }  # fmt: skip


def _step_row(span: Span) -> dict[str, Any]:
    names = ("number", "done", "kept", "began", "ended", "tries", "ran", "by", "released", "others", "moved")
    return {**{name: getattr(span, name) for name in names}, "step": show(step_line(span.step))}


def _row(span: Span, until: int) -> str:
    mark = "✓" if span.done else "…" if span.began else ""
    took = ""
    if span.began and not span.kept:
        took = lasted((span.ended or until) - span.began)
    notes: list[Text] = []
    if span.kept:
        notes.append(msg("done under the plan before"))
    notes += (msg("released: {why}", why=why) for why in span.released)
    if span.others:
        notes.append(msg("also changed: {paths}", paths=", ".join(span.others)))
    if span.moved:
        notes.append(msg("changed before it: {paths}", paths=", ".join(span.moved)))
    words = "; ".join(visible_line(show(note)) for note in notes).replace("|", "\\|")
    step = _code(show(step_line(span.step))).replace("|", "\\|")
    return f"| {mark} | {span.number}. {step} | {took} | {span.tries or ''} | {words} |"


def _counted(calls: list[Call]) -> Iterator[str]:
    """The calls, the same ones together, the most frequent first."""
    counts = Counter(_named(call) for call in calls)
    for name, count in counts.most_common(SHOWN):
        yield f"- {_code(name)}" + (f" × {count}" if count > 1 else "")
    yield from _rest(len(counts))


def _rest(count: int) -> Iterator[str]:
    if count > SHOWN:
        more = msg("and {count} more", count=count - SHOWN)
        yield f"- {show(more)}"


def _named(call: Call) -> str:
    return f"{call.tool} {call.about}".rstrip()


def _code(text: str) -> str:
    """A Markdown code span that no text can end."""
    line = visible_line(text)
    longest = max(map(len, re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"`{line}`"
