"""A proposal made ready for the page, whatever an agent wrote into it."""

from __future__ import annotations

from ringwall.console.card import fields


def test_a_small_change_is_shown_as_what_it_changes() -> None:
    (field,) = fields({"old_string": "a\nb\nc", "new_string": "a\nB\nc"})
    assert field.diff == ((" ", "a"), ("-", "b"), ("+", "B"), (" ", "c"))


def test_a_change_too_long_to_compare_holds_up_no_page_and_is_shown_whole() -> None:
    before, after = [str(at % 7) for at in range(800)], [str(at % 5) for at in range(800)]
    (field,) = fields(
        {
            "old_string": "\n".join(["head", *before, "tail"]),
            "new_string": "\n".join(["head", *after, "tail"]),
        }
    )
    signs = "".join(sign for sign, _ in field.diff)
    assert signs.lstrip(" ").rstrip(" ").startswith("-" * 700)
    assert " " not in signs.strip(" ")
    assert [line for sign, line in field.diff if sign != "+"] == ["head", *before, "tail"]
    assert [line for sign, line in field.diff if sign != "-"] == ["head", *after, "tail"]
