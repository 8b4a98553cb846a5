"""A plan as a picture: whole, escaped, and without anything that a strict page forbids."""

from __future__ import annotations

from xml.etree import ElementTree

from ringwall.judge.wall.kept import Kept
from ringwall.judge.wall.quiet import Kind, Outcome
from ringwall.judge.wall.report import Call, Report, Span
from ringwall.judge.wall.timeline import MOST_MARKS, picture
from ringwall.plan.model import Base, Op, Plan, SealedPlan, Step
from ringwall.plan.pointer import Pointer

SVG = "{http://www.w3.org/2000/svg}"
SECOND = 1_000_000
BEGAN = 1_796_000_000 * SECOND


def report(*calls: Call) -> Report:
    steps = (Step(1, 1, Op.WRITE, "src/<a>&\u202e.py"), Step(2, 2, Op.BASH, "make " + "x" * 90))
    plan = SealedPlan(Plan("Shop", steps, steps), "sha256:" + "a" * 64, "/p", Base(), ())
    kept = Kept(1, "active", plan, "/p/plan.md", "", "person:ann", 0, 0, "", "", Pointer(2, 1))
    spans = (Span(1, steps[0], BEGAN, BEGAN + 10 * SECOND, tries=1), Span(2, steps[1], BEGAN + 10 * SECOND))
    return Report(kept, BEGAN, BEGAN + 20 * SECOND, spans, calls)


def call(step: int, kind: Kind, began: int, outcome: Outcome = Outcome.DONE) -> Call:
    return Call("e", step, kind, outcome, "Read", "<b>", BEGAN + began * SECOND, 0, "wall.plan_step_mismatch")


def test_each_step_has_a_bar_and_each_call_a_mark_in_its_row() -> None:
    image = ElementTree.fromstring(
        picture(report(call(1, Kind.LOOK, 5), call(2, Kind.OTHER, 15, Outcome.DENIED)))
    )
    bars = image.findall(f"{SVG}rect")
    assert [float(bar.attrib["width"]) for bar in bars] == [323.0, 323.0]
    assert float(bars[1].attrib["x"]) - float(bars[0].attrib["x"]) == 323.0
    (mark,) = [one for one in image.findall(f"{SVG}circle") if one.find(f"{SVG}title") is not None]
    assert float(mark.attrib["cx"]) == 290 + 646 / 4
    (denied,) = image.findall(f"{SVG}path")
    assert "wall.plan_step_mismatch" in str(denied.findtext(f"{SVG}title"))


def test_texts_are_escaped_visible_and_whole_in_their_titles() -> None:
    drawn = picture(report())
    assert "\u202e" not in drawn and "src/&lt;a&gt;&amp;\\u202e.py" in drawn
    assert "x" * 90 in drawn
    assert "<script" not in drawn and "style=" not in drawn and "href" not in drawn


def test_more_calls_than_fit_are_counted() -> None:
    drawn = picture(report(*(call(1, Kind.LOOK, 1) for _ in range(MOST_MARKS + 7))))
    assert "and 7 more calls" in drawn
    ElementTree.fromstring(drawn)
