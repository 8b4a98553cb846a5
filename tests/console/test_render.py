"""What a page shows of text that an agent wrote."""

from __future__ import annotations

import pytest

from ringwall.console.render import moment, plain


@pytest.mark.parametrize("character", ["\u202e", "\u200b", "\u3164", "\u2800", "\ufe00", "\U000e0100"])
def test_what_a_browser_would_not_show_stands_marked(character: str) -> None:
    shown = plain(f"rm{character}x")
    assert character not in shown
    assert f"U+{ord(character):04X}" in shown


def test_what_is_no_moment_stands_as_it_is() -> None:
    assert moment("") == ""
    assert moment("<b>soon") == "&lt;b&gt;soon"
    assert moment("2026-12-01T04:54:42.5Z").startswith("<time ")


def test_no_reach_is_offered_that_is_refused_when_it_is_chosen() -> None:
    from ringwall.approvals.grants import Scope
    from ringwall.console.pages.proposal import SCOPES

    assert set(SCOPES) == {Scope.SESSION, Scope.PROJECT}
