"""The effects of an action as marks under the words that cause them.

Invariant: every name of an effect and every doubt is shown: under its words where it has any in the input,
else in a list below. What the same words cause many times (a script that installs five packages) is one row
with a count, and looking is left out beside what does more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ringwall.cli.carets import Label, Mark, marked
from ringwall.cli.catalogue import _, show
from ringwall.cli.output import Line, Part, line, page_width
from ringwall.cli.visible import visible_line
from ringwall.model.analysis import HOLE, Analysis, Doubt
from ringwall.model.effects import Effect, covers
from ringwall.model.text import msg

QUIET = "dim"
_DOUBT = "magenta"
OBSERVE = "observe"


def effects_shown(analysis: Analysis, styles: dict[str, str]) -> Iterator[Line]:
    """The input with its effects. `styles` gives the colour of an effect that a stage spoke about."""
    placed, rest = _by_field(analysis)
    for field, found in placed.items():
        text = str(analysis.action.input[field])
        if analysis.action.tool != "Bash" or field != "command":
            yield line(Part(f"{analysis.action.tool}: {field}", "bold"))
        yield from marked(text, list(_marks(text, found, analysis.action.cwd, styles)), page_width())
    if not placed:
        yield line("  ", Part(visible_line(analysis.action.tool), "bold"))
    for each in _labels(rest, "", analysis.action.cwd, styles):
        yield line("  - ", each)


def _by_field(
    analysis: Analysis,
) -> tuple[dict[str, list[Effect | Doubt]], list[Effect | Doubt]]:
    values = analysis.action.input
    placed: dict[str, list[Effect | Doubt]] = {}
    rest: list[Effect | Doubt] = []
    if isinstance(values.get("command"), str):
        placed["command"] = []
    found: tuple[Effect | Doubt, ...] = (*analysis.effects, *analysis.doubts)
    for item in found:
        field = item.field if isinstance(item, Effect) else "command"
        value = values.get(field)
        if isinstance(value, str) and 0 <= item.span[0] < item.span[1] <= len(value):
            placed.setdefault(field, []).append(item)
        else:
            rest.append(item)
    return placed, rest


def _marks(text: str, found: list[Effect | Doubt], cwd: str, styles: dict[str, str]) -> Iterator[Mark]:
    spans: dict[tuple[int, int], list[Effect | Doubt]] = {}
    for item in found:
        spans.setdefault(item.span, []).append(item)
    for span, items in _joined(text, spans):
        labels = _labels(items, text[slice(*span)], cwd, styles)
        certain = any(not isinstance(item, Effect) or item.certain for item in items)
        style = next((label.style for label in labels if label.style != QUIET), QUIET)
        yield Mark(span, tuple(Label(each.text, each.style) for each in labels), certain, style)


def _joined(
    text: str, spans: dict[tuple[int, int], list[Effect | Doubt]]
) -> Iterator[tuple[tuple[int, int], list[Effect | Doubt]]]:
    """Each range with the most precise that is said about it; neighbours with the same words are one."""
    held: tuple[tuple[int, int], list[Effect | Doubt]] | None = None
    for span, items in sorted(spans.items()):
        precise = [item for item in items if not _said_better(item, items)]
        if held and not text[held[0][1] : span[0]].strip() and _said(held[1]) == _said(precise):
            held = ((held[0][0], span[1]), held[1])
            continue
        if held:
            yield held
        held = (span, precise)
    if held:
        yield held


def _said_better(item: Effect | Doubt, items: list[Effect | Doubt]) -> bool:
    """Whether a name below this one is said of the same thing."""
    return isinstance(item, Effect) and any(
        isinstance(other, Effect)
        and other.name != item.name
        and covers(item.name, other.name)
        and (other.target, other.via, other.certain) == (item.target, item.via, item.certain)
        for other in items
    )


def _said(items: list[Effect | Doubt]) -> list[tuple[str, tuple[str, ...], bool] | str]:
    return [(item.name, item.via, item.certain) if isinstance(item, Effect) else item.code for item in items]


def _labels(items: list[Effect | Doubt], words: str, cwd: str, styles: dict[str, str]) -> list[Part]:
    """What is said about one range: first what a stage spoke about, then the rest in its order."""
    doubts = dict.fromkeys(_doubt(item) for item in items if isinstance(item, Doubt))
    alike: dict[tuple[str, bool], list[Effect]] = {}
    for item in items:
        if isinstance(item, Effect):
            alike.setdefault((item.name, item.certain), []).append(item)
    if any(name != OBSERVE for name, _certain in alike):
        alike = {key: effects for key, effects in alike.items() if key[0] != OBSERVE}
    told = [_label(effects, words, cwd, styles) for effects in alike.values()]
    return [*sorted(told, key=lambda part: part.style in ("", QUIET)), *doubts]


def _label(effects: list[Effect], words: str, cwd: str, styles: dict[str, str]) -> Part:
    """Effects of one name as one row: the first that says more than the words, and how many others do."""
    targets = {item.target: _target(item, cwd) for item in effects}
    telling = {
        shown: item for item in reversed(effects) if (shown := targets[item.target]) and shown not in words
    }
    shown, item = next(reversed(telling.items()), ("", effects[0]))
    text = f"{item.name} {shown}".strip()
    if item.via:
        text += " " + show(msg("(by {via})", via=visible_line(" → ".join(item.via))))
    if not item.certain:
        text += " " + _("(possible)")
    if len(telling) > 1:
        text += " " + show(msg("and {count} more", count=len(telling) - 1))
    spoken = (style for name, style in styles.items() if covers(name, item.name))
    return Part(text, next(spoken, QUIET if item.name == OBSERVE else ""))


def _target(item: Effect, cwd: str) -> str:
    target = item.target.removeprefix(f"{cwd}/")
    return visible_line(target.replace(HOLE, "…")) if target.strip(HOLE) else ""


def _doubt(item: Doubt) -> Part:
    return Part(show(msg("doubt: {reason}", reason=item.reason)), _DOUBT)
