"""A plan's way through time as a picture: a row for each step, a mark for each call.

Invariant: one SVG without script or style sheet, fit for a page that forbids both; every text in it is
escaped and visible; where there is more than fits, the picture says how much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from ringwall.judge.wall.quiet import Kind
from ringwall.judge.wall.report import Call, Report, Span
from ringwall.model.text import Text, msg
from ringwall.model.visible import visible_line
from ringwall.plan.words import short, step_line

Say = Callable[[Text], str]

WIDTH, ROW, TOP, LEFT, RIGHT = 960, 40, 56, 290, 24
MOST_MARKS = 2_000
LONGEST = 36

_COLOURS = {
    Kind.LOOK: "#8a94a6", Kind.QUERY: "#4f86c6", Kind.SESSION: "#8e5fb0", Kind.OUTPUT: "#2e8b57",
    Kind.STEP: "#2e8b57", Kind.SKILL: "#c08a2d", Kind.OTHER: "#8a94a6",
}  # fmt: skip
_DENIED, _DONE, _OPEN, _REST = "#c0392b", "#2e8b57", "#c08a2d", "#8a94a6"


def picture(report: Report, say: Say = str) -> str:
    """The SVG. `say` renders what is not a plan's own words in the reader's language."""
    height = TOP + ROW * len(report.spans) + 44
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}" font-family="system-ui, sans-serif" font-size="13">'
    )
    return "\n".join((head, *_parts(report, say, height), "</svg>\n"))


def _parts(report: Report, say: Say, height: int) -> Iterator[str]:
    plan = report.plan
    title = say(msg("Plan {number} ({plan}): {state}", number=plan.number, plan=short(plan.plan_id),
                    state=plan.state))  # fmt: skip
    yield f"<title>{_text(title)}</title>"
    yield f'<text x="12" y="24" font-size="16" font-weight="600" fill="currentColor">{_text(title)}</text>'
    yield from _legend(say)
    for at, span in enumerate(report.spans):
        yield from _row(report, span, TOP + ROW * at, say)
    shown = report.calls[:MOST_MARKS]
    for call in shown:
        yield _mark(report, call)
    yield from _axis(report, height - 24)
    if len(report.calls) > len(shown):
        more = say(msg("and {count} more calls", count=len(report.calls) - len(shown)))
        yield f'<text x="12" y="{height - 24}" fill="{_REST}" font-size="11">{_text(more)}</text>'


def _legend(say: Say) -> Iterator[str]:
    names = (
        (_COLOURS[Kind.LOOK], msg("read")), (_COLOURS[Kind.QUERY], msg("queried")),
        (_COLOURS[Kind.SESSION], msg("used in a session")), (_COLOURS[Kind.STEP], msg("step")),
        (_DENIED, msg("denied")),
    )  # fmt: skip
    x = LEFT
    for colour, name in names:
        word = say(name)
        yield f'<circle cx="{x + 4}" cy="42" r="4" fill="{colour}"/>'
        yield f'<text x="{x + 13}" y="46" font-size="11" fill="currentColor">{_text(word)}</text>'
        x += 32 + 7 * len(word)


def _row(report: Report, span: Span, y: int, say: Say) -> Iterator[str]:
    step = say(step_line(span.step))
    label = f"{span.number}. {step}"
    cut = label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"
    mark, colour = ("✓", _DONE) if span.done else ("…", _OPEN) if span.began else ("", _REST)
    below = f'x1="{LEFT}" y1="{y + 30}" x2="{WIDTH - RIGHT}" y2="{y + 30}"'
    yield f'<line {below} stroke="{_REST}" stroke-opacity="0.25"/>'
    yield f'<text x="12" y="{y + 24}" fill="{colour}" font-weight="600">{mark}</text>'
    yield f'<text x="32" y="{y + 24}" fill="currentColor">{_text(cut)}<title>{_text(label)}</title></text>'
    if span.began and not span.kept:
        end = span.ended or report.until
        x, width = _x(report, span.began), max(2.0, _x(report, end) - _x(report, span.began))
        took = f"{label}: {_seconds(end - span.began)}"
        yield (
            f'<rect x="{x:.1f}" y="{y + 10}" width="{width:.1f}" height="20" rx="3" fill="{colour}"'
            f' fill-opacity="0.25" stroke="{colour}"><title>{_text(took)}</title></rect>'
        )


def _mark(report: Report, call: Call) -> str:
    row = next((at for at, span in enumerate(report.spans) if span.number == call.step), 0)
    x, y = _x(report, call.began), TOP + ROW * row + 20
    told = _text(f"{call.tool} {call.about}".strip() + (f" [{call.code}]" if call.denied else ""))
    if call.denied:
        cross = f"M{x - 4:.1f} {y - 4}l8 8m0 -8l-8 8"
        return f'<path d="{cross}" stroke="{_DENIED}" stroke-width="2"><title>{told}</title></path>'
    return (
        f'<circle cx="{x:.1f}" cy="{y}" r="3.5" fill="{_COLOURS[call.kind]}"><title>{told}</title></circle>'
    )


def _axis(report: Report, y: int) -> Iterator[str]:
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        moment = report.began + int((report.until - report.began) * share)
        clock = datetime.fromtimestamp(moment / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        x = LEFT + (WIDTH - LEFT - RIGHT) * share
        yield (
            f'<text x="{x:.0f}" y="{y}" font-size="11" fill="{_REST}" text-anchor={quoteattr(anchor)}>'
            f"{clock}</text>"
        )


def _x(report: Report, moment: int) -> float:
    whole = max(1, report.until - report.began)
    share = min(1.0, max(0.0, (moment - report.began) / whole))
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def _seconds(microseconds: int) -> str:
    return f"{microseconds / 1_000_000:.1f} s"


def _text(text: str) -> str:
    return escape(visible_line(text))
