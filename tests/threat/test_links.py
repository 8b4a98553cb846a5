"""A link that a call makes itself leads where it leads, although it is not on disk yet."""

import pytest

from .conftest import Ground


@pytest.mark.parametrize(
    "line",
    [
        "ln -s ~/.claude a && echo {} > a/settings.json",
        "ln -sfn ~/.claude a; cd a; echo {} > settings.json",
        "ln -s ~/.config/ringwall . && rm -r ringwall/",
        "ln -s ~/.config a; ln -s a b; cp x b/ringwall/permissions.json",
        "ln -s / r && rm -rf r/etc",
        "touch a/x; ln -s ~/.ringwall a; touch a/x",
    ],
)
def test_what_is_done_through_it_is_done_to_what_it_names(ground: Ground, line: str) -> None:
    ground.write("~/.config/ringwall/permissions.json", {})
    assert ground.verdict(line) == "deny"


def test_taking_the_link_away_is_nothing_more(ground: Ground) -> None:
    assert ground.verdict("ln -s /usr/share/doc a && rm a") == "allow"


def test_links_in_a_circle_end(ground: Ground) -> None:
    assert ground.verdict("ln -s a b; ln -s b a; cat a/x") == "allow"
