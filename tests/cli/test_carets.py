"""Carets stand under the characters that they mean."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ringwall.cli.carets import INDENT, Label, Mark, marked
from ringwall.cli.visible import cells, visible


def drawn(text: str, *marks: Mark, width: int = 80) -> list[str]:
    return ["".join(part.text for part in each) for each in marked(text, marks, width)]


def mark(text: str, words: str, label: str = "x", certain: bool = True) -> Mark:
    start = text.index(words)
    return Mark((start, start + len(words)), (Label(label),), certain)


def test_a_caret_under_each_character() -> None:
    text = "cd src && git push"
    assert drawn(text, mark(text, "git push", "git.push")) == [
        "  cd src && git push",
        "            ^^^^^^^^ git.push",
    ]


def test_an_uncertain_mark_is_drawn_apart() -> None:
    text = 'rm -rf "$DIR"'
    assert drawn(text, mark(text, '"$DIR"', certain=False))[1] == "         ~~~~~~ x"


def test_several_labels_stand_below_each_other() -> None:
    assert drawn("rm a", Mark((0, 4), (Label("delete"), Label("delete.lost")))) == [
        "  rm a",
        "  ^^^^ delete",
        "       delete.lost",
    ]


def test_wide_and_combining_characters() -> None:
    text = "rm 构建 e\u0301x && git push"
    rows = drawn(text, mark(text, "git push"))
    assert rows[1].index("^") == INDENT + cells("rm 构建 e\u0301x && ")
    assert drawn(text, mark(text, "构建"))[1] == "     ^^^^ x"


def test_escaped_characters_are_as_long_as_they_are_shown() -> None:
    text = "echo \x1b && git push"
    rows = drawn(text, mark(text, "git push"))
    assert rows[1].index("^") == rows[0].index("git push")


def test_marks_stand_under_their_own_line() -> None:
    text = "echo one\ngit push"
    assert drawn(text, mark(text, "git push"), mark(text, "echo one")) == [
        "  echo one", "  ^^^^^^^^ x", "  git push", "  ^^^^^^^^ x",
    ]  # fmt: skip


def test_a_long_line_is_folded_and_marks_follow() -> None:
    text = "echo " + "word " * 20 + "&& git push"
    rows = drawn(text, mark(text, "git push"), width=50)
    assert all(cells(row) <= 50 for row in rows)
    at = next(index for index, row in enumerate(rows) if "git push" in row)
    assert rows[at + 1].index("^") == rows[at].index("git push")


def test_an_empty_text_has_a_line() -> None:
    assert drawn("") == ["  "]


TEXTS = st.text(alphabet="ab 构\n\x1be\u0301\t", max_size=80)


@given(TEXTS, st.integers(0, 80), st.integers(1, 20), st.integers(40, 90))
def test_every_mark_is_drawn_and_no_text_is_lost(text: str, start: int, length: int, width: int) -> None:
    start = min(start, len(text))
    rows = drawn(text, Mark((start, min(start + length, len(text))), (Label("LABEL"),)), width=width)
    assert any("^" in row for row in rows)
    assert sum("LABEL" in row for row in rows) == 1
    shown = "".join(row[INDENT:] for row in rows if "^" not in row and "LABEL" not in row)
    assert "".join(shown.split()) == "".join(visible(text).split())
